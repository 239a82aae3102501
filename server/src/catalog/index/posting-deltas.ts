import type { Show } from '../../model/show.ts'
import type { UpdatableTable } from '../storage/environment.ts'
import { updatePostingList } from './postings.ts'
import { prefixSpellingKeys, SpellingDeltas, wordSpellingKeys } from './spelling-index.ts'
import {
  edgePrefixes,
  isTextTerm,
  type ShowTexts,
  showTerms,
  term,
  visitAttributeTerms,
  visitTextTerms,
} from './terms.ts'

/** Documents by term. */
export type DocsByTerm = Map<string, number[]>

/** The tables that are derived from terms. */
export interface TermTables {
  readonly postings: UpdatableTable<Buffer>
  readonly spellings: UpdatableTable<string>
}

/** Indexes the text terms of new documents outside this thread, if there are many of them. */
export interface TextIndex {
  /** Whether it indexes the documents of this transaction. If not, they have to be taken back. */
  readonly isUsed: boolean
  /** Begins a transaction. */
  begin(): void
  add(doc: number, texts: ShowTexts): void
  /** The documents that were added. */
  takeDocuments(): Iterable<readonly [doc: number, texts: ShowTexts]>
  /** Starts to update the posting lists of all text terms, with the changes of other documents. */
  startFlush(version: number, changes: TermChanges): void
  /** Waits for that, and writes the posting lists. Only within a write transaction. */
  finishFlush(tables: TermTables): void
}

/** Changes of posting lists that a transaction has collected, so that each list is written once. */
export class PostingDeltas {
  private readonly removed: DocsByTerm = new Map()
  private readonly added: DocsByTerm = new Map()
  /** The terms of new documents, without edge prefixes: these are derived when they are written. */
  private readonly newDocs = new PostingsAccumulator()
  private readonly textIndex: TextIndex | undefined

  /** @param textIndex gets the text terms of new documents */
  constructor(textIndex?: TextIndex) {
    this.textIndex = textIndex
    textIndex?.begin()
  }

  replaceDocument(doc: number, old: Show | undefined, show: Show): void {
    if (old === undefined) {
      visitAttributeTerms(show, (prefix, suffix) => this.newDocs.add(prefix, suffix, doc))
      if (show.deleted === true) return
      if (this.textIndex === undefined) this.addTexts(doc, show)
      else this.textIndex.add(doc, show)
      return
    }
    const before = showTerms(old)
    const after = showTerms(show)
    for (const name of before) if (!after.has(name)) addDoc(this.removed, name, doc)
    for (const name of after) if (!before.has(name)) addDoc(this.added, name, doc)
  }

  /** Adds the text terms of a new document. */
  addTexts(doc: number, texts: ShowTexts): void {
    visitTextTerms(texts, (prefix, suffix) => this.newDocs.add(prefix, suffix, doc))
  }

  /** Adds changes of terms, of which there are none yet. */
  addChanges({ removed, added }: TermChanges): void {
    for (const [name, docs] of removed) this.removed.set(name, docs)
    for (const [name, docs] of added) this.added.set(name, docs)
  }

  /** To be called before `flush`. Until then a text index does its work, so other work belongs in between. */
  startFlush(version: number): void {
    const { textIndex } = this
    if (textIndex === undefined) return
    if (textIndex.isUsed) {
      textIndex.startFlush(version, { removed: takeTextTerms(this.removed), added: takeTextTerms(this.added) })
    } else for (const [doc, texts] of textIndex.takeDocuments()) this.addTexts(doc, texts)
  }

  /** Writes all posting lists that change. Only within a write transaction. */
  flush(tables: TermTables, version: number): void {
    if (this.textIndex?.isUsed === true) this.textIndex.finishFlush(tables)
    const writer = new PostingDeltaWriter(tables, version, this.removed, this.added)
    const groups: [prefix: string, group: TermGroup][] = []
    for (const [prefix, group] of this.newDocs.groups()) {
      groups.push([prefix, group])
      const edges = edgePrefixes(prefix)
      for (let length = 1; length <= (edges?.maxLength ?? 0); length++) {
        groups.push([edges?.prefix as string, truncateGroup(group, length)])
      }
    }
    writer.writeGroups(groups)
    writer.finish()
  }
}

/** Terms that documents lost, and terms that they gained. */
export interface TermChanges {
  readonly removed: DocsByTerm
  readonly added: DocsByTerm
}

/** Removes the text terms from a map, and returns them. */
function takeTextTerms(terms: DocsByTerm): DocsByTerm {
  const taken: DocsByTerm = new Map()
  for (const [name, docs] of terms) {
    if (!isTextTerm(name)) continue
    taken.set(name, docs)
    terms.delete(name)
  }
  return taken
}

const WORD_PREFIX = term.titleWord('')
const EDGE_PREFIX = term.titleWordPrefix('')
const NONE: readonly number[] = []
const NO_DOCS = new Uint32Array(0)

function addDoc(terms: DocsByTerm, name: string, doc: number): void {
  const docs = terms.get(name)
  if (docs === undefined) terms.set(name, [doc])
  else docs.push(doc)
}

/** Writes posting lists: those of new documents group by group, each together with the deltas of other documents. */
class PostingDeltaWriter {
  private readonly tables: TermTables
  private readonly version: number
  private readonly removed: DocsByTerm
  private readonly added: DocsByTerm
  private readonly spellings = new SpellingDeltas()

  constructor(tables: TermTables, version: number, removed: DocsByTerm, added: DocsByTerm) {
    this.tables = tables
    this.version = version
    this.removed = removed
    this.added = added
  }

  /** Writes terms in ascending order: an empty table then gets full pages. */
  writeGroups(groups: readonly (readonly [prefix: string, group: TermGroup])[]): void {
    const terms = groups.flatMap(([prefix, group]) =>
      group.suffixes.map((suffix, i) => ({ name: prefix + suffix, group, i })),
    )
    terms.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const { name, group, i } of terms) this.write(name, group.docs.subarray(group.starts[i], group.ends[i]))
  }

  /** Writes the terms that no new document has, and the spelling index. */
  finish(): void {
    for (const name of [...new Set([...this.added.keys(), ...this.removed.keys()])].sort()) this.write(name, NO_DOCS)
    this.spellings.flush(this.tables.spellings)
  }

  private write(name: string, newDocs: Uint32Array): void {
    const removed = this.removed.get(name) ?? NONE
    const more = this.added.get(name)
    const added = more === undefined ? newDocs : concatDocs(more, newDocs)
    this.removed.delete(name)
    this.added.delete(name)
    const change = updatePostingList(this.tables.postings, name, removed, added, this.version)
    if (change === 0) return
    if (name.startsWith(WORD_PREFIX)) {
      const word = name.slice(WORD_PREFIX.length)
      this.spellings.add(word, wordSpellingKeys(word), change > 0)
    } else if (name.startsWith(EDGE_PREFIX)) {
      const edge = name.slice(EDGE_PREFIX.length)
      this.spellings.add(edge, prefixSpellingKeys(edge), change > 0)
    }
  }
}

function concatDocs(some: readonly number[], others: Uint32Array): Uint32Array {
  const all = new Uint32Array(some.length + others.length)
  all.set(some)
  all.set(others, some.length)
  return all
}

/**
 * Collects posting lists of new documents in memory, document by document. The lists of all terms share two arrays: each
 * pair of a term and a document links to the previous pair of its term.
 */
class PostingsAccumulator {
  /** Term ids by the two parts of a term: prefix, then suffix. */
  private readonly termIds = new Map<string, Map<string, number>>()
  private termCount = 0
  /** By term id: its last pair. */
  private lastPairs = new Uint32Array(1 << 12)
  /** By pair: its document, and the previous pair of its term. Pair 0 ends every chain. */
  private pairDocs = new Uint32Array(1 << 14)
  private previousPairs = new Uint32Array(1 << 14)
  private pairCount = 1

  /** Adds a document to a term, which is given in two parts. Documents come in ascending order. */
  add(prefix: string, suffix: string, doc: number): void {
    let terms = this.termIds.get(prefix)
    if (terms === undefined) {
      terms = new Map()
      this.termIds.set(prefix, terms)
    }
    const term = terms.get(suffix)
    if (term === undefined) {
      if (this.termCount === this.lastPairs.length) this.lastPairs = doubled(this.lastPairs)
      terms.set(suffix, this.termCount)
      this.lastPairs[this.termCount++] = this.addPair(doc, 0)
      return
    }
    const last = this.lastPairs[term] as number
    if (this.pairDocs[last] !== doc) this.lastPairs[term] = this.addPair(doc, last)
  }

  /** All terms in order, grouped by their prefix. */
  *groups(): Iterable<[prefix: string, group: TermGroup]> {
    const docs = new Uint32Array(this.pairCount)
    let end = 0
    for (const prefix of [...this.termIds.keys()].sort()) {
      const terms = this.termIds.get(prefix) as ReadonlyMap<string, number>
      const suffixes = [...terms.keys()].sort()
      const starts: number[] = []
      const ends: number[] = []
      for (const suffix of suffixes) {
        let pair = this.lastPairs[terms.get(suffix) as number] as number
        const start = end
        for (; pair > 0; pair = this.previousPairs[pair] as number) docs[end++] = this.pairDocs[pair] as number
        // The chain leads from the last document to the first. Bitmaps take ascending numbers fastest.
        reverse(docs, start, end)
        starts.push(start)
        ends.push(end)
      }
      yield [prefix, { suffixes, starts, ends, docs }]
    }
  }

  private addPair(doc: number, previous: number): number {
    if (this.pairCount === this.pairDocs.length) {
      this.pairDocs = doubled(this.pairDocs)
      this.previousPairs = doubled(this.previousPairs)
    }
    this.pairDocs[this.pairCount] = doc
    this.previousPairs[this.pairCount] = previous
    return this.pairCount++
  }
}

/**
 * Terms with one prefix, in order. The documents of term i are `docs` from `starts[i]` to `ends[i]`. They ascend, except
 * where terms were truncated to one.
 */
export interface TermGroup {
  readonly suffixes: readonly string[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly docs: Uint32Array
}

/** The terms of a group truncated to a length; shorter ones are left out. Those that become equal are adjacent. */
function truncateGroup({ suffixes, starts, ends, docs }: TermGroup, length: number): TermGroup {
  const truncated = { suffixes: [] as string[], starts: [] as number[], ends: [] as number[], docs }
  let last = -1
  for (let i = 0; i < suffixes.length; i++) {
    const suffix = suffixes[i] as string
    if (suffix.length < length) continue
    if (last < 0 || !suffix.startsWith(truncated.suffixes[last] as string)) {
      last = truncated.suffixes.push(suffix.slice(0, length)) - 1
      truncated.starts.push(starts[i] as number)
    }
    truncated.ends[last] = ends[i] as number
  }
  return truncated
}

function reverse(numbers: Uint32Array, start: number, end: number): void {
  for (let low = start, high = end - 1; low < high; low++, high--) {
    const swapped = numbers[low] as number
    numbers[low] = numbers[high] as number
    numbers[high] = swapped
  }
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(array.length * 2)
  copy.set(array)
  return copy
}
