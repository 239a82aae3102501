import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addNumbers,
  type Bitset,
  countBits,
  hasBit,
  intersect,
  intersectNumbers,
  listBits,
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
})
