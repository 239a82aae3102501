import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeDocSet, RoaringBitmap32 } from './doc-set.ts'
import { PostingList } from './postings.ts'

/** Documents up to a highest one: one in `step` of them, but for those whose number a mask cuts out. */
const documents = fc
  .record({
    end: fc.integer({ min: 1, max: 300_000 }),
    step: fc.constantFrom(1, 2, 7, 100, 127, 128, 129, 5_000),
    gap: fc.integer({ min: 0, max: 200_000 }),
  })
  .map(({ end, step, gap }) => {
    const docs: number[] = []
    for (let doc = step - 1; doc < end; doc += step) if (doc < gap || doc >= gap + 70_000) docs.push(doc)
    return Uint32Array.from(docs)
  })

/** Comparing as objects takes seconds for a hundred thousand numbers. */
function isSame(one: Uint32Array | undefined, other: Uint32Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.length === other.length && one.every((number, i) => number === other[i])
}

describe('a posting list', () => {
  it('is decoded as it was encoded, whether it is kept as bits or as a list', () => {
    fc.assert(
      fc.property(documents, (docs) => {
        const decoded = PostingList.decode(encodeDocSet(new RoaringBitmap32(docs), 1))
        const expected = PostingList.from(docs)
        expect(decoded.size).toBe(docs.length)
        expect(isSame(decoded.toDocs(), docs)).toBe(true)
        expect(isSame(decoded.bits, expected.bits)).toBe(true)
        expect(isSame(decoded.docs, expected.docs)).toBe(true)
        expect(decoded.end).toBe(expected.end)
      }),
      { numRuns: 100, seed: 7 },
    )
  })

  it('of one document in 128 is kept as bits', () => {
    const one = (step: number) => PostingList.from(Uint32Array.from({ length: 2_000 }, (_, i) => i * step))
    expect(one(127).bits).toBeDefined()
    expect(one(130).bits).toBeUndefined()
  })
})
