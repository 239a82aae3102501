import { computed, signal } from '@preact/signals'
import { regionName } from '../i18n/formats.ts'
import { isLanguage, type Language, language } from '../i18n/language.ts'
import { location } from '../routing/router.ts'

/** Whom the pages are for: where the viewer is, and which language the viewer reads. */
export interface Viewer {
  /** ISO 3166-1 alpha-2 in lower case. */
  readonly country: string
  readonly language: Language
}

/** The viewer by the URL and, for what it leaves open, by the service's guess. */
export const viewer = computed<Viewer>(() => {
  const { query } = location.value
  const { guess } = catalogFacts.value
  const country = query.get('country')?.toLowerCase()
  const language = query.get('lang')
  return {
    country: country !== undefined && /^[a-z]{2}$/.test(country) ? country : guess.country,
    language: isLanguage(language) ? language : guess.language,
  }
})

/** What the service says of its catalog in the page itself, so that nothing has to be asked for first. */
export interface CatalogFacts {
  /** Whether the catalog is the demo, whose availability is invented. */
  readonly isDemo: boolean
  /** The countries by ISO 3166-1 codes in lower case, named in `language` and in the order of their names. */
  readonly countries: readonly { readonly code: string; readonly name: string }[]
  readonly language: Language
  /** Where the viewer may be and what the viewer may read, by the languages that the browser asks for. */
  readonly guess: { readonly country: string; readonly language: Language }
  /** What the sources of the catalog want to be said wherever their data is shown. */
  readonly attributions: readonly { readonly text: string; readonly link?: string }[]
}

const NOTHING: CatalogFacts = {
  isDemo: false,
  countries: [],
  language: 'en',
  guess: { country: 'us', language: 'en' },
  attributions: [],
}

/** The facts, as they are told before anything is shown; they stay the same for as long as a page is open. */
export const catalogFacts = signal(NOTHING)

/** Takes the facts from the page that they came with. */
export function readCatalogFacts(): void {
  const content = document.querySelector<HTMLMetaElement>('meta[name="marquee-catalog"]')?.content
  if (content) catalogFacts.value = { ...NOTHING, ...(JSON.parse(content) as Partial<CatalogFacts>) }
}

/** Whether the catalog has a country. One that holds nothing yet says nothing of any. */
export function hasCountry(country: string): boolean {
  const { countries } = catalogFacts.value
  return countries.length === 0 || countries.some(({ code }) => code === country)
}

/**
 * The countries of the catalog by their names in the shown language. The service sends them in the language that a
 * visit begins with: naming and sorting them here takes a slow phone a quarter of a second.
 */
export function countryNames(): readonly { readonly code: string; readonly name: string }[] {
  const { countries, language: named } = catalogFacts.value
  if (named === language.value) return countries
  return countries
    .map(({ code }) => ({ code, name: regionName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, language.value))
}

/** What can stand in a query string; a list becomes one value with commas. */
export type QueryValues = Readonly<Record<string, string | number | readonly string[] | undefined>>

/**
 * The address of a page. Country and language of the viewer go along, unless the values name another country, so that every address can be shared and shows the
 * same to whoever opens it.
 */
export function hrefTo(path: string, values: QueryValues = {}): string {
  const { country, language } = viewer.value
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...values, country: values.country ?? country, lang: language })) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    if (text !== '') query.set(name, text)
  }
  // Commas and dots need no escape in a query, and addresses are read by people too.
  return `${path}?${query.toString().replaceAll('%2C', ',')}`
}
