import type { Show } from '../../model/show.ts'
import type { Postings } from './postings.ts'
import { PostingsAccumulator, type TermGroup, truncateGroup } from './postings-accumulator.ts'
import { prefixSpellingKeys, SpellingDeltas, type SpellingIndex, wordSpellingKeys } from './spelling-index.ts'
import { edgePrefixes, showTerms, term, visitTerms } from './terms.ts'

type DocsByTerm = Map<string, number[]>

/** The indexes that are derived from terms. */
export interface TermIndexes {
  readonly postings: Postings
  readonly spellings: SpellingIndex
}

/** Changes of posting lists that a transaction has collected, so that each list is written once. */
export class PostingDeltas {
  private readonly removed: DocsByTerm = new Map()
  private readonly added: DocsByTerm = new Map()
  /** The terms of new documents, without edge prefixes: these are derived when they are written. */
  private readonly newDocs = new PostingsAccumulator()

  replaceDocument(doc: number, old: Show | undefined, show: Show): void {
    if (old === undefined) {
      visitTerms(show, (prefix, suffix) => this.newDocs.add(prefix, suffix, doc))
      return
    }
    const before = showTerms(old)
    const after = showTerms(show)
    for (const name of before) if (!after.has(name)) addDoc(this.removed, name, doc)
    for (const name of after) if (!before.has(name)) addDoc(this.added, name, doc)
  }

  /** The documents that got a title in this transaction. */
  docsWithTitle(variant: string): readonly number[] {
    const name = term.titleEqual(variant)
    return [...(this.added.get(name) ?? NONE), ...this.newDocs.docs(TITLE_PREFIX, variant)]
  }

  /** Writes all posting lists that change. Only within a write transaction. */
  flush(indexes: TermIndexes, version: number): void {
    const writer = new PostingDeltaWriter(indexes, version, this.removed, this.added)
    for (const [prefix, group] of this.newDocs.groups()) {
      writer.writeGroup(prefix, group)
      const edges = edgePrefixes(prefix)
      if (edges === undefined) continue
      for (let length = 1; length <= edges.maxLength; length++) {
        writer.writeGroup(edges.prefix, truncateGroup(group, length))
      }
    }
    writer.finish()
  }
}

const TITLE_PREFIX = term.titleEqual('')
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
  private readonly indexes: TermIndexes
  private readonly version: number
  private readonly removed: DocsByTerm
  private readonly added: DocsByTerm
  private readonly spellings = new SpellingDeltas()

  constructor(indexes: TermIndexes, version: number, removed: DocsByTerm, added: DocsByTerm) {
    this.indexes = indexes
    this.version = version
    this.removed = removed
    this.added = added
  }

  writeGroup(prefix: string, { suffixes, starts, ends, docs }: TermGroup): void {
    for (let i = 0; i < suffixes.length; i++) this.write(prefix + suffixes[i], docs.subarray(starts[i], ends[i]))
  }

  /** Writes the terms that no new document has, and the spelling index. */
  finish(): void {
    for (const name of [...new Set([...this.added.keys(), ...this.removed.keys()])].sort()) this.write(name, NO_DOCS)
    this.spellings.flush(this.indexes.spellings)
  }

  private write(name: string, newDocs: Uint32Array): void {
    const removed = this.removed.get(name) ?? NONE
    const more = this.added.get(name)
    const added = more === undefined ? newDocs : concatDocs(more, newDocs)
    this.removed.delete(name)
    this.added.delete(name)
    const change = this.indexes.postings.update(name, removed, added, this.version)
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
