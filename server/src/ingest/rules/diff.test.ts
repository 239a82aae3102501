import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { isDeepEqual } from './diff.ts'

/** JSON values, undefined included, of few distinct ones so that equal pairs are common. */
const anyData = fc.letrec((tie) => ({
  data: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(0, 1, '', 'a', true, null, undefined),
    fc.array(tie('data'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('data'), { noNullPrototype: true }),
  ),
})).data

describe('isDeepEqual', () => {
  it('agrees with isDeepStrictEqual on plain data', () => {
    fc.assert(
      fc.property(anyData, anyData, (a, b) => {
        expect(isDeepEqual(a, b)).toBe(isDeepStrictEqual(a, b))
      }),
      propertyRuns(2_000, 2),
    )
  })

  it('ignores the order of keys, but not that of lists', () => {
    expect(isDeepEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
    expect(isDeepEqual({ a: [1, 2] }, { a: [2, 1] })).toBe(false)
  })

  it('tells an undefined value from an absent key', () => {
    expect(isDeepEqual({ a: undefined }, { b: undefined })).toBe(false)
    expect(isDeepEqual({ a: undefined }, {})).toBe(false)
  })
})
