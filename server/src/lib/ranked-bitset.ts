import { popcount, wordCount } from './bitset.ts'

/**
 * A set of numbers that tells the place of each among all of them in ascending order. Each word of bits is followed by the count
 * of numbers before it, so that a look-up touches one place in memory.
 */
export class RankedBitset {
  private readonly words: Uint32Array

  /** @param limit numbers are below it */
  constructor(limit: number) {
    this.words = new Uint32Array(2 * wordCount(limit))
  }

  get bytes(): number {
    return this.words.byteLength
  }

  /** Adds a number. Places are wrong until `count` is called. */
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
  }

  /** The place of a number, from 0; -1 if it is not in the set. */
  placeOf(number: number): number {
    const at = (number >>> 5) * 2
    const word = this.words[at] ?? 0
    const bit = 1 << (number & 31)
    return (word & bit) === 0 ? -1 : (this.words[at + 1] as number) + popcount(word & (bit - 1))
  }
}
