import { expect, it } from 'vitest'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { BitsetFilter } from './bitset-filter.ts'

/** Documents to test, often enough for a bitset to be built. */
const docs = Array.from({ length: 1_000 }, (_, i) => i * 7)

it('gives the same answers before and after the bitset is built', () => {
  const set = new RoaringBitmap32(docs.filter((doc) => doc % 3 === 0))
  const filter = new BitsetFilter(set)
  for (const doc of docs) expect(filter.has(doc), String(doc)).toBe(doc % 3 === 0)
  expect(filter.has(2 ** 31)).toBe(false)
  expect(filter.bitsetBytes()).toBeGreaterThan(0)
})

it('tests the roaring set where documents are beyond the limit of a bitset', () => {
  const far = 2 ** 25 + 1
  const set = new RoaringBitmap32([3, far])
  const filter = new BitsetFilter(set)
  for (const doc of docs) expect(filter.has(doc)).toBe(false)
  expect([3, far, far + 1, 2 ** 31].map((doc) => filter.has(doc))).toEqual([true, true, false, false])
  expect(filter.bitsetBytes()).toBe(0)
})

it('is empty for an empty set', () => {
  const filter = new BitsetFilter(new RoaringBitmap32())
  for (const doc of docs) expect(filter.has(doc)).toBe(false)
  expect(filter.size).toBe(0)
})
