import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  indexedDeleteVariants,
  isSimilar,
  isSimilarPrefix,
  maxEdits,
  prefixDeleteVariants,
  queryDeleteVariants,
} from './spelling-index.ts'

describe('maxEdits', () => {
  it('is one in words of 4 to 7 letters and two in longer ones', () => {
    expect([3, 4, 7, 8].map(maxEdits)).toEqual([0, 1, 1, 2])
  })
})

describe('delete variants', () => {
  it('hold no half of a surrogate pair, which keys cannot store', () => {
    for (const word of ['吉𠮷家𠮷屋', 'abcdef𠮷gh', '𠮷𠮷𠮷𠮷𠮷']) {
      for (const variant of [...indexedDeleteVariants(word), ...queryDeleteVariants(word)]) {
        expect(Buffer.from(variant).toString()).toBe(variant)
      }
    }
    expect(indexedDeleteVariants('a𠮷b')).toContain('ab')
  })
})

describe('isSimilar', () => {
  it('counts a swap of adjacent letters as one edit', () => {
    expect(isSimilar('matrix', 'martix')).toBe(true)
    expect(isSimilar('godfather', 'godfahter')).toBe(true)
    expect(isSimilar('matrix', 'matress')).toBe(false)
    expect(isSimilar('breaking', 'braeknig')).toBe(true)
    expect(isSimilar('', '')).toBe(true)
  })

  it('goes by the length of the longer word', () => {
    expect(isSimilar('hea', 'heat')).toBe(true)
    expect(isSimilar('hea', 'hat')).toBe(false)
    expect(isSimilar('incpton', 'inception')).toBe(true)
    expect(isSimilar('parsit', 'parasite')).toBe(true)
    expect(isSimilar('matrixed', 'matrix')).toBe(true)
    expect(isSimilar('grvty', 'gravity')).toBe(false)
  })
})

describe('isSimilarPrefix', () => {
  it('compares an unfinished word with the start of a word', () => {
    expect(isSimilarPrefix('incpet', 'inception')).toBe(true)
    expect(isSimilarPrefix('interstl', 'interstellar')).toBe(true)
    expect(isSimilarPrefix('gdof', 'godfather')).toBe(true)
    expect(isSimilarPrefix('gdo', 'godfather')).toBe(false)
    expect(isSimilarPrefix('gof', 'godfather')).toBe(true)
    expect(isSimilarPrefix('xxdf', 'godfather')).toBe(false)
  })
})

const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength })

describe('delete variants', () => {
  it('have one in common whenever a query word matches an indexed word', () => {
    fc.assert(
      fc.property(letters(2, 11), letters(2, 11), (query, indexed) => {
        if (query === indexed || !isSimilar(query, indexed)) return
        const variants = indexedDeleteVariants(indexed)
        expect([...queryDeleteVariants(query)].some((variant) => variants.has(variant))).toBe(true)
      }),
      { numRuns: 20_000 },
    )
  })

  it('have one in common whenever an unfinished query word of six letters or more matches the start of a word', () => {
    fc.assert(
      fc.property(letters(6, 11), letters(6, 12), (query, indexed) => {
        if (!isSimilarPrefix(query, indexed)) return
        const variants = indexedDeleteVariants(indexed)
        expect([...queryDeleteVariants(query)].some((variant) => variants.has(variant))).toBe(true)
      }),
      { numRuns: 20_000 },
    )
  })

  it('have one in common whenever a short prefix matches an indexed one', () => {
    fc.assert(
      fc.property(letters(4, 5), letters(4, 5), (query, indexed) => {
        if (!isSimilar(query, indexed)) return
        const variants = prefixDeleteVariants(indexed)
        expect([...prefixDeleteVariants(query)].some((variant) => variants.has(variant))).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})
