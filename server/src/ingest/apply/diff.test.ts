import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDeepEqual } from './diff.ts'

/** Plain data, also with keys that hold nothing, of few values so that the same ones come again. */
const anyData = fc.letrec((tie) => ({
  data: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(0, 1, '', 'a', true, null, undefined),
    fc.array(tie('data'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('data'), { noNullPrototype: true }),
  ),
})).data

describe('sameData', () => {
  it('says of plain data what deep equality says', () => {
    fc.assert(
      fc.property(anyData, anyData, (a, b) => {
        expect(isDeepEqual(a, b)).toBe(isDeepStrictEqual(a, b))
      }),
      { numRuns: 2_000 },
    )
  })

  it('does not care for the order of keys, but for that of lists', () => {
    expect(isDeepEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
    expect(isDeepEqual({ a: [1, 2] }, { a: [2, 1] })).toBe(false)
  })

  it('tells a key that holds nothing from one that is not there', () => {
    expect(isDeepEqual({ a: undefined }, { b: undefined })).toBe(false)
    expect(isDeepEqual({ a: undefined }, {})).toBe(false)
  })
})
