import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RoaringBitmap32 } from '../catalog/index/doc-set.ts'
import { RangeIndex } from './range-index.ts'

describe('NumberedDocs', () => {
  it('finds every document of a range, and no other', () => {
    const anyNumber = fc.nat(30)
    fc.assert(
      fc.property(fc.array(anyNumber, { maxLength: 40 }), fc.array(fc.tuple(anyNumber, anyNumber)), (given, ranges) => {
        const docsOf = (number: number) => new RoaringBitmap32(given.flatMap((one, doc) => (one === number ? doc : [])))
        const docs = new RangeIndex([...new Set(given)], docsOf)
        for (const [least, most] of [...ranges, [0, Number.POSITIVE_INFINITY] as const]) {
          const expected = given.flatMap((one, doc) => (one >= least && one <= most ? doc : []))
          expect(docs.range(least, most).toArray()).toEqual(expected)
        }
      }),
    )
  })
})
