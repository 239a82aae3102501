import type { Catalog } from '../catalog/catalog.ts'
import { OfferReader } from '../catalog/documents/offers-codec.ts'
import { tokenize } from '../catalog/index/analyzer.ts'
import { PostingList } from '../catalog/index/postings.ts'
import { nameWords, ORIGINAL, term, truncateWord } from '../catalog/index/terms.ts'
import { column } from '../catalog/show-columns.ts'
import { countBits, hasBit, wordCount } from '../lib/bitset/bitset.ts'
import { DEFAULT_LANGUAGE } from '../model/language.ts'
import type { Show } from '../model/show.ts'
import type { BitsetFilter } from './filters/bitset-filter.ts'
import type { SimilarQuery } from './queries.ts'

/** The most shows that are returned. */
export const MAX_SIMILAR = 20

/** How much each signal counts. A rare value counts up to this, a common one less (inverse document frequency). */
const WEIGHTS = {
  director: 5,
  cast: 3,
  titleWord: 6,
  word: 1.5,
  /** For all genres together. */
  genres: 6,
  language: 2,
  showType: 2,
  service: 1,
  years: 1.5,
  popularity: 1,
  rating: 1,
} as const

/** A word of a text that more shows have says little, and one of the title less still. */
const MAX_WORD_SHARE = 0.01
const MAX_TITLE_WORD_SHARE = 0.001
const MIN_MAX_SHOWS = 25

/** Shorter words are mostly function words, in most languages. */
const MIN_WORD_LENGTH = 4

/** Cast members and words that are looked up. */
const MAX_CAST = 10
const MAX_WORDS = 40

/** The most popular shows of a country that are looked at for the genres, and how many of them become candidates. */
const MAX_SCANNED = 2_000
const MAX_POPULAR = 150

/** From so many countries as many candidates come as from each; more share these limits, so that the time stays the same. */
const MAX_FULLY_SCANNED = 3

/** The candidates whose facts are read. */
const MAX_READ = 80

/** Years apart at which two shows are no longer of one time. */
const MAX_YEARS_APART = 12

/**
 * The shows of a filter that resemble one: by people, words of titles and texts, genres, original language, type, services
 * in the countries, years, popularity and rating. Candidates are the shows that share a person or a rare word, and popular
 * ones of its genres in each country; the best by posting lists are then compared by their facts. Equal ones are in the
 * order of their ids. The order of the countries makes no difference.
 */
export function findSimilar(
  catalog: Catalog,
  allowed: BitsetFilter,
  doc: number,
  { countries, limit }: Pick<SimilarQuery, 'countries' | 'limit'>,
): number[] {
  const show = catalog.documents.identityOutline(doc)
  if (show === undefined) return []
  const scorer = new Scorer(catalog, allowed, doc)
  scorer.addPeople(show)
  scorer.addWords(show, catalog.documents.overview(doc))
  scorer.addPopular(show, countries)
  scorer.addTraits(show, countries)
  return scorer
    .best(MAX_READ)
    .map(([candidate, score]) => compareFacts(catalog, show, countries, candidate, score))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map(({ doc }) => doc)
}

/** Documents that candidates are tested with. */
type TestedList = Pick<PostingList, 'size' | 'has'>

/** Adds up the scores of candidates by posting lists. */
class Scorer {
  private readonly catalog: Catalog
  private readonly allowed: BitsetFilter
  private readonly doc: number
  private readonly version: number
  private readonly total: number
  private readonly scores = new Map<number, number>()

  constructor(catalog: Catalog, allowed: BitsetFilter, doc: number) {
    this.catalog = catalog
    this.allowed = allowed
    this.doc = doc
    this.version = catalog.version()
    this.total = Math.max(2, catalog.counts().shows)
  }

  addPeople({ cast, directors = [], creators = [] }: Show): void {
    const seen = new Set<string>()
    const add = (names: readonly string[], weight: number) => {
      for (const name of names) {
        const words = nameWords(name)
        const key = words.join(' ')
        if (words.length === 0 || seen.has(key)) continue
        seen.add(key)
        const docs = this.docsWithAll(words.map(term.person))
        this.addDocs(docs, weight, docs.length)
      }
    }
    add([...directors, ...creators], WEIGHTS.director)
    add(cast.slice(0, MAX_CAST), WEIGHTS.cast)
  }

  addWords({ title, originalTitle }: Show, overview: string): void {
    const maxShows = Math.max(MIN_MAX_SHOWS, MAX_WORD_SHARE * this.total)
    const maxTitleShows = Math.max(MIN_MAX_SHOWS, MAX_TITLE_WORD_SHARE * this.total)
    const isContent = (word: string) => word.length >= MIN_WORD_LENGTH
    for (const word of new Set([...tokenize(title), ...tokenize(originalTitle)].filter(isContent))) {
      const { size, docs } = this.list(term.titleWord(truncateWord(word)))
      if (docs !== undefined && size <= maxTitleShows) this.addDocs(docs, WEIGHTS.titleWord, size)
    }
    for (const word of [...new Set(tokenize(overview).filter(isContent))].slice(0, MAX_WORDS)) {
      // English texts are under the original language where that is English.
      const original = this.list(term.keyword(ORIGINAL, truncateWord(word)))
      if (original.size > maxShows) continue
      const english = this.list(term.keyword(DEFAULT_LANGUAGE, truncateWord(word)))
      const size = original.size + english.size
      if (size > maxShows) continue
      for (const list of [original, english]) this.addDocs(list.toDocs(), WEIGHTS.word, size)
    }
  }

  /** Makes popular shows of each country candidates that have most of the genres. */
  addPopular({ genres }: Show, countries: readonly string[]): void {
    const lists = genres.map((genre) => this.list(term.genre(genre)))
    const share = Math.min(1, MAX_FULLY_SCANNED / countries.length)
    for (const country of countries) {
      this.addPopularIn(country, lists, Math.ceil(MAX_SCANNED * share), Math.ceil(MAX_POPULAR * share))
    }
  }

  /** The candidates of one country do not depend on those of the others. */
  private addPopularIn(country: string, lists: readonly PostingList[], maxScanned: number, maxFound: number): void {
    const needed = Math.ceil(lists.length / 2)
    const cursor = this.catalog.openCursor(column.popularity('alltime', country), this.version, 'desc')
    let found = 0
    for (let scanned = 0; scanned < maxScanned && found < maxFound && cursor.next(); scanned++) {
      const { doc } = cursor
      if (doc === this.doc || !this.allowed.has(doc)) continue
      let shared = 0
      for (const list of lists) if (list.has(doc)) shared++
      if (shared < needed) continue
      found++
      if (!this.scores.has(doc)) this.scores.set(doc, 0)
    }
  }

  /** Adds to the candidates what they share with the show and thousands of others. */
  addTraits(show: Show, countries: readonly string[]): void {
    const { genres, originalLanguage, showType } = show
    const lists = genres.map((genre) => this.list(term.genre(genre)))
    const rarities = lists.map(({ size }) => this.rarity(size))
    const sum = rarities.reduce((total, rarity) => total + rarity, 0)
    lists.forEach((list, i) => {
      this.addToCandidates(list, (WEIGHTS.genres * (rarities[i] as number)) / sum)
    })
    if (originalLanguage !== undefined) {
      const list = this.list(term.originalLanguage(originalLanguage))
      this.addToCandidates(list, WEIGHTS.language * this.rarity(list.size))
    }
    this.addToCandidates(this.list(term.showType(showType)), WEIGHTS.showType)
    const services = this.servicesIn(countries)
    for (const service of services) {
      const list = this.unitedList(countries.map((country) => term.service(country, service)))
      this.addToCandidates(list, (WEIGHTS.service * this.rarity(list.size)) / services.size)
    }
  }

  /** The candidates with the highest scores. */
  best(count: number): [doc: number, score: number][] {
    return [...this.scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, count)
  }

  /** Adds a value that `size` shows have, and some of them. */
  private addDocs(docs: ArrayLike<number>, weight: number, size: number): void {
    const score = weight * this.rarity(size)
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      if (doc !== this.doc && this.allowed.has(doc)) this.scores.set(doc, (this.scores.get(doc) ?? 0) + score)
    }
  }

  private addToCandidates(list: TestedList, score: number): void {
    for (const [doc, before] of this.scores) if (list.has(doc)) this.scores.set(doc, before + score)
  }

  private docsWithAll(terms: readonly string[]): number[] {
    const [rarest, ...others] = terms.map((name) => this.list(name)).sort((a, b) => a.size - b.size)
    if (rarest === undefined) return []
    return Array.from(rarest.toDocs()).filter((doc) => others.every((list) => list.has(doc)))
  }

  /** The services of the show in any of the countries. */
  private servicesIn(countries: readonly string[]): ReadonlySet<string> {
    const services = new Set<string>()
    for (const [country, part] of this.catalog.documents.offersByCountry('offers', this.doc)) {
      if (!countries.includes(country)) continue
      for (const { service } of new OfferReader(this.catalog.dictionary, part).readList()) services.add(service)
    }
    return services
  }

  private list(name: string): PostingList {
    return this.catalog.postings.list(name, this.version)
  }

  /** The documents that have any of the terms. */
  private unitedList(terms: readonly string[]): TestedList {
    const lists = terms.map((name) => this.list(name)).filter(({ size }) => size > 0)
    const [first = PostingList.EMPTY] = lists
    if (lists.length <= 1) return first
    const bits = new Uint32Array(wordCount(Math.max(...lists.map(({ end }) => end))))
    for (const list of lists) list.addTo(bits)
    return { size: countBits(bits), has: (doc) => hasBit(bits, doc) }
  }

  /** From 1 for a value of one show to almost 0 for one of all shows. */
  private rarity(size: number): number {
    return Math.log(1 + this.total / Math.max(1, size)) / Math.log(1 + this.total)
  }
}

/** Adds what only the facts of a candidate say: how near its year is, how popular it is, and how good. */
function compareFacts(catalog: Catalog, show: Show, countries: readonly string[], doc: number, score: number) {
  const { id, year, popularity, rating } = catalog.documents.comparedFacts(doc, countries)
  const apart = show.year === undefined || year === 0 ? MAX_YEARS_APART : Math.abs(show.year - year)
  const added =
    WEIGHTS.years * Math.max(0, 1 - apart / MAX_YEARS_APART) +
    WEIGHTS.popularity * (1 - 1 / (1 + Math.log1p(Math.max(0, popularity)))) +
    WEIGHTS.rating * (rating / 100)
  return { doc, id, score: score + added }
}
