import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexedDeleteVariants, isWithinEdits, maxEdits, queryDeleteVariants } from './symmetric-delete.ts'

describe('forgiven', () => {
  it('is one in words of 4 to 7 letters and two in longer ones', () => {
    expect(['abc', 'abcd', 'abcdefg', 'abcdefgh'].map(maxEdits)).toEqual([0, 1, 1, 2])
  })
})

describe('withinErrors', () => {
  it('counts a swap of neighbours as one error', () => {
    expect(isWithinEdits('matrix', 'martix', 1)).toBe(true)
    expect(isWithinEdits('godfather', 'godfahter', 1)).toBe(true)
    expect(isWithinEdits('matrix', 'matress', 1)).toBe(false)
    expect(isWithinEdits('breaking', 'braeknig', 2)).toBe(true)
    expect(isWithinEdits('', '', 0)).toBe(true)
  })
})

describe('the deletion forms', () => {
  it('meet whenever two words are within what is forgiven', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 11 })
    fc.assert(
      fc.property(word, word, (asked, known) => {
        const errors = maxEdits(asked)
        if (errors === 0 || !isWithinEdits(asked, known, errors)) return
        const stored = indexedDeleteVariants(known)
        expect([...queryDeleteVariants(asked)].some((form) => stored.has(form))).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})
