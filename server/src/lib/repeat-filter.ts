import { hashText } from './text/hash-text.ts'

const GOLDEN_RATIO = 0x9e3779b1

/**
 * Tells which keys come again, so that a cache need not keep those that come once. It holds the hash of one key for each of its
 * places; a key is forgotten when another one takes its place.
 */
export class RepeatFilter {
  private readonly hashes: Uint32Array
  private readonly shift: number

  /** @param placeBits the logarithm of the number of places to the base 2 */
  constructor(placeBits: number) {
    this.hashes = new Uint32Array(2 ** placeBits)
    this.shift = 32 - placeBits
  }

  /** Whether a key came before; from now on it has. */
  isRepeated(key: string): boolean {
    const hash = hashText(key)
    const place = Math.imul(hash, GOLDEN_RATIO) >>> this.shift
    if (this.hashes[place] === hash) return true
    this.hashes[place] = hash
    return false
  }
}
