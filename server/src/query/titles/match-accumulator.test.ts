import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MatchAccumulator } from './match-accumulator.ts'

const DOCS = 60

/** Documents with some words, as written or with typing errors. Joined words have the bits of two. */
const mark = fc.record({
  docs: fc.uniqueArray(fc.nat(DOCS - 1), { maxLength: 20 }).map((docs) => Uint32Array.from(docs).sort()),
  words: fc.oneof(
    fc.nat(4).map((bit) => 1 << bit),
    fc.nat(3).map((bit) => 3 << bit),
    fc.constant(1 << 15),
  ),
  isFuzzy: fc.boolean(),
})

const isSingle = (words: number) => (words & (words - 1)) === 0

it('lists documents by the words that they match, as often as it is used', () => {
  const accumulator = new MatchAccumulator()
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 8 }), fc.integer({ min: 1, max: 31 }), (marks, wanted) => {
      const exact = new Uint32Array(DOCS)
      const fuzzy = new Uint32Array(DOCS)
      accumulator.begin(DOCS)
      for (const { docs, words, isFuzzy } of marks) {
        accumulator.mark(docs, words, isFuzzy)
        for (const doc of docs) {
          ;(fuzzy[doc] as number) |= words
          if (!isFuzzy) (exact[doc] as number) |= words
        }
      }
      const all = [...fuzzy.keys()]
      for (const doc of all) {
        expect(accumulator.exactWords(doc)).toBe(exact[doc])
        expect(accumulator.fuzzyWords(doc)).toBe(fuzzy[doc])
      }
      expect(accumulator.count).toBe(fuzzy.filter((words) => words !== 0).length)

      const hasAll = (doc: number) => ((fuzzy[doc] as number) & wanted) === wanted
      expect([...accumulator.docsThatMayHave(wanted)].filter(hasAll).sort()).toEqual(all.filter(hasAll).sort())

      const visited: number[] = []
      accumulator.visit(
        (words) => (words & wanted) !== 0,
        (doc) => visited.push(doc),
      )
      const isVisited = (words: number) => words !== 0 && (!isSingle(words) || (words & wanted) !== 0)
      expect(visited.sort()).toEqual(all.filter((doc) => isVisited(fuzzy[doc] as number)).sort())
    }),
    { numRuns: 300 },
  )
})
