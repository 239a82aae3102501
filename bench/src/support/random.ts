/** A stream of numbers from 0 to 1 that is the same for the same seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('Nothing to pick from')
    return values[this.below(values.length)]!
  }

  /** Four times in five one of the first fifth: what is popular is asked for most. */
  pickPopular<T>(values: readonly T[]): T {
    const popular = Math.max(1, Math.ceil(values.length / 5))
    return this.chance(0.8) ? this.pick(values.slice(0, popular)) : this.pick(values)
  }
}
