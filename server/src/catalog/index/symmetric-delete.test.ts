import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexedDeleteVariants, isWithinEdits, maxEdits, queryDeleteVariants } from './symmetric-delete.ts'

describe('maxEdits', () => {
  it('is one in words of 4 to 7 letters and two in longer ones', () => {
    expect(['abc', 'abcd', 'abcdefg', 'abcdefgh'].map(maxEdits)).toEqual([0, 1, 1, 2])
  })
})

describe('isWithinEdits', () => {
  it('counts a swap of adjacent letters as one edit', () => {
    expect(isWithinEdits('matrix', 'martix', 1)).toBe(true)
    expect(isWithinEdits('godfather', 'godfahter', 1)).toBe(true)
    expect(isWithinEdits('matrix', 'matress', 1)).toBe(false)
    expect(isWithinEdits('breaking', 'braeknig', 2)).toBe(true)
    expect(isWithinEdits('', '', 0)).toBe(true)
  })
})

describe('delete variants', () => {
  it('have one in common whenever a query word matches an indexed word', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 11 })
    fc.assert(
      fc.property(word, word, (query, indexed) => {
        const edits = maxEdits(query)
        if (edits === 0 || !isWithinEdits(query, indexed, edits)) return
        const variants = indexedDeleteVariants(indexed)
        expect([...queryDeleteVariants(query)].some((variant) => variants.has(variant))).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})
