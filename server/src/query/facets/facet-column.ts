import { type Bitset, listBits } from '../../lib/bitset.ts'

/** A value, and how many shows have it. Keys in this order. */
export interface FacetCount {
  readonly value: string
  readonly count: number
}

/**
 * The values of a facet by document: a forward index, built from posting lists. Documents with the same values share a
 * combination, so that a count by all values is one pass over the documents, with one addition each, and one over the
 * combinations. Combinations form a trie: each is another one with one value more.
 */
export class FacetColumn {
  private readonly names: readonly string[]
  /** The combination of each document; the first one is that of no values. */
  private readonly combinations: Uint16Array | Uint32Array
  /** Of each combination the one without its last value, which has a lower number, and the index of that value. */
  private readonly parents: Uint32Array
  private readonly values: Uint32Array
  /** How many of all documents have each value. */
  private readonly totals: Uint32Array

  /** @param docCount above all document numbers */
  constructor(lists: readonly (readonly [value: string, docs: Uint32Array])[], docCount: number) {
    this.names = lists.map(([value]) => value)
    const combinations = new Uint32Array(docCount)
    const parents = [0]
    const values = [0]
    lists.forEach(([, docs], value) => {
      // Values are added one after the other, so a combination is extended by this one at most once.
      const extended = new Map<number, number>()
      for (let i = 0; i < docs.length; i++) {
        const doc = docs[i] as number
        const parent = combinations[doc] as number
        let combination = extended.get(parent)
        if (combination === undefined) {
          combination = parents.length
          extended.set(parent, combination)
          parents.push(parent)
          values.push(value)
        }
        combinations[doc] = combination
      }
    })
    this.combinations = parents.length <= 0x1_0000 ? Uint16Array.from(combinations) : combinations
    this.parents = Uint32Array.from(parents)
    this.values = Uint32Array.from(values)
    const counts = new Uint32Array(parents.length)
    for (const combination of combinations) counts[combination] = (counts[combination] as number) + 1
    this.totals = this.sumValues(counts)
  }

  /** The memory that it takes, about. */
  get bytes(): number {
    return this.combinations.byteLength + 2 * this.parents.byteLength + 64 * this.names.length
  }

  /** How many of the documents have each value; values of none are left out. */
  count({ docs, isComplement }: CountedDocs): FacetCount[] {
    const sums = this.sumValues(countCombinations(this.combinations, this.parents.length, docs))
    if (isComplement) for (let i = 0; i < sums.length; i++) sums[i] = (this.totals[i] as number) - (sums[i] as number)
    return this.names.flatMap((value, i) => (sums[i] === 0 ? [] : { value, count: sums[i] as number }))
  }

  /** The counts of values from those of combinations, which are overwritten. */
  private sumValues(counts: Uint32Array): Uint32Array {
    const { names, parents, values } = this
    const sums = new Uint32Array(names.length)
    // Whoever has a combination has the one before it, too.
    for (let combination = parents.length - 1; combination > 0; combination--) {
      const count = counts[combination] as number
      if (count === 0) continue
      const value = values[combination] as number
      const parent = parents[combination] as number
      sums[value] = (sums[value] as number) + count
      counts[parent] = (counts[parent] as number) + count
    }
    return sums
  }
}

/** Documents to count by their values: those of a list, or all others. */
export interface CountedDocs {
  readonly docs: Uint32Array
  readonly isComplement: boolean
}

/** The documents of a set, or those that are not in it: whichever are fewer. The set may be overwritten. */
export function takeSmallerPart(bits: Bitset, count: number, docCount: number): CountedDocs {
  if (2 * count <= docCount) return { docs: listBits(bits, count), isComplement: false }
  for (let i = 0; i < bits.length; i++) bits[i] = ~(bits[i] as number)
  // Bits behind the last document are not reached: the list is full before.
  return { docs: listBits(bits, docCount - count), isComplement: true }
}

function countCombinations(combinations: Uint16Array | Uint32Array, size: number, docs: Uint32Array): Uint32Array {
  const counts = new Uint32Array(size)
  for (let i = 0; i < docs.length; i++) {
    const combination = combinations[docs[i] as number] as number
    counts[combination] = (counts[combination] as number) + 1
  }
  return counts
}
