import { hashText } from '../lib/text/hash-text.ts'

/**
 * An sfc32 pseudo-random number generator. It is reseeded for every show, so that a show depends only on the seed and
 * on its own index.
 */
export class Random {
  private a = 0
  private b = 0
  private c = 0
  private d = 0

  constructor(seed = 0, stream = 0) {
    this.reseed(seed, stream)
  }

  /** Restarts the sequence of a seed and a stream. */
  reseed(seed: number, stream: number): void {
    this.a = mixBits(seed ^ 0x9e3779b9)
    this.b = mixBits(stream ^ 0x85ebca6b)
    this.c = mixBits(this.a ^ Math.imul(stream, 0x27d4eb2f))
    this.d = 1
    for (let i = 0; i < 8; i++) this.nextUint32()
  }

  /** The next 32 bits, as an unsigned integer. */
  nextUint32(): number {
    const t = (((this.a + this.b) | 0) + this.d) | 0
    this.d = (this.d + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = ((this.c << 21) | (this.c >>> 11)) + t
    return t >>> 0
  }

  /** A number in [0, 1). */
  next(): number {
    return this.nextUint32() / 4294967296
  }

  /** An integer in [0, n). */
  int(n: number): number {
    return Math.floor((this.nextUint32() / 4294967296) * n)
  }

  /** True with the given probability. */
  chance(share: number): boolean {
    return this.nextUint32() < share * 4294967296
  }

  /** Picks an element, all with the same probability. */
  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T
  }

  /** Picks an element; those at the front of the list are more likely. */
  pickEarly<T>(list: readonly T[]): T {
    const u = this.next()
    return list[Math.floor(u * u * list.length)] as T
  }
}

/** Hashes an integer, so that neighbours give unrelated values. */
export function mixBits(value: number): number {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}

/** Hashes a text, with `mixBits` after FNV-1a. */
export function mixText(text: string): number {
  return mixBits(hashText(text))
}
