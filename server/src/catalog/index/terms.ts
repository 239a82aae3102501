import { DEFAULT_LANGUAGE } from '../../model/language.ts'
import { isLive, type Offer, type OffersByCountry, type OfferType } from '../../model/offer.ts'
import type { Show, ShowType } from '../../model/show.ts'
import { titleVariants, tokenize } from './analyzer.ts'

/** Beginnings of words and titles up to this length are terms of their own, so that short ones need no scan. */
export const MAX_WORD_PREFIX = 3
export const MAX_TITLE_PREFIX = 5

/** Words are told apart by so many letters. */
export const MAX_WORD_LENGTH = 64

/** How the names of terms begin, by what they say. */
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

/** Names of the terms under which documents are found. */
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
  /** Shows that have a text of their own in a language. */
  hasText: (language: string) => PREFIX.hasText + language,
  titleWord: (word: string) => PREFIX.titleWord + word,
  titleEqual: (form: string) => PREFIX.titleEqual + form,
  titlePrefix: (prefix: string) => PREFIX.titlePrefix + prefix,
  /** Shows that hold offers of a source, or its rating. */
  source: (source: string) => PREFIX.source + source,
} as const

/** Stands for a language in the terms of original titles and texts. */
export const ORIGINAL = '*'

/** Takes the terms of a show, each in two parts that make its name together; some may be given more than once. */
export type TermVisitor = (prefix: string, rest: string) => void

/** The names of all terms of a show. */
export function showTerms(show: Show): Set<string> {
  const terms = new Set<string>()
  visitTerms(show, (prefix, rest) => {
    terms.add(prefix + rest)
    const beginnings = edgePrefixes(prefix)
    if (beginnings === undefined) return
    const length = Math.min(beginnings.longest, rest.length)
    for (let end = 1; end <= length; end++) terms.add(beginnings.prefix + rest.slice(0, end))
  })
  return terms
}

/** Gives the terms of a show, but for those that follow from others of its terms. A withdrawn show has none. */
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

/** The terms that a document has because it has others: the beginnings of its words and titles, up to a length. */
export function edgePrefixes(prefix: string): { readonly prefix: string; readonly longest: number } | undefined {
  if (prefix === PREFIX.titleEqual) return { prefix: PREFIX.titlePrefix, longest: MAX_TITLE_PREFIX }
  if (!prefix.startsWith(PREFIX.keyword)) return undefined
  return { prefix: PREFIX.keywordPrefix + prefix.slice(PREFIX.keyword.length), longest: MAX_WORD_PREFIX }
}

/** How the names of a country's terms of services begin: few, and needed so often that they are kept. */
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
      const ofTypes = prefixes.typePrefix(offer.service)
      visit(ofTypes, offer.type)
      if (offer.addon !== undefined) visit(ofTypes, `addon/${offer.addon}`)
    }
  }
}

function visitKeywords(show: Show, visit: TermVisitor): void {
  const original = show.originalLanguage ?? DEFAULT_LANGUAGE
  const add = (prefix: string, words: readonly string[]) => {
    for (const word of words) visit(prefix, word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word)
  }
  const inEnglish = tokenize(show.overview)
  const addText = (language: string, title: string, overview: string) => {
    visit(PREFIX.hasText, language)
    // A text in the original language is found whatever the language asked for.
    const prefix = term.keyword(language === original ? ORIGINAL : language, '')
    add(prefix, tokenize(title))
    // The English overview stands in where there is none.
    add(prefix, overview === '' ? inEnglish : tokenize(overview))
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
    for (const form of titleVariants(title)) {
      visit(PREFIX.titleEqual, form)
      for (const word of tokenize(form))
        visit(PREFIX.titleWord, word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word)
    }
  }
}

/** Every title that a show goes by. */
export function showTitles(show: Pick<Show, 'title' | 'originalTitle' | 'translations'>): Set<string> {
  const titles = new Set([show.title, show.originalTitle])
  for (const { title } of Object.values(show.translations)) titles.add(title)
  return titles
}
