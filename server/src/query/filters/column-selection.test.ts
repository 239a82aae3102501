import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { PostingList } from '../../catalog/index/postings.ts'
import { RankedBitset } from '../../lib/bitset/ranked-bitset.ts'
import { BitsetFilter } from './bitset-filter.ts'
import { BitsClause, type Clause, Conjunction, DifferenceClause, TermClause } from './clauses.ts'
import { selectFirst, selectPassing, selectTested } from './column-selection.ts'
import { type ColumnOrder, partBits, SortedColumn } from './sorted-column.ts'

const DOCS = 2_000

/** Documents of which about so many in a hundred pass, by a number that scatters them. */
function scatter(percent: number, seed: number, docs = DOCS): number[] {
  return Array.from({ length: docs }, (_, doc) => doc).filter((doc) => (doc * 7919 + seed * 104_729) % 100 < percent)
}

/** A column of most of so many documents in an order that has nothing to do with their numbers. Of ten in a row some have the same value. */
function createColumn(docCount: number) {
  const docs = Uint32Array.from(scatter(90, 1, docCount)).sort(
    (a, b) => ((a * 6151) % docCount) - ((b * 6151) % docCount),
  )
  const members = new RankedBitset(docCount)
  for (const doc of docs) members.add(doc)
  members.count()
  const parts = new Uint16Array(docs.length)
  docs.forEach((doc, index) => {
    parts[members.placeOf(doc)] = index >>> partBits(docs.length)
  })
  const groups = new RankedBitset(docs.length)
  for (let i = 0; i < docs.length; i++) if (i % 10 < 4) groups.add(i)
  groups.count()
  // Groups of equal values come backwards in the descending order, and the documents of each forwards.
  const backwards: number[] = []
  for (let end = docs.length; end > 0; ) {
    const start = groups.highestUpTo(end - 1)
    backwards.push(...docs.slice(start, end))
    end = start
  }
  const column = new SortedColumn({ docs, docCount, members, parts, groups })
  return { column, orders: { asc: [...docs], desc: backwards } }
}

const { column, orders } = createColumn(DOCS)
const order = orders.asc
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

describe('selectFirst', () => {
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
          expect(selectFirst(sorted, filter, selection)).toEqual(expected)
          expect(selectPassing(sorted, filter.toBits(DOCS), selection)).toEqual(expected)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('selectTested', () => {
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
          const selection = { start: placeOf(sorted, docs, start), limit, options, maxTests }
          const expected = isComplete ? tested.slice(0, limit) : undefined
          expect(selectTested(sorted, filter.toBits(DOCS), selection)).toEqual(expected)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('selectFirst of many documents', () => {
  const LARGE = 80_000
  const large = createColumn(LARGE)
  const terms = (...sets: (readonly number[])[]) =>
    new TermClause(
      sets.map((docs) => PostingList.from(Uint32Array.from(docs))),
      () => sets.map((docs) => new RoaringBitmap32(docs)),
    )
  const bits = (docs: readonly number[]) => new BitsClause(new RoaringBitmap32(docs).toBitset(), docs.length)
  const half = scatter(50, 3, LARGE)
  /** A scan in ascending order passes all others before. */
  const last = large.orders.asc.slice(-300).sort((a, b) => a - b)
  /** Clauses with the documents that pass them: dense and sparse ones, of one set and of several. */
  const cases: readonly (readonly [Clause, ReadonlySet<number>])[] = [
    [terms(half), new Set(half)],
    [terms(scatter(20, 4, LARGE)), new Set(scatter(20, 4, LARGE))],
    [terms(half.filter((doc) => doc % 401 === 0)), new Set(half.filter((doc) => doc % 401 === 0))],
    [terms(scatter(2, 5, LARGE), scatter(1, 9, LARGE)), new Set([...scatter(2, 5, LARGE), ...scatter(1, 9, LARGE)])],
    [new DifferenceClause(bits(half), bits(half.slice(5_000))), new Set(half.slice(0, 5_000))],
    [bits(scatter(90, 6, LARGE)), new Set(scatter(90, 6, LARGE))],
    [clause(scatter(30, 7, LARGE)), new Set(scatter(30, 7, LARGE))],
    [terms(last), new Set(last)],
  ]
  const someCases = (minLength: number) => fc.subarray([...cases], { minLength, maxLength: minLength + 2 })

  it('finds what a plain scan finds, whatever the clauses are', () => {
    fc.assert(
      fc.property(
        fc.tuple(someCases(1), someCases(0)),
        anyDirection,
        fc.oneof(fc.constant(0), fc.nat(large.orders.asc.length - 1)),
        fc.integer({ min: 1, max: 40 }),
        ([included, excluded], direction, start, limit) => {
          const [sorted, docs] = [large.column.inDirection(direction), large.orders[direction]]
          const filter = new Conjunction(
            included.map(([one]) => one),
            excluded.map(([one]) => one),
          )
          const passes = (doc: number) =>
            included.every(([, members]) => members.has(doc)) && !excluded.some(([, members]) => members.has(doc))
          const expected: number[] = []
          for (let rank = start; rank < docs.length && expected.length < limit; rank++) {
            if (passes(docs[rank] as number)) expected.push(docs[rank] as number)
          }
          const range = { limit, ...(start > 0 && { start: placeOf(sorted, docs, start) }) }
          expect(selectFirst(sorted, filter, range)).toEqual(expected)
        },
      ),
      { numRuns: 200 },
    )
  })
})
