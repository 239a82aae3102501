import { computed } from '@preact/signals'
import { guessLanguage, isLanguage, type Language } from '../i18n/language.ts'
import { location } from '../routing/location.ts'
import { catalogFacts } from './catalog-facts.ts'

/** Whom the pages are for: where the viewer is, and which language the viewer reads. */
export interface Viewer {
  /** ISO 3166-1 alpha-2 in lower case. */
  readonly country: string
  readonly language: Language
}

/** The viewer by the URL and, for what it leaves open, by the browser. */
export const viewer = computed<Viewer>(() => {
  const { query } = location.value
  const country = query.get('country')?.toLowerCase()
  const language = query.get('lang')
  return {
    country: country !== undefined && /^[a-z]{2}$/.test(country) ? country : guessCountry(),
    language: isLanguage(language) ? language : guessLanguage(),
  }
})

/** The country by the reader's languages (`en-GB`, or the likeliest of `tr`), if the catalog has it. */
function guessCountry(): string {
  const { countries } = catalogFacts
  for (const tag of navigator.languages) {
    const region = regionOf(tag)
    if (region !== undefined && (countries.length === 0 || countries.includes(region))) return region
  }
  return countries.includes('us') ? 'us' : (countries[0] ?? 'us')
}

function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().region?.toLowerCase()
  } catch {
    return undefined
  }
}
