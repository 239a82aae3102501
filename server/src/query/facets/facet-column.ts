/** A value, and how many shows have it. Keys in this order. */
export interface FacetCount {
  readonly value: string
  readonly count: number
}

/** Up to this many values a document has one array each. */
const MAX_LAYERS = 4

/**
 * The values of a facet by document: a forward index, built from posting lists. To count by all values is one pass over the
 * documents, where an intersection for each value reads the set as often as there are values.
 */
export class FacetColumn {
  private readonly names: readonly string[]
  /** Where the values of each document start in `values`; those of the last one end at the last start. */
  private readonly starts: Uint32Array
  /** Indexes of names, plus 1. */
  private readonly values: Uint16Array
  /** The first, second, … values of all documents, 0 where there is none; empty if some document has too many. */
  private readonly layers: readonly Uint16Array[]

  /** @param docCount above all document numbers */
  constructor(lists: readonly (readonly [value: string, docs: Uint32Array])[], docCount: number) {
    this.names = lists.map(([value]) => value)
    const counts = new Uint32Array(docCount)
    let total = 0
    let most = 0
    for (const [, docs] of lists) {
      total += docs.length
      for (let i = 0; i < docs.length; i++) {
        const doc = docs[i] as number
        const count = (counts[doc] as number) + 1
        counts[doc] = count
        if (count > most) most = count
      }
    }
    counts.fill(0)
    if (most <= MAX_LAYERS) {
      const layers = Array.from({ length: most }, () => new Uint16Array(docCount))
      lists.forEach(([, docs], index) => {
        for (let i = 0; i < docs.length; i++) {
          const doc = docs[i] as number
          const layer = layers[counts[doc] as number] as Uint16Array
          layer[doc] = index + 1
          counts[doc] = (counts[doc] as number) + 1
        }
      })
      this.layers = layers
      this.starts = new Uint32Array(0)
      this.values = new Uint16Array(0)
      return
    }
    this.layers = []
    this.starts = new Uint32Array(docCount + 1)
    for (const [, docs] of lists) {
      for (let i = 0; i < docs.length; i++) {
        const next = (docs[i] as number) + 1
        this.starts[next] = (this.starts[next] as number) + 1
      }
    }
    for (let doc = 0; doc < docCount; doc++) {
      this.starts[doc + 1] = (this.starts[doc + 1] as number) + (this.starts[doc] as number)
    }
    this.values = new Uint16Array(total)
    lists.forEach(([, docs], index) => {
      for (let i = 0; i < docs.length; i++) {
        const doc = docs[i] as number
        this.values[(this.starts[doc] as number) + (counts[doc] as number)] = index + 1
        counts[doc] = (counts[doc] as number) + 1
      }
    })
  }

  /** The memory that it takes, about. */
  get bytes(): number {
    const layers = this.layers.reduce((sum, { byteLength }) => sum + byteLength, 0)
    return layers + this.starts.byteLength + this.values.byteLength + 64 * this.names.length
  }

  /** How many of the documents have each value; values of none are left out. */
  count(docs: Uint32Array): FacetCount[] {
    // The first number counts absent values.
    const counts = new Uint32Array(this.names.length + 1)
    for (const layer of this.layers) addLayer(counts, layer, docs)
    if (this.values.length > 0) addSlices(counts, this.starts, this.values, docs)
    return this.names.flatMap((value, i) => (counts[i + 1] === 0 ? [] : { value, count: counts[i + 1] as number }))
  }
}

function addLayer(counts: Uint32Array, layer: Uint16Array, docs: Uint32Array): void {
  for (let i = 0; i < docs.length; i++) {
    const value = layer[docs[i] as number] as number
    counts[value] = (counts[value] as number) + 1
  }
}

function addSlices(counts: Uint32Array, starts: Uint32Array, values: Uint16Array, docs: Uint32Array): void {
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] as number
    const end = starts[doc + 1] as number
    for (let at = starts[doc] as number; at < end; at++) {
      const value = values[at] as number
      counts[value] = (counts[value] as number) + 1
    }
  }
}
