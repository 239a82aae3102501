import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RoaringBitmap32 } from './roaring-bitmap.ts'

const every = (step: number, count: number, start = 0) => Array.from({ length: count }, (_, i) => start + i * step)

/** Numbers in every kind of container: a few, runs, and more than an array holds; sorted and distinct. */
const numbers = fc
  .array(
    fc.record({
      start: fc.integer({ min: 0, max: 200_000 }),
      step: fc.constantFrom(1, 1, 2, 3, 17, 900),
      count: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9000 })),
    }),
    { maxLength: 4 },
  )
  .map((parts) => {
    const all = parts.flatMap(({ start, step, count }) => every(step, count, start))
    return [...new Set(all)].sort((a, b) => a - b)
  })

const runs = { numRuns: 25, seed: 25 }

describe('operations on bitmaps are those on sets', () => {
  it('intersection, difference and union', () => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (a, b, c) => {
        const [setB, setC] = [new Set(b), new Set(c)]
        const [bitmapA, bitmapB, bitmapC] = [a, b, c].map((list) => new RoaringBitmap32(list)) as [
          RoaringBitmap32,
          RoaringBitmap32,
          RoaringBitmap32,
        ]
        const check = (bitmap: RoaringBitmap32, expected: number[]) => {
          expect(bitmap.size).toBe(expected.length)
          expect(bitmap.toArray()).toEqual(expected)
        }
        const both = a.filter((number) => setB.has(number))
        check(RoaringBitmap32.and(bitmapA, bitmapB), both)
        expect(bitmapA.andCardinality(bitmapB)).toBe(both.length)
        const all = both.filter((number) => setC.has(number))
        check(RoaringBitmap32.andMany([bitmapA, bitmapB, bitmapC]), all)
        check(new RoaringBitmap32(a).andInPlace(bitmapB).andInPlace(bitmapC), all)
        const rest = a.filter((number) => !setB.has(number))
        check(RoaringBitmap32.andNot(bitmapA, bitmapB), rest)
        const union = [...new Set([...a, ...b, ...c])].sort((x, y) => x - y)
        check(RoaringBitmap32.orMany([bitmapA, bitmapB, bitmapC]), union)
        check(bitmapA, a)
      }),
      runs,
    )
  })

  it('adding and deleting, in any order', () => {
    fc.assert(
      fc.property(numbers, numbers, (added, deleted) => {
        const expected = new Set(added)
        const bitmap = new RoaringBitmap32(added.toReversed())
        const wrong = deleted.filter((number) => bitmap.delete(number) !== expected.delete(number))
        expect(wrong).toEqual([])
        expect([...bitmap]).toEqual([...expected].sort((a, b) => a - b))
        expect(bitmap.size).toBe(expected.size)
        expect([...added, ...deleted].filter((number) => bitmap.has(number) !== expected.has(number))).toEqual([])
        expect(bitmap.maximum()).toBe(Math.max(0, ...[...bitmap].slice(-1)))
      }),
      runs,
    )
  })

  it('bytes and a flat bitset hold the same numbers', () => {
    fc.assert(
      fc.property(numbers, fc.nat(9), (list, reserved) => {
        const bitmap = new RoaringBitmap32(list)
        expect(RoaringBitmap32.deserialize(bitmap.serialize(reserved).subarray(reserved)).toArray()).toEqual(list)
        const bitset = bitmap.toBitset()
        const found: number[] = []
        for (let number = 0; number < bitset.length * 32; number++) {
          if (((bitset[number >>> 5] as number) & (1 << (number & 31))) !== 0) found.push(number)
        }
        expect(found).toEqual(list)
      }),
      runs,
    )
  })
})

// Lengths and hashes of what CRoaring (npm `roaring` 2.7.0: runOptimize, then serialize) wrote of the same numbers.
it.each([
  ['one list', every(7, 40), 96, '866cc54dc1605507'],
  ['one bitset', every(3, 20_000), 8208, '4922a7ae17f65caa'],
  ['one run', every(1, 60_000, 5), 15, '860794f98bca74e9'],
  ['a full container', every(1, 65_536), 15, 'a3012b6699210111'],
  ['runs, three containers', [...every(1, 70_000), ...every(1, 10, 140_000)], 35, '96e56390d094360c'],
  ['runs, four containers', [...every(1, 200_000), ...every(9, 500, 200_000)], 2057, 'e52269260893e2aa'],
  ['lists and bitsets', [...every(5, 60_000), ...every(977, 300, 400_000)], 41_648, '11ace4063623dcb4'],
  ['runs no smaller than the list', [...every(4, 27).flatMap((n) => [n, n + 1]), 999], 126, '53b09abf317ba26b'],
  ['highest numbers', [0, 65_535, 65_536, 2_147_483_648, 4_294_967_295], 50, '4d6134f47db91d1d'],
])('is stored as other implementations store it: %s', (_, list, length, hash) => {
  const bytes = new RoaringBitmap32(list).serialize()
  expect(bytes.length).toBe(length)
  expect(createHash('sha256').update(bytes).digest('hex').slice(0, 16)).toBe(hash)
  expect(RoaringBitmap32.deserialize(bytes).toArray()).toEqual(list)
})

it('a result can be altered without altering what it was made of', () => {
  const large = new RoaringBitmap32(every(2, 30_000)).freeze()
  const union = RoaringBitmap32.orMany([large, new RoaringBitmap32([1_000_001])])
  union.add(1)
  union.delete(0)
  expect([union.has(1), union.has(0)]).toEqual([true, false])
  expect([large.has(1), large.has(0), large.size]).toEqual([false, true, 30_000])
})

it('a frozen bitmap is not altered', () => {
  const frozen = new RoaringBitmap32([1, 2]).freeze()
  expect(() => frozen.add(3)).toThrow('frozen')
  expect(() => frozen.delete(1)).toThrow('frozen')
  expect(() => frozen.andInPlace(new RoaringBitmap32())).toThrow('frozen')
  expect(frozen.toArray()).toEqual([1, 2])
})

it('bytes that are cut, or no bitmap, are refused', () => {
  const bytes = new RoaringBitmap32([...every(1, 200_000), ...every(9, 500, 200_000)]).serialize()
  for (const length of [0, 3, 8, 20, bytes.length - 1]) {
    expect(() => RoaringBitmap32.deserialize(bytes.subarray(0, length))).toThrow(RangeError)
  }
  expect(() => RoaringBitmap32.deserialize(Buffer.from('not a bitmap'))).toThrow('portable format')
})
