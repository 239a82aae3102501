import type { OutputLanguage } from 'marquee-client'
import { formatsFor } from '../i18n/formats.ts'
import { isLanguage, type Language } from '../i18n/language.ts'

/** Whom the pages are for. */
export interface Viewer {
  /** ISO 3166-1 alpha-2 in lower case. */
  readonly country: string
  readonly language: Language
  /** The language of titles and stories, if it is another one than that of the pages. */
  readonly titles?: OutputLanguage | undefined
}

/** What a viewer has chosen once, for all pages. */
export interface Preferences {
  readonly country?: string
  readonly language?: Language
  readonly titles?: OutputLanguage
  /** The ids of the services that the viewer has. */
  readonly services: readonly string[]
  /** The colours; those of the system if absent. */
  readonly theme?: 'light' | 'dark'
}

/** What the HTML page says of the catalog, so that no request is needed before the first render. */
export interface CatalogInfo {
  /** Whether the catalog is the demo, whose availability is invented. */
  readonly isDemo: boolean
  /** The countries by ISO 3166-1 codes in lower case, with names in `language`, sorted by name. */
  readonly countries: readonly { readonly code: string; readonly name: string }[]
  readonly language: Language
  /** The viewer by preferences and by the `Accept-Language` header, for what the URL does not say. */
  readonly guess: Viewer
  /** Undefined if the viewer has neither set nor skipped them. */
  readonly preferences?: Preferences | undefined
  /** The address of the service as the viewer knows it. */
  readonly origin?: string
  /** The time zone of the viewer, if a former visit has said it. */
  readonly timeZone?: string | undefined
  /** Attributions that the sources of the catalog require wherever their data is shown. */
  readonly attributions: readonly { readonly text: string; readonly link?: string }[]
}

const EMPTY_CATALOG: CatalogInfo = {
  isDemo: false,
  countries: [],
  language: 'en',
  guess: { country: 'us', language: 'en' },
  attributions: [],
}

/** Reads the catalog info that the server has put into the HTML page. */
export function readCatalogInfo(): CatalogInfo {
  const content = document.querySelector<HTMLMetaElement>('meta[name="marquee-catalog"]')?.content
  return content ? { ...EMPTY_CATALOG, ...(JSON.parse(content) as Partial<CatalogInfo>) } : EMPTY_CATALOG
}

/** The language of titles and stories. */
export function textLanguage({ titles, language }: Viewer): OutputLanguage {
  return titles ?? language
}

/** The services that the viewer has; empty if none are set. */
export function ownServices({ preferences }: CatalogInfo): ReadonlySet<string> {
  return new Set(preferences?.services)
}

/** Whether the catalog covers a country. An empty catalog has no list of countries, so any country passes. */
export function hasCountry({ countries }: CatalogInfo, country: string): boolean {
  return countries.length === 0 || countries.some(({ code }) => code === country)
}

/**
 * The countries of the catalog with their names in a language. The server sends them in the language of the first page:
 * naming and sorting them here takes a slow phone a quarter of a second.
 */
export function countryNames(catalog: CatalogInfo, language: Language): CatalogInfo['countries'] {
  if (catalog.language === language) return catalog.countries
  const formats = formatsFor(language)
  return catalog.countries
    .map(({ code }) => ({ code, name: formats.regionName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, language))
}

/** Reads the viewer from the query string of the URL. */
export function readViewer(query: URLSearchParams, { guess, preferences }: CatalogInfo): Viewer {
  const country = query.get('country')?.toLowerCase()
  const language = query.get('lang')
  return {
    country: country !== undefined && /^[a-z]{2}$/.test(country) ? country : guess.country,
    language: isLanguage(language) ? language : guess.language,
    ...(preferences?.titles !== undefined && { titles: preferences.titles }),
  }
}

/** The values of a query string that stay when one of them changes: not the cursor, which belongs to one list. */
export function keptValues(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([name]) => name !== 'cursor'))
}

/** Values of a query string; a list becomes one value with commas. */
export type QueryValues = Readonly<Record<string, string | number | readonly string[] | undefined>>

/**
 * Builds the URL of a page. It holds country and language of the viewer, unless the values name another country, so that a
 * shared URL shows the same to everyone.
 */
export function buildHref({ country, language }: Viewer, path: string, values: QueryValues = {}): string {
  let query = ''
  for (const name in values) if (name !== 'country' && name !== 'lang') query += formatPair(name, values[name])
  query += formatPair('country', values.country ?? country) + formatPair('lang', language)
  return `${path}?${query.slice(1)}`
}

/** A query string. Values that are empty are left out. */
export function formatQuery(values: QueryValues): string {
  let query = ''
  for (const name in values) query += formatPair(name, values[name])
  return query.slice(1)
}

function formatPair(name: string, value: QueryValues[string]): string {
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
  // A comma needs no escape in a query string, and URLs are read by people too.
  return text === '' ? '' : `&${name}=${SIMPLE.test(text) ? text : encodeQueryValue(text)}`
}

/** What is the same in a query string. */
const SIMPLE = /^[\w,.*-]*$/

function encodeQueryValue(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1).replaceAll('%2C', ',')
}
