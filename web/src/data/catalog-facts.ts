import { signal } from '@preact/signals'
import type { Language } from '../i18n/language.ts'

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
