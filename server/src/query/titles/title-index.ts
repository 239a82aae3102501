import type { Catalog } from '../../catalog/catalog.ts'
import { isSimilar, isSimilarPrefix } from '../../catalog/index/spelling-index.ts'
import { term } from '../../catalog/index/terms.ts'
import { spanOfOpenSyllable } from '../../catalog/text/hangul.ts'
import { misspeltStarts } from '../misspelt-starts.ts'
import type { PhraseMatcher } from './phrase-matcher.ts'
import { expandAbbreviations } from './readings.ts'
import { buildPhrase, type TitlePhrase } from './title-phrase.ts'

/** The most titles with a prefix that are scanned. Beyond that, a shorter prefix with a list of its own has to do. */
export const MAX_SCANNED_TITLES = 256

/** The shortest and the longest start of a title by which similar titles are looked for. */
const MIN_START_LENGTH = 4
const MAX_START_LENGTH = 12

/** A part of a phrase that is shorter is not taken for a title. */
const MIN_TITLE_WITHIN = 4

/** The most words of such a part, and the words of the phrase after which none is looked for. */
const MAX_WITHIN_WORDS = 8
const MAX_WITHIN_START = 16

/** The letters of a key among which one may be wrong, and how long the start is by then, so that few titles have it. */
const MISSPELT_LENGTH = 4
const MISSPELT_START_LENGTH = 8

/** Shorter and longer keys are not looked up by other starts: a short one has other ways to be found, and few titles are as long. */
const MISSPELT_KEY = /^[a-z0-9]{7,64}$/

const TITLE_TERM = term.titleEqual('')

/** Finds documents by their titles as a whole: by keys, which have no spaces, and by what keys start with. */
export class TitleIndex {
  private readonly catalog: Catalog
  private readonly version: number

  constructor(catalog: Catalog, version: number) {
    this.catalog = catalog
    this.version = version
  }

  docsWithTerm(name: string): Uint32Array {
    return this.catalog.postings.list(name, this.version).toDocs()
  }

  /** Documents with a title that equals one of the keys. */
  equalDocs(keys: readonly string[]): number[] {
    const docs: number[] = []
    for (const key of keys) pushAll(docs, this.docsWithTerm(term.titleEqual(key)))
    return docs
  }

  /** Whether a title equals the words, or what they abbreviate, but for an article or a year. */
  hasEqual(words: readonly string[]): boolean {
    return [words, expandAbbreviations(words) ?? []].some((one) => {
      if (one.length === 0) return false
      const phrase = buildPhrase(one)
      return this.equalDocs(phrase.keys).length > 0 || this.equalButForArticleOrYear(phrase).length > 0
    })
  }

  /** Documents with a title that equals the phrase but for a leading article, or a trailing year that is the show's. */
  equalButForArticleOrYear({ keys, strippedKeys, trailingYear }: TitlePhrase): number[] {
    const docs = this.equalDocs(strippedKeys)
    for (const key of keys) pushAll(docs, this.docsWithTerm(term.titleStripped(key)))
    for (const key of strippedKeys) pushAll(docs, this.docsWithTerm(term.titleStripped(key)))
    if (trailingYear === undefined) return docs
    const ofYear = this.catalog.postings.list(term.year(trailingYear.year), this.version)
    const yearless = this.equalDocs(trailingYear.keys)
    for (const key of trailingYear.keys) pushAll(yearless, this.docsWithTerm(term.titleStripped(key)))
    pushAll(
      docs,
      yearless.filter((doc) => ofYear.has(doc)),
    )
    return docs
  }

  /** Documents with a title that starts with the phrase after its article. Finds unfinished words written together. */
  startsButForArticle({ keys }: TitlePhrase): number[] {
    const docs: number[] = []
    for (const key of keys) {
      const lists = this.catalog.postings.listsWithPrefix(term.titleStripped(key), MAX_SCANNED_TITLES) ?? []
      for (const list of lists) pushAll(docs, list.toDocs())
    }
    return docs
  }

  /** Documents with a title that starts with a phrase whose last Korean syllable is still being typed. */
  startsWithOpenSyllable({ keys }: TitlePhrase): number[] {
    const docs: number[] = []
    for (const key of keys) {
      const span = spanOfOpenSyllable(key)
      if (span === undefined) continue
      const [first, last] = span.map(term.titleEqual) as [string, string]
      const lists = this.catalog.postings.listsBetween(first, last, MAX_SCANNED_TITLES) ?? []
      for (const list of lists) pushAll(docs, list.toDocs())
    }
    return docs
  }

  /**
   * Titles that are equal to a part of the words, by what the words of the part weigh, longer parts first. A part that has a word
   * that no title has cannot be one, but for a word that may be a title written together.
   */
  titlesWithin(words: readonly string[], matcher: PhraseMatcher): Map<number, number[]> {
    const groups = new Map<number, number[]>()
    for (let length = Math.min(words.length - 1, MAX_WITHIN_WORDS); length > 0; length--) {
      for (let start = 0; start + length <= Math.min(words.length, MAX_WITHIN_START); start++) {
        const part = words.slice(start, start + length)
        if (part.join('').length < MIN_TITLE_WITHIN) continue
        const phrase = buildPhrase(part)
        const weight = matcher.weightOf(phrase)
        if (weight === undefined && length > 1) continue
        const docs = [...this.equalDocs(phrase.keys), ...this.equalButForArticleOrYear(phrase)]
        if (docs.length > 0) pushAll(getGroup(groups, weight ?? 0), docs)
      }
    }
    return groups
  }

  /**
   * Documents with a title that is written like the phrase but for typing errors. Keys have no spaces, so it does not matter
   * between which words they are, or whether words are joined or split. The first letters must be right, but for a phrase of one
   * word, which may be a title written together: there, one of them may be wrong, and if no title is equal, one that starts so does.
   */
  similarDocs({ keys, words }: TitlePhrase): number[] {
    const equal: number[] = []
    const started: number[] = []
    const isJoined = words.length === 1
    const compare = (key: string, names: Iterable<string>) => {
      for (const name of names) {
        const title = name.slice(TITLE_TERM.length)
        if (isSimilar(key, title)) pushAll(equal, this.docsWithTerm(name))
        else if (isJoined && isSimilarPrefix(key, title)) pushAll(started, this.docsWithTerm(name))
      }
    }
    for (const key of keys) compare(key, this.titlesWithStart(key))
    if (isJoined && equal.length + started.length === 0) {
      for (const key of keys) {
        if (!MISSPELT_KEY.test(key)) continue
        // Delete variants would take one look-up for most of the starts, but only words are indexed by them.
        const typed = key.slice(0, MISSPELT_START_LENGTH)
        for (const start of misspeltStarts(key, MISSPELT_LENGTH, MISSPELT_START_LENGTH)) {
          if (start !== typed)
            compare(key, this.catalog.postings.termsWithPrefix(TITLE_TERM + start, MAX_SCANNED_TITLES))
        }
      }
    }
    return equal.length > 0 ? equal : started
  }

  /** The terms of titles with the start of a key, the shortest one that few have. */
  private titlesWithStart(key: string): readonly string[] {
    for (let length = MIN_START_LENGTH; length < Math.min(key.length, MAX_START_LENGTH + 1); length++) {
      const start = TITLE_TERM + key.slice(0, length)
      const names = [...this.catalog.postings.termsWithPrefix(start, MAX_SCANNED_TITLES + 1)]
      if (names.length <= MAX_SCANNED_TITLES) return names
    }
    return []
  }
}

function getGroup(groups: Map<number, number[]>, weight: number): number[] {
  const group = groups.get(weight) ?? []
  groups.set(weight, group)
  return group
}

/** Adds documents to a list, one by one: there may be more than a call can have arguments. */
export function pushAll(list: number[], docs: ArrayLike<number>): void {
  for (let i = 0; i < docs.length; i++) list.push(docs[i] as number)
}
