import { DEFAULT_LANGUAGE } from '../../model/language.ts'
import { isLive, type Offer, type OffersByCountry, type OfferType } from '../../model/offer.ts'
import type { Show, ShowType } from '../../model/show.ts'
import { titleVariants, tokenize } from './analyzer.ts'

/** Prefixes of words and titles up to this length are terms of their own (edge n-grams): short ones need no range scan. */
export const MAX_WORD_PREFIX = 3
export const MAX_TITLE_PREFIX = 5

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
  titleEqual: 'e/',
  titlePrefix: 'f/',
  source: 'o/',
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
  /** A whole title, in one of its variants. */
  titleEqual: (variant: string) => PREFIX.titleEqual + variant,
  titlePrefix: (prefix: string) => PREFIX.titlePrefix + prefix,
  /** Shows with offers or a rating of a source. */
  source: (source: string) => PREFIX.source + source,
} as const

/** Replaces the language in terms of original titles and texts. */
export const ORIGINAL = '*'

/** Receives a term in two parts, prefix and suffix. May get a term more than once. */
type TermVisitor = (prefix: string, suffix: string) => void

/** A word as it is indexed. */
export function truncateWord(word: string): string {
  return word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word
}

/** The names of all terms of a show. */
export function showTerms(show: Show): Set<string> {
  const terms = new Set<string>()
  visitTerms(show, (prefix, suffix) => {
    terms.add(prefix + suffix)
    const edges = edgePrefixes(prefix)
    if (edges === undefined) return
    const length = Math.min(edges.maxLength, suffix.length)
    for (let end = 1; end <= length; end++) terms.add(edges.prefix + suffix.slice(0, end))
  })
  return terms
}

/** Visits the terms of a show without the edge prefixes. A deleted show has none. */
export function visitTerms(show: Show, visit: TermVisitor): void {
  if (show.deleted === true) return
  visit(PREFIX.showType, show.showType)
  if (show.originalLanguage !== undefined) visit(PREFIX.originalLanguage, show.originalLanguage)
  if (show.year !== undefined) visit(PREFIX.year, String(show.year))
  visit(PREFIX.rating, String(show.rating))
  for (const genre of show.genres) visit(PREFIX.genre, genre)
  for (const source in show.ratings) visit(PREFIX.source, source)
  visitOffers(show, visit)
  visitKeywords(show, visit)
  visitTitles(show, visit)
}

/** The namespace and the maximal length of a term's edge prefixes; undefined where it has none. */
export function edgePrefixes(prefix: string): { readonly prefix: string; readonly maxLength: number } | undefined {
  if (prefix === PREFIX.titleEqual) return { prefix: PREFIX.titlePrefix, maxLength: MAX_TITLE_PREFIX }
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

function visitKeywords(show: Show, visit: TermVisitor): void {
  const original = show.originalLanguage ?? DEFAULT_LANGUAGE
  const add = (prefix: string, words: readonly string[]) => {
    for (const word of words) visit(prefix, truncateWord(word))
  }
  const englishOverview = tokenize(show.overview)
  const addText = (language: string, title: string, overview: string) => {
    visit(PREFIX.hasText, language)
    // A text in the original language matches queries in every language.
    const prefix = term.keyword(language === original ? ORIGINAL : language, '')
    add(prefix, tokenize(title))
    // English is the fallback for a missing overview.
    add(prefix, overview === '' ? englishOverview : tokenize(overview))
  }
  if (show.originalTitle !== show.title || original !== DEFAULT_LANGUAGE) {
    add(term.keyword(ORIGINAL, ''), tokenize(show.originalTitle))
  }
  addText(DEFAULT_LANGUAGE, show.title, '')
  for (const language in show.translations) {
    const { title, overview } = show.translations[language] as { title: string; overview: string }
    addText(language, title, overview)
  }
}

function visitTitles(show: Show, visit: TermVisitor): void {
  for (const title of showTitles(show)) {
    for (const variant of titleVariants(title)) {
      visit(PREFIX.titleEqual, variant)
      for (const word of tokenize(variant)) visit(PREFIX.titleWord, truncateWord(word))
    }
  }
}

/** All titles of a show: English, original and translated. */
function showTitles(show: Pick<Show, 'title' | 'originalTitle' | 'translations'>): Set<string> {
  const titles = new Set([show.title, show.originalTitle])
  for (const { title } of Object.values(show.translations)) titles.add(title)
  return titles
}
