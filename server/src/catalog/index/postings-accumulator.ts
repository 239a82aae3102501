/** Documents by term, gathered in the order of documents: each term is a chain through one long list of pairs. */
export class PostingsAccumulator {
  private readonly byPrefix = new Map<string, Map<string, number>>()
  /** Of each term, where its last pair stands. */
  private lastPairs = new Uint32Array(1 << 12)
  private termCount = 0
  /** Of each pair, its document and where the pair before it of the same term stands. Place 0 ends every chain. */
  private pairDocs = new Uint32Array(1 << 14)
  private previousPairs = new Uint32Array(1 << 14)
  private pairCount = 1

  /** Notes that a document has a term, whose name is given in two parts. */
  add(prefix: string, rest: string, doc: number): void {
    let terms = this.byPrefix.get(prefix)
    if (terms === undefined) {
      terms = new Map()
      this.byPrefix.set(prefix, terms)
    }
    const known = terms.get(rest)
    if (known === undefined) {
      if (this.termCount === this.lastPairs.length) this.lastPairs = doubled(this.lastPairs)
      terms.set(rest, this.termCount)
      this.lastPairs[this.termCount++] = this.put(doc, 0)
      return
    }
    const last = this.lastPairs[known] as number
    if (this.pairDocs[last] !== doc) this.lastPairs[known] = this.put(doc, last)
  }

  /** The documents of a term, the last one first. */
  *docs(prefix: string, rest: string): Iterable<number> {
    const term = this.byPrefix.get(prefix)?.get(rest)
    if (term === undefined) return
    for (let at = this.lastPairs[term] as number; at > 0; at = this.previousPairs[at] as number)
      yield this.pairDocs[at] as number
  }

  /** The terms by the first part of their names, in order. */
  *groups(): Iterable<[prefix: string, group: TermGroup]> {
    const docs = new Uint32Array(this.pairCount)
    let end = 0
    for (const prefix of [...this.byPrefix.keys()].sort()) {
      const terms = this.byPrefix.get(prefix) as ReadonlyMap<string, number>
      const suffixes = [...terms.keys()].sort()
      const starts: number[] = []
      const ends: number[] = []
      for (const rest of suffixes) {
        starts.push(end)
        let at = this.lastPairs[terms.get(rest) as number] as number
        for (; at > 0; at = this.previousPairs[at] as number) docs[end++] = this.pairDocs[at] as number
        ends.push(end)
      }
      yield [prefix, { suffixes, starts, ends, docs }]
    }
  }

  private put(doc: number, before: number): number {
    if (this.pairCount === this.pairDocs.length) {
      this.pairDocs = doubled(this.pairDocs)
      this.previousPairs = doubled(this.previousPairs)
    }
    this.pairDocs[this.pairCount] = doc
    this.previousPairs[this.pairCount] = before
    return this.pairCount++
  }
}

/** Terms whose names begin alike, in order, and their documents, one term's behind the other's, the last one first. */
export interface TermGroup {
  /** What the names end with. */
  readonly suffixes: readonly string[]
  /** Where among all documents those of each term start and end. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly docs: Uint32Array
}

function doubled(list: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(list.length * 2)
  copy.set(list)
  return copy
}
