import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { RankedBitset } from '../../lib/ranked-bitset.ts'
import { BitsetFilter } from './bitset-filter.ts'
import { Conjunction } from './clauses.ts'
import { selectFromColumn, selectPassing, selectWithOptions } from './column-selection.ts'
import { type ColumnOrder, SortedColumn } from './sorted-column.ts'

const DOCS = 2_000

/** Documents of which about so many in a hundred pass, by a number that scatters them. */
function scatter(percent: number, seed: number): number[] {
  return Array.from({ length: DOCS }, (_, doc) => doc).filter((doc) => (doc * 7919 + seed * 104_729) % 100 < percent)
}

/** Documents in an order that has nothing to do with their numbers. Of ten in a row some have the same value. */
const order = Uint32Array.from(scatter(90, 1)).sort((a, b) => ((a * 6151) % DOCS) - ((b * 6151) % DOCS))
const members = new RankedBitset(DOCS)
for (const doc of order) members.add(doc)
members.count()
const indexes = order.toSorted().map((doc) => order.indexOf(doc))
const groups = new RankedBitset(order.length)
for (let i = 0; i < order.length; i++) if (i % 10 < 4) groups.add(i)
groups.count()
const column = new SortedColumn({ docs: order, docCount: DOCS, members, indexes, groups })

/** Groups of equal values come backwards in the descending order, and the documents of each forwards. */
const descending = Array.from({ length: groups.size }, (_, back) =>
  [...order].filter((_, i) => groups.countUpTo(i) === groups.size - back),
).flat()
const orders = { asc: [...order], desc: descending }
const anyDirection = fc.constantFrom('asc', 'desc')

const clause = (docs: readonly number[]) => new BitsetFilter(new RoaringBitmap32(docs))

/** Anything from no document to all of them. */
const scattered = fc
  .tuple(fc.constantFrom(0, 1, 3, 10, 50, 100), fc.nat(99))
  .map(([percent, seed]) => scatter(percent, seed))

/** Documents of one end of the column: a scan from the other end passes all others before. */
const together = fc
  .tuple(fc.boolean(), fc.integer({ min: 1, max: 400 }))
  .map(([isStart, count]) => [...(isStart ? order.slice(0, count) : order.slice(-count))])

const passing = fc.oneof({ weight: 2, arbitrary: scattered }, { weight: 1, arbitrary: together })

/** From the first document of all, and from any other one. */
const place = { start: fc.oneof(fc.constant(0), fc.nat(order.length - 1)), limit: fc.integer({ min: 1, max: 40 }) }

/** The place of the document with so many before it. */
const placeOf = (sorted: ColumnOrder, docs: readonly number[], start: number) => sorted.placeOf(docs[start] as number)

describe('selectFromColumn', () => {
  it('finds what a plain scan finds, whichever way is faster', () => {
    fc.assert(
      fc.property(
        fc.tuple(passing, passing, passing),
        anyDirection,
        fc.record(place),
        ([a, b, excluded], direction, { start, limit }) => {
          const [sorted, docs] = [column.inDirection(direction), orders[direction]]
          const filter = new Conjunction([clause(a), clause(b)], [clause(excluded)])
          const expected = docs
            .slice(start)
            .filter((doc) => a.includes(doc) && b.includes(doc) && !excluded.includes(doc))
            .slice(0, limit)
          const selection = { limit, ...(start > 0 && { start: placeOf(sorted, docs, start) }) }
          expect(selectFromColumn(sorted, filter, selection)).toEqual(expected)
          expect(selectPassing(sorted, filter.toBits(DOCS), selection)).toEqual(expected)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('selectWithOptions', () => {
  it('tests options in order, and gives up after the allowed number of tests', () => {
    fc.assert(
      fc.property(
        fc.tuple(passing, passing),
        anyDirection,
        fc.record({ ...place, maxTests: fc.nat(300) }),
        ([a, withOption], direction, { start, limit, maxTests }) => {
          const [sorted, docs] = [column.inDirection(direction), orders[direction]]
          const filter = new Conjunction([clause(a)], [])
          const options = { matches: (doc: number) => withOption.includes(doc) }
          const candidates = docs.slice(start).filter((doc) => a.includes(doc))
          const tested = candidates.slice(0, maxTests).filter((doc) => withOption.includes(doc))
          const isComplete = tested.length >= limit || candidates.length <= maxTests
          const selection = { start: placeOf(sorted, docs, start), limit, maxTests }
          const expected = isComplete ? tested.slice(0, limit) : undefined
          expect(selectWithOptions(sorted, filter, options, selection)).toEqual(expected)
        },
      ),
      { numRuns: 100 },
    )
  })
})
