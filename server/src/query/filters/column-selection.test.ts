import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { RankedBitset } from '../../lib/ranked-bitset.ts'
import { BitsetFilter } from './bitset-filter.ts'
import { Conjunction } from './clauses.ts'
import { selectFromColumn } from './column-selection.ts'
import { SortedColumn } from './sorted-columns.ts'

const DOCS = 2_000

/** Documents of which about so many in a hundred pass, by a number that scatters them. */
function scatter(percent: number, seed: number): number[] {
  return Array.from({ length: DOCS }, (_, doc) => doc).filter((doc) => (doc * 7919 + seed * 104_729) % 100 < percent)
}

/** A column of documents, in an order that has nothing to do with their numbers. */
const order = Uint32Array.from(scatter(90, 1)).sort((a, b) => ((a * 6151) % DOCS) - ((b * 6151) % DOCS))
const members = new RankedBitset(DOCS)
for (const doc of order) members.add(doc)
members.count()
const indexes = order.toSorted().map((doc) => order.indexOf(doc))
const column = new SortedColumn(order, DOCS, members, indexes)

const clause = (docs: readonly number[]) => new BitsetFilter(new RoaringBitmap32(docs))

/** A clause that passes anything from no document to all of them. */
const passing = fc
  .tuple(fc.constantFrom(0, 1, 3, 10, 50, 100), fc.nat(99))
  .map(([percent, seed]) => scatter(percent, seed))

const place = { start: fc.nat(DOCS), limit: fc.integer({ min: 1, max: 40 }) }

describe('selectFromColumn', () => {
  it('finds what a plain scan finds, whichever way is faster', () => {
    fc.assert(
      fc.property(passing, passing, passing, fc.record(place), (a, b, excluded, { start, limit }) => {
        const filter = new Conjunction([clause(a), clause(b)], [clause(excluded)])
        const expected = [...column.docs.slice(start)]
          .filter((doc) => a.includes(doc) && b.includes(doc) && !excluded.includes(doc))
          .slice(0, limit)
        expect(selectFromColumn(column, filter, undefined, { start, limit })).toEqual({
          docs: expected,
          isComplete: true,
        })
      }),
      { numRuns: 60 },
    )
  })

  it('tests options in order, and gives up after the allowed number of tests', () => {
    fc.assert(
      fc.property(
        passing,
        passing,
        fc.record({ ...place, maxOptionTests: fc.nat(300) }),
        (a, withOption, selection) => {
          const filter = new Conjunction([clause(a)], [])
          const options = { matches: (doc: number) => withOption.includes(doc) }
          const { start, limit, maxOptionTests } = selection
          const candidates = [...column.docs.slice(start)].filter((doc) => a.includes(doc))
          const tested = candidates.slice(0, maxOptionTests).filter((doc) => withOption.includes(doc))
          const isComplete = tested.length >= limit || candidates.length <= maxOptionTests
          expect(selectFromColumn(column, filter, options, selection)).toEqual({
            docs: tested.slice(0, limit),
            isComplete,
          })
        },
      ),
      { numRuns: 60 },
    )
  })
})
