import type { Show } from '../model/show.ts'
import type { Catalog, PendingTerms } from './catalog.ts'
import { GatheredDocs, type TermGroup } from './gathered-docs.ts'
import { storedForms } from './spelling.ts'
import { beginningsOf, term, termsOf, visitTerms } from './terms.ts'

type DocsByTerm = Map<string, number[]>

/** What a batch does to the terms of its documents, gathered so that each term is written once. */
export class TermDifferences implements PendingTerms {
  private readonly lost: DocsByTerm = new Map()
  private readonly gained: DocsByTerm = new Map()
  /** Of documents that are new, but for the terms that follow from others. */
  private readonly fresh = new GatheredDocs()

  replace(doc: number, old: Show | undefined, show: Show): void {
    if (old === undefined) {
      visitTerms(show, (prefix, rest) => this.fresh.add(prefix, rest, doc))
      return
    }
    const before = termsOf(old)
    const after = termsOf(show)
    for (const name of before) if (!after.has(name)) put(this.lost, name, doc)
    for (const name of after) if (!before.has(name)) put(this.gained, name, doc)
  }

  titled(form: string): readonly number[] {
    const name = term.titleEqual(form)
    return [...(this.gained.get(name) ?? NONE), ...this.fresh.of(TITLES, form)]
  }

  /** Writes all of it. Only within a write transaction. */
  write(catalog: Catalog, version: number): void {
    const writing = new TermWriting(catalog, version, this.lost, this.gained)
    for (const [prefix, group] of this.fresh.groups()) {
      writing.updateGroup(prefix, group)
      const beginnings = beginningsOf(prefix)
      if (beginnings === undefined) continue
      for (let length = 1; length <= beginnings.longest; length++) {
        writing.updateGroup(beginnings.prefix, shortened(group, length))
      }
    }
    writing.updateRest()
  }
}

const TITLES = term.titleEqual('')
const WORDS = term.titleWord('')
const NONE: readonly number[] = []

function put(terms: DocsByTerm, name: string, doc: number): void {
  const docs = terms.get(name)
  if (docs === undefined) terms.set(name, [doc])
  else docs.push(doc)
}

/** The terms of a group cut to a length, as far as they have it. Those that become one stand next to each other. */
function shortened({ rests, starts, ends, docs }: TermGroup, length: number): TermGroup {
  const short = { rests: [] as string[], starts: [] as number[], ends: [] as number[], docs }
  let last = -1
  for (let i = 0; i < rests.length; i++) {
    const rest = rests[i] as string
    if (rest.length < length) continue
    if (last < 0 || !rest.startsWith(short.rests[last] as string)) {
      last = short.rests.push(rest.slice(0, length)) - 1
      short.starts.push(starts[i] as number)
    }
    short.ends[last] = ends[i] as number
  }
  return short
}

/** Writes the differences of one batch: of new documents group by group, and with them what others lose and gain. */
class TermWriting {
  private readonly catalog: Catalog
  private readonly version: number
  private readonly lost: DocsByTerm
  private readonly gained: DocsByTerm
  private readonly spellings = new SpellingDifferences()

  constructor(catalog: Catalog, version: number, lost: DocsByTerm, gained: DocsByTerm) {
    this.catalog = catalog
    this.version = version
    this.lost = lost
    this.gained = gained
  }

  updateGroup(prefix: string, { rests, starts, ends, docs }: TermGroup): void {
    for (let i = 0; i < rests.length; i++) this.update(prefix + rests[i], docs.subarray(starts[i], ends[i]))
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
    const added = more === undefined ? fresh : joined(more, fresh)
    lost.delete(name)
    gained.delete(name)
    const fate = this.catalog.postings.update(name, removed, added, this.version)
    if (fate !== 0 && name.startsWith(WORDS)) this.spellings.take(name.slice(WORDS.length), fate > 0)
  }
}

const NO_DOCS = new Uint32Array(0)

function joined(some: readonly number[], others: Uint32Array): Uint32Array {
  const all = new Uint32Array(some.length + others.length)
  all.set(some)
  all.set(others, some.length)
  return all
}

/** Words of titles that came into being or ceased to be, gathered by the forms that they are found under. */
class SpellingDifferences {
  private readonly byForm = new Map<string, [word: string, added: boolean][]>()

  take(word: string, added: boolean): void {
    for (const form of storedForms(word)) {
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
