/** Documents by term, gathered in the order of documents: each term is a chain through one long list of pairs. */
export class GatheredDocs {
  private readonly byPrefix = new Map<string, Map<string, number>>()
  /** Of each term, where its last pair stands. */
  private lasts = new Uint32Array(1 << 12)
  private terms = 0
  /** Of each pair, its document and where the pair before it of the same term stands. Place 0 ends every chain. */
  private docs = new Uint32Array(1 << 14)
  private befores = new Uint32Array(1 << 14)
  private pairs = 1

  /** Notes that a document has a term, whose name is given in two parts. */
  add(prefix: string, rest: string, doc: number): void {
    let terms = this.byPrefix.get(prefix)
    if (terms === undefined) {
      terms = new Map()
      this.byPrefix.set(prefix, terms)
    }
    const known = terms.get(rest)
    if (known === undefined) {
      if (this.terms === this.lasts.length) this.lasts = larger(this.lasts)
      terms.set(rest, this.terms)
      this.lasts[this.terms++] = this.put(doc, 0)
      return
    }
    const last = this.lasts[known] as number
    if (this.docs[last] !== doc) this.lasts[known] = this.put(doc, last)
  }

  /** The documents of a term, the last one first. */
  *of(prefix: string, rest: string): Iterable<number> {
    const term = this.byPrefix.get(prefix)?.get(rest)
    if (term === undefined) return
    for (let at = this.lasts[term] as number; at > 0; at = this.befores[at] as number) yield this.docs[at] as number
  }

  /** The terms by the first part of their names, in order. */
  *groups(): Iterable<[prefix: string, group: TermGroup]> {
    const docs = new Uint32Array(this.pairs)
    let end = 0
    for (const prefix of [...this.byPrefix.keys()].sort()) {
      const terms = this.byPrefix.get(prefix) as ReadonlyMap<string, number>
      const rests = [...terms.keys()].sort()
      const starts: number[] = []
      const ends: number[] = []
      for (const rest of rests) {
        starts.push(end)
        let at = this.lasts[terms.get(rest) as number] as number
        for (; at > 0; at = this.befores[at] as number) docs[end++] = this.docs[at] as number
        ends.push(end)
      }
      yield [prefix, { rests, starts, ends, docs }]
    }
  }

  private put(doc: number, before: number): number {
    if (this.pairs === this.docs.length) {
      this.docs = larger(this.docs)
      this.befores = larger(this.befores)
    }
    this.docs[this.pairs] = doc
    this.befores[this.pairs] = before
    return this.pairs++
  }
}

/** Terms whose names begin alike, in order, and their documents, one term's behind the other's, the last one first. */
export interface TermGroup {
  /** What the names end with. */
  readonly rests: readonly string[]
  /** Where among all documents those of each term start and end. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly docs: Uint32Array
}

function larger(list: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(list.length * 2)
  copy.set(list)
  return copy
}
