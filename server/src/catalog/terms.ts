import { itemsOf } from '../model/item.ts'
import { DEFAULT_LANGUAGE } from '../model/language.ts'
import { isLive, type Offer, type OfferType } from '../model/offer.ts'
import type { Show, ShowType } from '../model/show.ts'
import { titleForms, wordsOf } from './text.ts'

/** Beginnings of words and titles up to this length are terms of their own, so that short ones need no scan. */
export const WORD_PREFIX = 3
export const TITLE_PREFIX = 5

/** Names of the terms under which documents are found. */
export const term = {
  country: (country: string) => `c/${country}`,
  service: (country: string, service: string) => `s/${country}/${service}`,
  serviceType: (country: string, service: string, type: OfferType) => `s/${country}/${service}/${type}`,
  addon: (country: string, service: string, addon: string) => `s/${country}/${service}/addon/${addon}`,
  genre: (genre: string) => `g/${genre}`,
  showType: (type: ShowType) => `t/${type}`,
  originalLanguage: (language: string) => `l/${language}`,
  year: (year: number) => `y/${year}`,
  rating: (rating: number) => `r/${rating}`,
  /** A word of a show's text in a language; `ORIGINAL` for its title and text in the original language. */
  keyword: (language: string, word: string) => `k/${language}/${word}`,
  keywordPrefix: (language: string, prefix: string) => `p/${language}/${prefix}`,
  /** Shows that have a text of their own in a language. */
  hasText: (language: string) => `h/${language}`,
  titleWord: (word: string) => `w/${word}`,
  titleEqual: (form: string) => `e/${form}`,
  titlePrefix: (prefix: string) => `f/${prefix}`,
  /** Shows that hold offers of a source. */
  source: (source: string) => `o/${source}`,
} as const

/** Stands for a language in the terms of original titles and texts. */
export const ORIGINAL = '*'

/** All terms of a show. A withdrawn show has none. */
export function termsOf(show: Show): Set<string> {
  const terms = new Set<string>()
  if (show.withdrawn === true) return terms
  terms.add(term.showType(show.showType))
  if (show.originalLanguage !== undefined) terms.add(term.originalLanguage(show.originalLanguage))
  if (show.year !== undefined) terms.add(term.year(show.year))
  terms.add(term.rating(show.rating))
  for (const genre of show.genres) terms.add(term.genre(genre))
  addOffers(terms, show)
  addKeywords(terms, show)
  addTitles(terms, show)
  return terms
}

function addOffers(terms: Set<string>, show: Show): void {
  for (const [, offers] of itemsOf(show)) {
    for (const country in offers) {
      for (const offer of offers[country] as readonly Offer[]) {
        terms.add(term.source(offer.source))
        if (!isLive(offer)) continue
        terms.add(term.country(country))
        terms.add(term.service(country, offer.service))
        terms.add(term.serviceType(country, offer.service, offer.type))
        if (offer.addon !== undefined) terms.add(term.addon(country, offer.service, offer.addon))
      }
    }
  }
}

function addKeywords(terms: Set<string>, show: Show): void {
  const original = show.originalLanguage ?? DEFAULT_LANGUAGE
  const add = (language: string, text: string) => {
    for (const word of wordsOf(text)) {
      const key = word.slice(0, 64)
      const keyword = term.keyword(language, key)
      if (terms.has(keyword)) continue
      terms.add(keyword)
      for (let length = 1; length <= Math.min(WORD_PREFIX, key.length); length++) {
        terms.add(term.keywordPrefix(language, key.slice(0, length)))
      }
    }
  }
  const addText = (language: string, title: string, overview: string) => {
    terms.add(term.hasText(language))
    // A text in the original language is found whatever the language asked for.
    add(language === original ? ORIGINAL : language, `${title} ${overview}`)
  }
  add(ORIGINAL, show.originalTitle)
  addText(DEFAULT_LANGUAGE, show.title, show.overview)
  for (const language in show.translations) {
    const { title, overview } = show.translations[language] as { title: string; overview: string }
    addText(language, title, overview === '' ? show.overview : overview)
  }
}

function addTitles(terms: Set<string>, show: Show): void {
  for (const title of titlesOf(show)) {
    for (const form of titleForms(title)) {
      terms.add(term.titleEqual(form))
      for (let length = 1; length <= Math.min(TITLE_PREFIX, form.length); length++) {
        terms.add(term.titlePrefix(form.slice(0, length)))
      }
      for (const word of wordsOf(form)) terms.add(term.titleWord(word.slice(0, 64)))
    }
  }
}

/** Every title that a show goes by. */
export function titlesOf(show: Pick<Show, 'title' | 'originalTitle' | 'translations'>): Set<string> {
  const titles = new Set([show.title, show.originalTitle])
  for (const { title } of Object.values(show.translations)) titles.add(title)
  return titles
}
