import { cutText } from '../../lib/text/printable.ts'
import { DEFAULT_LANGUAGE } from '../../model/language.ts'
import { isLive, type Offer, type OffersByCountry, type OfferType } from '../../model/offer.ts'
import type { Show, ShowType } from '../../model/show.ts'
import { transcribeKana } from '../text/transliteration.ts'
import { analyzeTitle, titleInitials, tokenize } from './analyzer.ts'

/** Prefixes of words in texts up to this length are terms of their own (edge n-grams): short ones need no range scan. */
export const MAX_WORD_PREFIX = 3

/** The same for prefixes of titles. */
export const MAX_TITLE_PREFIX = 5

/** The same for prefixes of title words. */
export const MAX_TITLE_WORD_PREFIX = 4

/** Words are truncated to this length. */
export const MAX_WORD_LENGTH = 64

/** The namespaces of terms. */
const PREFIX = {
  country: 'c/',
  service: 's/',
  genre: 'g/',
  showType: 't/',
  originalLanguage: 'l/',
  year: 'y/',
  rating: 'r/',
  keyword: 'k/',
  keywordPrefix: 'p/',
  hasText: 'h/',
  titleWord: 'w/',
  titleWordPrefix: 'wp/',
  titleEqual: 'e/',
  titlePrefix: 'f/',
  titleStripped: 'es/',
  titleInitials: 'ei/',
  person: 'pn/',
  source: 'o/',
  runtime: 'm/',
  seasonCount: 'n/',
} as const

/** The names of terms. */
export const term = {
  country: (country: string) => PREFIX.country + country,
  service: (country: string, service: string) => `${PREFIX.service}${country}/${service}`,
  serviceType: (country: string, service: string, type: OfferType) => `${PREFIX.service}${country}/${service}/${type}`,
  addon: (country: string, service: string, addon: string) => `${PREFIX.service}${country}/${service}/addon/${addon}`,
  genre: (genre: string) => PREFIX.genre + genre,
  showType: (type: ShowType) => PREFIX.showType + type,
  originalLanguage: (language: string) => PREFIX.originalLanguage + language,
  year: (year: number | '') => PREFIX.year + year,
  rating: (rating: number | '') => PREFIX.rating + rating,
  /** A word of a show's text in a language; `ORIGINAL` for its title and text in the original language. */
  keyword: (language: string, word: string) => `${PREFIX.keyword}${language}/${word}`,
  keywordPrefix: (language: string, prefix: string) => `${PREFIX.keywordPrefix}${language}/${prefix}`,
  /** Shows that have their own text in a language. */
  hasText: (language: string) => PREFIX.hasText + language,
  titleWord: (word: string) => PREFIX.titleWord + word,
  titleWordPrefix: (prefix: string) => PREFIX.titleWordPrefix + prefix,
  /** A whole title, by one of its keys. */
  titleEqual: (key: string) => PREFIX.titleEqual + key,
  titlePrefix: (prefix: string) => PREFIX.titlePrefix + prefix,
  /** A title without its leading article or its trailing year. */
  titleStripped: (key: string) => PREFIX.titleStripped + key,
  titleInitials: (initials: string) => PREFIX.titleInitials + initials,
  /** Shows with a person in the cast, or as director or creator, by a word of the name. */
  person: (word: string) => PREFIX.person + word,
  /** Shows with offers or a rating of a source. */
  source: (source: string) => PREFIX.source + source,
  /** Movies by their runtime in minutes, and series by their count of seasons. */
  runtime: (minutes: number | '') => PREFIX.runtime + minutes,
  seasonCount: (seasons: number | '') => PREFIX.seasonCount + seasons,
} as const

/** Replaces the language in terms of original titles and texts. */
export const ORIGINAL = '*'

/** Receives a term in two parts, prefix and suffix. May get a term more than once. */
type TermVisitor = (prefix: string, suffix: string) => void

/** A word as it is indexed. */
export function truncateWord(word: string): string {
  return cutText(word, MAX_WORD_LENGTH)
}

/** The names of all terms of a show. */
export function showTerms(show: Show): Set<string> {
  const terms = new Set<string>()
  visitTerms(show, (prefix, suffix) => {
    terms.add(prefix + suffix)
    const edges = edgePrefixes(prefix)
    if (edges === undefined) return
    for (let length = 1; length <= Math.min(edges.maxLength, suffix.length); length++) {
      terms.add(edges.prefix + suffix.slice(0, length))
    }
  })
  return terms
}

/** Visits the terms of a show without the edge prefixes. A deleted show has none. */
function visitTerms(show: Show, visit: TermVisitor): void {
  visitAttributeTerms(show, visit)
  if (show.deleted !== true) visitTextTerms(show, visit)
}

/** Visits the terms that are no words: those of type, years, genres, offers and the like. */
export function visitAttributeTerms(show: Show, visit: TermVisitor): void {
  if (show.deleted === true) return
  visit(PREFIX.showType, show.showType)
  if (show.originalLanguage !== undefined) visit(PREFIX.originalLanguage, show.originalLanguage)
  if (show.year !== undefined) visit(PREFIX.year, String(show.year))
  visit(PREFIX.rating, String(show.rating))
  // Only movies print a runtime, and only series a count of seasons.
  if (show.showType === 'movie') {
    if (show.runtime !== undefined) visit(PREFIX.runtime, String(show.runtime))
  } else if (show.seasonCount !== undefined) visit(PREFIX.seasonCount, String(show.seasonCount))
  for (const genre of show.genres) visit(PREFIX.genre, genre)
  for (const source in show.ratings) visit(PREFIX.source, source)
  visitOffers(show, visit)
}

/** The fields of a show that its text terms are made of. */
export type ShowTexts = Pick<
  Show,
  | 'showType'
  | 'year'
  | 'originalLanguage'
  | 'title'
  | 'originalTitle'
  | 'overview'
  | 'translations'
  | 'aliases'
  | 'cast'
  | 'directors'
  | 'creators'
>

/** Visits the text terms: words and keys of titles, words of overviews and of the names of people. */
export function visitTextTerms(texts: ShowTexts, visit: TermVisitor): void {
  visitKeywords(texts, visit)
  visitTitles(texts, visit)
  visitPeople(texts, visit)
}

const TEXT_PREFIXES: ReadonlySet<string> = new Set([
  PREFIX.keyword,
  PREFIX.keywordPrefix,
  PREFIX.hasText,
  PREFIX.titleWord,
  PREFIX.titleWordPrefix,
  PREFIX.titleEqual,
  PREFIX.titlePrefix,
  PREFIX.titleStripped,
  PREFIX.titleInitials,
  PREFIX.person,
])

/** Whether a term is a text term, edge prefixes included. */
export function isTextTerm(name: string): boolean {
  return TEXT_PREFIXES.has(name.slice(0, name.indexOf('/') + 1))
}

/** The namespace and the largest length of a term's edge prefixes. */
interface EdgePrefixes {
  readonly prefix: string
  readonly maxLength: number
}

const TITLE_EDGES: EdgePrefixes = { prefix: PREFIX.titlePrefix, maxLength: MAX_TITLE_PREFIX }
const TITLE_WORD_EDGES: EdgePrefixes = { prefix: PREFIX.titleWordPrefix, maxLength: MAX_TITLE_WORD_PREFIX }

/** The edge prefixes of a namespace of terms; undefined where it has none. */
export function edgePrefixes(prefix: string): EdgePrefixes | undefined {
  if (prefix === PREFIX.titleEqual) return TITLE_EDGES
  if (prefix === PREFIX.titleWord) return TITLE_WORD_EDGES
  if (!prefix.startsWith(PREFIX.keyword)) return undefined
  return { prefix: PREFIX.keywordPrefix + prefix.slice(PREFIX.keyword.length), maxLength: MAX_WORD_PREFIX }
}

/** The prefixes of a country's service terms. Built once for each service, since an import needs them for every offer. */
class ServicePrefixes {
  readonly servicePrefix: string
  private readonly byService = new Map<string, string>()

  constructor(country: string) {
    this.servicePrefix = term.service(country, '')
  }

  typePrefix(service: string): string {
    let prefix = this.byService.get(service)
    if (prefix === undefined) {
      prefix = `${this.servicePrefix}${service}/`
      this.byService.set(service, prefix)
    }
    return prefix
  }
}

const servicePrefixesByCountry = new Map<string, ServicePrefixes>()

function servicePrefixes(country: string): ServicePrefixes {
  let prefixes = servicePrefixesByCountry.get(country)
  if (prefixes === undefined) {
    prefixes = new ServicePrefixes(country)
    servicePrefixesByCountry.set(country, prefixes)
  }
  return prefixes
}

function visitOffers(show: Show, visit: TermVisitor): void {
  visitOffersByCountry(show.offers, visit)
  for (const { offers, episodes = [] } of show.seasons ?? []) {
    visitOffersByCountry(offers, visit)
    for (const episode of episodes) visitOffersByCountry(episode.offers, visit)
  }
}

function visitOffersByCountry(offers: OffersByCountry, visit: TermVisitor): void {
  for (const country in offers) {
    const prefixes = servicePrefixes(country)
    for (const offer of offers[country] as readonly Offer[]) {
      visit(PREFIX.source, offer.source)
      if (!isLive(offer)) continue
      visit(PREFIX.country, country)
      visit(prefixes.servicePrefix, offer.service)
      const typePrefix = prefixes.typePrefix(offer.service)
      visit(typePrefix, offer.type)
      if (offer.addon !== undefined) visit(typePrefix, `addon/${offer.addon}`)
    }
  }
}

function visitKeywords(show: ShowTexts, visit: TermVisitor): void {
  const original = show.originalLanguage ?? DEFAULT_LANGUAGE
  const add = (prefix: string, words: readonly string[]) => {
    for (const word of words) visit(prefix, truncateWord(word))
  }
  const addTitle = (prefix: string, title: string) => {
    add(prefix, tokenize(title))
    add(prefix, transcribeKana(title))
  }
  const englishOverview = tokenize(show.overview)
  const addText = (language: string, title: string, overview: string) => {
    visit(PREFIX.hasText, language)
    // A text in the original language matches queries in every language.
    const prefix = term.keyword(language === original ? ORIGINAL : language, '')
    addTitle(prefix, title)
    // English is the fallback for a missing overview.
    add(prefix, overview === '' ? englishOverview : tokenize(overview))
  }
  if (show.originalTitle !== show.title || original !== DEFAULT_LANGUAGE) {
    addTitle(term.keyword(ORIGINAL, ''), show.originalTitle)
  }
  addText(DEFAULT_LANGUAGE, show.title, '')
  for (const language in show.translations) {
    const { title, overview } = show.translations[language] as { title: string; overview: string }
    addText(language, title, overview)
  }
}

/** The people of a show. Only movies have directors, and only series have creators, as in responses. */
function visitPeople({ showType, cast, directors = [], creators = [] }: ShowTexts, visit: TermVisitor): void {
  for (const people of [cast, showType === 'movie' ? directors : creators]) {
    for (const name of people) for (const word of nameWords(name)) visit(PREFIX.person, word)
  }
}

function visitTitles(show: ShowTexts, visit: TermVisitor): void {
  for (const [title, languages] of titleLanguages(show)) {
    const { keys, strippedKeys, words } = analyzeTitle(title, languages, show.year)
    for (const key of keys) visit(PREFIX.titleEqual, key)
    for (const key of strippedKeys) visit(PREFIX.titleStripped, key)
    for (const word of words) visit(PREFIX.titleWord, truncateWord(word))
  }
  for (const initials of titleInitials(show.title)) visit(PREFIX.titleInitials, initials)
  if (show.originalTitle !== show.title) {
    for (const initials of titleInitials(show.originalTitle)) visit(PREFIX.titleInitials, initials)
  }
}

/** All titles of a show (English, original, translated, alternative), each with the languages that it may be in. */
function titleLanguages(show: ShowTexts): Map<string, string[]> {
  const original = show.originalLanguage ?? DEFAULT_LANGUAGE
  const titles = new Map<string, string[]>()
  const add = (title: string, language: string) => {
    const languages = titles.get(title)
    if (languages === undefined) titles.set(title, [language])
    else if (!languages.includes(language)) languages.push(language)
  }
  add(show.title, DEFAULT_LANGUAGE)
  add(show.originalTitle, original)
  for (const language in show.translations) add(show.translations[language]?.title as string, language)
  for (const alias of show.aliases ?? []) {
    add(alias, DEFAULT_LANGUAGE)
    add(alias, original)
  }
  return titles
}

/** Longer names are truncated to this many words, and longer words to this length: keys of LMDB are bounded. */
const MAX_NAME_WORDS = 6
const MAX_NAME_WORD_LENGTH = 32

/** The words by which a person is indexed: those of the name. Case, accents and punctuation make no difference. */
export function nameWords(name: string): readonly string[] {
  const words = tokenize(name)
  const isShort = words.length <= MAX_NAME_WORDS && name.length <= MAX_NAME_WORD_LENGTH
  return isShort ? words : words.slice(0, MAX_NAME_WORDS).map((word) => word.slice(0, MAX_NAME_WORD_LENGTH))
}
