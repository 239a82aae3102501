import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addNumbers,
  type Bitset,
  copyBits,
  countBits,
  estimateCount,
  hasBit,
  intersect,
  intersectNumbers,
  listBits,
  setBit,
  subtract,
  subtractNumbers,
  unite,
  wordCount,
} from './bitset.ts'

const LIMIT = 200

/** Distinct numbers in ascending order. */
const numbers = fc.uniqueArray(fc.nat(LIMIT - 1)).map((list) => Uint32Array.from(list).sort())

/** A set with just enough words for its numbers, or with more. */
function toBitset(list: Uint32Array, words = wordCount((list.at(-1) ?? -1) + 1)): Bitset {
  const bits = new Uint32Array(words)
  addNumbers(bits, list)
  return bits
}

describe('bitset', () => {
  it('has the numbers that were added, and no others', () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const bits = toBitset(list)
        expect([...listBits(bits)]).toEqual([...list])
        expect(countBits(bits)).toBe(list.length)
        for (let n = 0; n < LIMIT + 40; n++) expect(hasBit(bits, n)).toBe(list.includes(n))
      }),
    )
  })

  it.each([
    ['intersect', (a: Bitset, b: Uint32Array) => intersect(a, toBitset(b)), (a: boolean, b: boolean) => a && b],
    ['intersectNumbers', intersectNumbers, (a: boolean, b: boolean) => a && b],
    ['subtract', (a: Bitset, b: Uint32Array) => subtract(a, toBitset(b)), (a: boolean, b: boolean) => a && !b],
    ['subtractNumbers', subtractNumbers, (a: boolean, b: boolean) => a && !b],
  ])('%s is that of sets, whichever is longer', (_, operation, keeps) => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const bits = toBitset(a)
        operation(bits, b)
        expect([...listBits(bits)]).toEqual([...a].filter((n) => keeps(true, b.includes(n))))
      }),
    )
  })

  it('unites with a set that is not longer', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const bits = toBitset(a, wordCount(LIMIT))
        unite(bits, toBitset(b))
        expect([...listBits(bits)]).toEqual([...new Set([...a, ...b])].sort((x, y) => x - y))
      }),
    )
  })

  it('copies a set, as far as there is room', () => {
    fc.assert(
      fc.property(numbers, fc.nat(LIMIT), (a, limit) => {
        const bits = new Uint32Array(wordCount(limit))
        copyBits(bits, toBitset(a))
        expect([...listBits(bits)]).toEqual([...a].filter((n) => n < 32 * bits.length))
      }),
    )
  })

  it('estimates a count: exactly of few numbers, closely of many that are spread', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (step) => {
        const bits = new Uint32Array(4096)
        for (let n = 0; n < 32 * bits.length; n += step) setBit(bits, n)
        expect(Math.abs(estimateCount(bits) / countBits(bits) - 1)).toBeLessThan(0.2)
      }),
    )
    expect(estimateCount(Uint32Array.of(0, 5, 0, 1))).toBe(3)
    expect(estimateCount(new Uint32Array(0))).toBe(0)
  })
})
