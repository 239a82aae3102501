import type { Show } from '../../model/show.ts'
import type { Catalog, UncommittedTerms } from '../catalog.ts'
import { PostingsAccumulator, type TermGroup } from './postings-accumulator.ts'
import { indexedDeleteVariants } from './symmetric-delete.ts'
import { edgePrefixes, showTerms, term, visitTerms } from './terms.ts'

type DocsByTerm = Map<string, number[]>

/** What a batch does to the terms of its documents, gathered so that each term is written once. */
export class PostingDeltas implements UncommittedTerms {
  private readonly removed: DocsByTerm = new Map()
  private readonly added: DocsByTerm = new Map()
  /** Of documents that are new, but for the terms that follow from others. */
  private readonly newDocs = new PostingsAccumulator()

  replaceDocument(doc: number, old: Show | undefined, show: Show): void {
    if (old === undefined) {
      visitTerms(show, (prefix, rest) => this.newDocs.add(prefix, rest, doc))
      return
    }
    const before = showTerms(old)
    const after = showTerms(show)
    for (const name of before) if (!after.has(name)) addDoc(this.removed, name, doc)
    for (const name of after) if (!before.has(name)) addDoc(this.added, name, doc)
  }

  docsWithTitle(form: string): readonly number[] {
    const name = term.titleEqual(form)
    return [...(this.added.get(name) ?? NONE), ...this.newDocs.docs(TITLES, form)]
  }

  /** Writes all of it. Only within a write transaction. */
  flush(catalog: Catalog, version: number): void {
    const writing = new PostingDeltaWriter(catalog, version, this.removed, this.added)
    for (const [prefix, group] of this.newDocs.groups()) {
      writing.updateGroup(prefix, group)
      const beginnings = edgePrefixes(prefix)
      if (beginnings === undefined) continue
      for (let length = 1; length <= beginnings.longest; length++) {
        writing.updateGroup(beginnings.prefix, truncateGroup(group, length))
      }
    }
    writing.updateRest()
  }
}

const TITLES = term.titleEqual('')
const WORDS = term.titleWord('')
const NONE: readonly number[] = []

function addDoc(terms: DocsByTerm, name: string, doc: number): void {
  const docs = terms.get(name)
  if (docs === undefined) terms.set(name, [doc])
  else docs.push(doc)
}

/** The terms of a group cut to a length, as far as they have it. Those that become one stand next to each other. */
function truncateGroup({ suffixes, starts, ends, docs }: TermGroup, length: number): TermGroup {
  const short = { suffixes: [] as string[], starts: [] as number[], ends: [] as number[], docs }
  let last = -1
  for (let i = 0; i < suffixes.length; i++) {
    const rest = suffixes[i] as string
    if (rest.length < length) continue
    if (last < 0 || !rest.startsWith(short.suffixes[last] as string)) {
      last = short.suffixes.push(rest.slice(0, length)) - 1
      short.starts.push(starts[i] as number)
    }
    short.ends[last] = ends[i] as number
  }
  return short
}

/** Writes the differences of one batch: of new documents group by group, and with them what others lose and gain. */
class PostingDeltaWriter {
  private readonly catalog: Catalog
  private readonly version: number
  private readonly lost: DocsByTerm
  private readonly gained: DocsByTerm
  private readonly spellings = new SpellingDeltas()

  constructor(catalog: Catalog, version: number, lost: DocsByTerm, gained: DocsByTerm) {
    this.catalog = catalog
    this.version = version
    this.lost = lost
    this.gained = gained
  }

  updateGroup(prefix: string, { suffixes, starts, ends, docs }: TermGroup): void {
    for (let i = 0; i < suffixes.length; i++) this.update(prefix + suffixes[i], docs.subarray(starts[i], ends[i]))
  }

  /** Writes what no new document has a part in. */
  updateRest(): void {
    for (const name of [...new Set([...this.gained.keys(), ...this.lost.keys()])].sort()) this.update(name, NO_DOCS)
    this.spellings.write(this.catalog.environment.spellings)
  }

  private update(name: string, fresh: Uint32Array): void {
    const { lost, gained } = this
    const removed = lost.get(name) ?? NONE
    const more = gained.get(name)
    const added = more === undefined ? fresh : concatDocs(more, fresh)
    lost.delete(name)
    gained.delete(name)
    const fate = this.catalog.postings.update(name, removed, added, this.version)
    if (fate !== 0 && name.startsWith(WORDS)) this.spellings.add(name.slice(WORDS.length), fate > 0)
  }
}

const NO_DOCS = new Uint32Array(0)

function concatDocs(some: readonly number[], others: Uint32Array): Uint32Array {
  const all = new Uint32Array(some.length + others.length)
  all.set(some)
  all.set(others, some.length)
  return all
}

/** Words of titles that came into being or ceased to be, gathered by the forms that they are found under. */
class SpellingDeltas {
  private readonly byForm = new Map<string, [word: string, added: boolean][]>()

  add(word: string, added: boolean): void {
    for (const form of indexedDeleteVariants(word)) {
      const words = this.byForm.get(form)
      if (words === undefined) this.byForm.set(form, [[word, added]])
      else words.push([word, added])
    }
  }

  write(table: Catalog['environment']['spellings']): void {
    for (const form of [...this.byForm.keys()].sort()) {
      const words = new Set((table.get(form) as string | undefined)?.split(' ') ?? [])
      for (const [word, added] of this.byForm.get(form) as [string, boolean][]) {
        if (added) words.add(word)
        else words.delete(word)
      }
      if (words.size > 0) table.putSync(form, [...words].sort().join(' '))
      else table.removeSync(form)
    }
  }
}
