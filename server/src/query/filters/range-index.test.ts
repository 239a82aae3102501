import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { RangeIndex } from './range-index.ts'

/** An index over documents 0, 1, 2… with the given numbers; those of version 2 are higher by one. */
function indexOver(given: readonly number[]): RangeIndex {
  const numbers = (version: number) => given.map((number) => number + version - 1)
  return new RangeIndex('test', {
    numbers: (version) => [...new Set(numbers(version))],
    docs: (number, version) =>
      new RoaringBitmap32(numbers(version).flatMap((other, doc) => (other === number ? doc : []))),
  })
}

describe('RangeIndex', () => {
  it('finds every document of a range, and no other', () => {
    const anyNumber = fc.nat(30)
    fc.assert(
      fc.property(fc.array(anyNumber, { maxLength: 40 }), fc.array(fc.tuple(anyNumber, anyNumber)), (given, ranges) => {
        const index = indexOver(given)
        for (const [min, max] of [...ranges, [0, Number.POSITIVE_INFINITY] as const]) {
          const expected = given.flatMap((number, doc) => (number >= min && number <= max ? doc : []))
          const range = index.range(min, max, 1)
          expect([...range.toSet()]).toEqual(expected)
          expect(range.size).toBe(expected.length)
          expect(given.flatMap((_, doc) => (range.has(doc) ? doc : []))).toEqual(expected)
        }
      }),
    )
  })

  it('reads the field again for another version', () => {
    const index = indexOver([1, 2, 3])
    expect([...index.range(2, 3, 1).toSet()]).toEqual([1, 2])
    expect([...index.range(2, 3, 2).toSet()]).toEqual([0, 1])
  })
})
