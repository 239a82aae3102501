/**
 * Catalogs and genres as bits of whole numbers, since SQLite has no arrays: "in one of these" and "all of these" are one
 * operation each on a column of a covering index. SQLite's numbers have 64 bits with a sign; 62 are used of each.
 */
const BITS = 62

/** Names that are given a bit each, over as many numbers as it takes. */
export class Bits {
  readonly #places = new Map<string, number>()
  readonly words: number

  constructor(names: readonly string[], words: number) {
    if (names.length > words * BITS) throw new Error(`${names.length} names do not fit in ${words} numbers`)
    for (const name of names) this.#places.set(name, this.#places.size)
    this.words = words
  }

  /** The numbers in which the bits of all names are set for which `wanted` holds. */
  mask(wanted: (name: string) => boolean): bigint[] {
    const masks = new Array<bigint>(this.words).fill(0n)
    for (const [name, place] of this.#places) {
      if (wanted(name)) masks[Math.floor(place / BITS)]! |= 1n << BigInt(place % BITS)
    }
    return masks
  }
}

/** Catalogs of a country take up to three numbers. */
export const CATALOG_WORDS = 3

/** Whether an entry of `catalogs` (`prime`, `prime.rent`, `prime.addon.starz`, `prime.addon`) covers a narrow one. */
export function covers(entry: string, narrow: string): boolean {
  return narrow === entry || narrow.startsWith(`${entry}.`)
}
