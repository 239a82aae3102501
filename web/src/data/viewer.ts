import { computed } from '@preact/signals'
import { isLanguage, type Language } from '../i18n/language.ts'
import { location } from '../routing/location.ts'
import { catalogFacts } from './catalog-facts.ts'

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
