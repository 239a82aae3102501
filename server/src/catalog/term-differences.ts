import type { Show } from '../model/show.ts'
import type { Catalog, PendingTerms } from './catalog.ts'
import { storedForms } from './spelling.ts'
import { term, termsOf, visitPrefixesOf, visitTerms } from './terms.ts'

type DocsByTerm = Map<string, number[]>

/** What a batch does to the terms of its documents, gathered so that each term is written once. */
export class TermDifferences implements PendingTerms {
  private readonly lost: DocsByTerm = new Map()
  private readonly gained: DocsByTerm = new Map()
  /** Of documents that are new: by the first part of the terms' names, then by the rest. */
  private readonly fresh = new Map<string, DocsByTerm>()

  replace(doc: number, old: Show | undefined, show: Show): void {
    if (old === undefined) {
      visitTerms(show, (prefix, rest) => {
        let terms = this.fresh.get(prefix)
        if (terms === undefined) {
          terms = new Map()
          this.fresh.set(prefix, terms)
        }
        put(terms, rest, doc)
      })
      return
    }
    const before = termsOf(old)
    const after = termsOf(show)
    for (const name of before) if (!after.has(name)) put(this.lost, name, doc)
    for (const name of after) if (!before.has(name)) put(this.gained, name, doc)
  }

  /** The documents that have got a term so far. */
  added(name: string): readonly number[] {
    const docs = [...(this.gained.get(name) ?? NONE)]
    for (const [prefix, terms] of this.fresh) {
      if (name.startsWith(prefix)) docs.push(...(terms.get(name.slice(prefix.length)) ?? NONE))
    }
    return docs
  }

  /** Writes all of it. Only within a write transaction. */
  write(catalog: Catalog, version: number): void {
    this.takeFresh()
    const { postings, environment } = catalog
    const spellings = new SpellingDifferences()
    const wordPrefix = term.titleWord('')
    for (const name of [...new Set([...this.gained.keys(), ...this.lost.keys()])].sort()) {
      const fate = postings.update(name, this.lost.get(name) ?? NONE, this.gained.get(name) ?? NONE, version)
      if (fate !== 0 && name.startsWith(wordPrefix)) spellings.take(name.slice(wordPrefix.length), fate > 0)
    }
    spellings.write(environment.spellings)
  }

  /** New documents have the terms that follow from others once for each word or title, however many have it. */
  private takeFresh(): void {
    for (const [prefix, terms] of this.fresh) {
      for (const [rest, docs] of terms) {
        const name = prefix + rest
        putAll(this.gained, name, docs)
        visitPrefixesOf(name, (first, second) => putAll(this.gained, first + second, docs))
      }
    }
    this.fresh.clear()
  }
}

const NONE: readonly number[] = []

function put(terms: DocsByTerm, name: string, doc: number): void {
  const docs = terms.get(name)
  if (docs === undefined) terms.set(name, [doc])
  else if (docs[docs.length - 1] !== doc) docs.push(doc)
}

function putAll(terms: DocsByTerm, name: string, docs: readonly number[]): void {
  const known = terms.get(name)
  if (known === undefined) terms.set(name, [...docs])
  else for (const doc of docs) known.push(doc)
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
