/** SQLite integers are signed 64-bit numbers, of which 62 bits are used. */
const BITS_PER_WORD = 62

/**
 * Assigns a bit to each name. SQLite has no arrays, so catalogs and genres are bitmasks: "any of" and "all of" are one
 * bitwise operation on a column of a covering index.
 */
export class BitmaskEncoder {
  readonly #bits = new Map<string, number>()
  readonly words: number

  constructor(names: readonly string[], words: number) {
    if (names.length > words * BITS_PER_WORD) throw new Error(`${names.length} names do not fit into ${words} words`)
    for (const name of names) this.#bits.set(name, this.#bits.size)
    this.words = words
  }

  /** The words with the bits of all names that satisfy a condition. */
  encode(isSet: (name: string) => boolean): bigint[] {
    const masks = new Array<bigint>(this.words).fill(0n)
    for (const [name, bit] of this.#bits) {
      if (isSet(name)) masks[Math.floor(bit / BITS_PER_WORD)]! |= 1n << BigInt(bit % BITS_PER_WORD)
    }
    return masks
  }
}

/** Words for the catalogs of a country. */
export const CATALOG_WORDS = 3

/** Whether an entry of `catalogs` (`prime`, `prime.rent`, `prime.addon.starz`, `prime.addon`) includes a specific one. */
export function includesCatalog(entry: string, specific: string): boolean {
  return specific === entry || specific.startsWith(`${entry}.`)
}
