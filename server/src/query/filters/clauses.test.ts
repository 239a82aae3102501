import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { PostingList } from '../../catalog/index/postings.ts'
import { listBits } from '../../lib/bitset/bitset.ts'
import { BitsetFilter } from './bitset-filter.ts'
import { BitsClause, type Clause, Conjunction, DifferenceClause, TermClause } from './clauses.ts'

const DOCS = 3_000
const ALL = Array.from({ length: DOCS }, (_, doc) => doc)

/** From no documents to most of them, so that posting lists are sorted numbers or bitsets. */
const anyDocs = fc
  .tuple(fc.constantFrom(0, 1, 5, 40, 90), fc.nat(99), fc.integer({ min: 1, max: DOCS }))
  .map(([percent, seed, end]) => ALL.filter((doc) => doc < end && (doc * 7919 + seed * 104_729) % 100 < percent))

/** A clause, with the documents that pass it. */
type Case = readonly [Clause, ReadonlySet<number>]

function ofTerms(lists: readonly (readonly number[])[]): Case {
  const clause = new TermClause(
    lists.map((docs) => PostingList.from(Uint32Array.from(docs))),
    () => lists.map((docs) => new RoaringBitmap32(docs)),
  )
  return [clause, new Set(lists.flat())]
}

const ofSet = (docs: readonly number[]): Case => [new BitsetFilter(new RoaringBitmap32(docs)), new Set(docs)]

function bitsClause(docs: readonly number[]): BitsClause {
  const set = new RoaringBitmap32(docs)
  return new BitsClause(set.toBitset(), set.size)
}

const ofBits = (docs: readonly number[]): Case => [bitsClause(docs), new Set(docs)]

function ofRange(docs: readonly number[]): Case {
  const part = docs.slice(docs.length / 2)
  const clause = new DifferenceClause(bitsClause(docs), bitsClause(part))
  return [clause, new Set(docs.slice(0, docs.length / 2))]
}

const anyCase: fc.Arbitrary<Case> = fc.oneof(
  fc.array(anyDocs, { minLength: 1, maxLength: 3 }).map(ofTerms),
  anyDocs.map(ofSet),
  anyDocs.map(ofBits),
  anyDocs.map(ofRange),
)

it('finds the same documents as a set, as bits, and as a list', () => {
  fc.assert(
    fc.property(
      fc.array(anyCase, { minLength: 1, maxLength: 4 }),
      fc.array(anyCase, { maxLength: 2 }),
      (included, excluded) => {
        const clausesOf = (cases: readonly Case[]) => cases.map(([clause]) => clause)
        const filter = new Conjunction(clausesOf(included), clausesOf(excluded))
        const expected = ALL.filter(
          (doc) => included.every(([, docs]) => docs.has(doc)) && !excluded.some(([, docs]) => docs.has(doc)),
        )
        expect([...filter.toSet()]).toEqual(expected)
        expect([...listBits(filter.toBits(DOCS))]).toEqual(expected)
        expect([...filter.toDocs(DOCS)]).toEqual(expected)
      },
    ),
    { numRuns: 300 },
  )
})
