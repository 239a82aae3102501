import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addNumbers,
  type Bitset,
  copyBits,
  countBits,
  countCommon,
  hasBit,
  intersect,
  intersectNumbers,
  listBits,
  ScratchBitset,
  setBit,
  subtract,
  subtractNumbers,
  unite,
  wordCount,
} from './bitset.ts'

const LIMIT = 200

const SOME_BITS = 0x5a5a5a5a

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

  it('unites with a set, as far as there is room, and writes nothing behind it', () => {
    const behind = new ScratchBitset()
    fc.assert(
      fc.property(numbers, numbers, fc.nat(LIMIT), (a, b, limit) => {
        const bits = new ScratchBitset().take(wordCount(limit))
        const words = behind.take(wordCount(LIMIT)).fill(SOME_BITS)
        copyBits(bits, toBitset(a))
        unite(bits, toBitset(b))
        const expected = [...new Set([...a, ...b])].filter((n) => n < 32 * bits.length)
        expect([...listBits(bits)]).toEqual(expected.sort((x, y) => x - y))
        expect(words.every((word) => word === SOME_BITS)).toBe(true)
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

  it('counts and lists the first numbers', () => {
    fc.assert(
      fc.property(numbers, fc.nat(LIMIT), (list, count) => {
        const first = Math.min(count, list.length)
        expect([...listBits(toBitset(list), first)]).toEqual([...list].slice(0, first))
      }),
    )
  })
})

/** Lengths in words about those of vectors and of the parts that are combined, listed and copied at once. */
const lengths = fc
  .tuple(fc.constantFrom(0, 4, 8, 2_048, 4_096, 16_384, 32_768), fc.integer({ min: -3, max: 3 }))
  .map(([words, more]) => Math.max(0, words + more))

/** A set of so many words. Most words are empty, some full, some in between. */
function randomSet(bits: Bitset, seed: number): Bitset {
  let state = seed
  for (let i = 0; i < bits.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    const kind = state >>> 28
    bits[i] = kind < 10 ? 0 : kind < 12 ? -1 : state
  }
  return bits
}

const targets = [
  ['in the memory of the module', () => new ScratchBitset()],
  ['elsewhere', () => ({ take: (length: number) => new Uint32Array(length) })],
] as const

describe.each(targets)('a large set %s', (_, createTarget) => {
  const [target, otherTarget] = [createTarget(), createTarget()]
  const sets = fc.tuple(lengths, lengths, fc.integer(), fc.integer(), fc.boolean())

  it('is combined word by word with a set in either memory', () => {
    fc.assert(
      fc.property(sets, ([length, otherLength, seed, otherSeed, isCopied]) => {
        const plain = randomSet(new Uint32Array(length), seed)
        const other = randomSet(isCopied ? new Uint32Array(otherLength) : otherTarget.take(otherLength), otherSeed)
        const combined = (operation: (bits: Bitset, other: Bitset) => void) => {
          const bits = target.take(length)
          bits.set(plain)
          operation(bits, other.length > length ? other.subarray(0, length) : other)
          return bits
        }
        const expected = (combine: (word: number, other: number) => number) =>
          plain.map((word, i) => combine(word, other[i] ?? 0))
        expect(
          isEqual(
            combined(intersect),
            expected((a, b) => a & b),
          ),
        ).toBe(true)
        expect(
          isEqual(
            combined(subtract),
            expected((a, b) => a & ~b),
          ),
        ).toBe(true)
        expect(
          isEqual(
            combined(unite),
            expected((a, b) => a | b),
          ),
        ).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('is counted and listed', () => {
    fc.assert(
      fc.property(sets, ([length, otherLength, seed, otherSeed]) => {
        const bits = randomSet(target.take(length), seed)
        const other = randomSet(new Uint32Array(otherLength), otherSeed)
        const expected: number[] = []
        let common = 0
        for (let n = 0; n < 32 * length; n++) {
          if (!hasBit(bits, n)) continue
          expected.push(n)
          if (hasBit(other, n)) common++
        }
        expect(countBits(bits)).toBe(expected.length)
        expect(countCommon(bits, other)).toBe(common)
        expect(countCommon(other, bits)).toBe(common)
        expect(isEqual(listBits(bits), Uint32Array.from(expected))).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})

describe('ScratchBitset', () => {
  it('is empty each time it is taken, at any length', () => {
    const scratch = new ScratchBitset()
    for (const length of [40, 8, 0, 41, 5_000]) {
      const bits = scratch.take(length)
      expect(bits.length).toBe(length)
      expect(countBits(bits)).toBe(0)
      bits.fill(-1)
    }
  })

  it('takes more than the module has room for', () => {
    const large = new ScratchBitset().take(20 * 1024 * 1024)
    setBit(large, 600_000_000)
    unite(large, toBitset(Uint32Array.of(5)))
    expect([...listBits(large)]).toEqual([5, 600_000_000])
  })
})

/** Compares words, as numbers of either sign; arrays of thousands take long to compare by `toEqual`. */
function isEqual(a: Bitset, b: Bitset): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i])
}
