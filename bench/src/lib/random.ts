/** A seeded pseudo-random generator (mulberry32): the same seed gives the same numbers. */
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

  /** An integer from 0 to `end` (exclusive). */
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

  /** Picks from the first fifth with a probability of 0.8: popular values come first in the list. */
  pickPopular<T>(values: readonly T[]): T {
    const popular = Math.max(1, Math.ceil(values.length / 5))
    return this.chance(0.8) ? this.pick(values.slice(0, popular)) : this.pick(values)
  }
}
