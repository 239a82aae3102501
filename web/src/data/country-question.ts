import type { Country } from 'marquee-client'
import type { Question } from './question.ts'
import type { Viewer } from './viewer.ts'

/** The viewer's country with its services. */
export function countryQuestion({ country, language }: Viewer): Question<Country> {
  return {
    key: `country ${country} ${language}`,
    ask: (signal, client) => client.countries.get(country, { outputLanguage: language }, { signal }),
  }
}
