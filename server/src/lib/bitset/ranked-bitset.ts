import { type Bitset, popcount, wordCount } from './bitset.ts'

/**
 * A set of numbers that tells the place of each among all of them in ascending order. Each word of bits is followed by the count
 * of numbers before it, so that a look-up touches one place in memory.
 */
export class RankedBitset {
  /** How many numbers there are. */
  size = 0
  private readonly words: Uint32Array

  /** @param limit numbers are below it */
  constructor(limit: number) {
    this.words = new Uint32Array(2 * wordCount(limit))
  }

  get bytes(): number {
    return this.words.byteLength
  }

  /** Adds a number. Places and counts are wrong until `count` is called. */
  add(number: number): void {
    ;(this.words[(number >>> 5) * 2] as number) |= 1 << (number & 31)
  }

  /** Counts the numbers anew, after some were added. */
  count(): void {
    const { words } = this
    let before = 0
    for (let i = 0; i < words.length; i += 2) {
      words[i + 1] = before
      before += popcount(words[i] as number)
    }
    this.size = before
  }

  /** How many numbers are not above one, which is below the limit. */
  countUpTo(number: number): number {
    const at = (number >>> 5) * 2
    return (this.words[at + 1] as number) + popcount((this.words[at] as number) & (-1 >>> (31 - (number & 31))))
  }

  /** The highest number that is not above one; -1 if there is none. */
  highestUpTo(number: number): number {
    const { words } = this
    let at = (number >>> 5) * 2
    let word = (words[at] as number) & (-1 >>> (31 - (number & 31)))
    while (word === 0) {
      if (at === 0) return -1
      at -= 2
      word = words[at] as number
    }
    return at * 16 + 31 - Math.clz32(word)
  }

  /** The lowest number that is not below one; undefined if there is none. */
  lowestFrom(number: number): number | undefined {
    const { words } = this
    let at = (number >>> 5) * 2
    let word = (words[at] ?? 0) & (-1 << (number & 31))
    while (word === 0) {
      at += 2
      if (at >= words.length) return undefined
      word = words[at] as number
    }
    return at * 16 + 31 - Math.clz32(word & -word)
  }

  /** Visits the numbers that another set has, too, each with its place. */
  forEachIn(bits: Bitset, visit: (number: number, place: number) => void): void {
    const { words } = this
    for (let i = 0; i < bits.length; i++) {
      const word = (words[2 * i] as number) | 0
      for (let rest = word & (bits[i] as number); rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest
        visit(i * 32 + 31 - Math.clz32(bit), (words[2 * i + 1] as number) + popcount(word & (bit - 1)))
      }
    }
  }

  /** The place of a number, from 0; -1 if it is not in the set. */
  placeOf(number: number): number {
    const at = (number >>> 5) * 2
    const word = this.words[at] ?? 0
    const bit = 1 << (number & 31)
    return (word & bit) === 0 ? -1 : (this.words[at + 1] as number) + popcount(word & (bit - 1))
  }
}
