import type { Country, Show } from 'marquee-client'
import type { Viewer } from '../app/viewer.ts'
import type { Question } from './query-cache.ts'

/** The viewer's country with its services. */
export function countryQuestion({ country, language }: Viewer): Question<Country> {
  return {
    key: `country ${country} ${language}`,
    ask: (signal, client) => client.countries.get(country, { outputLanguage: language }, { signal }),
  }
}

/** How many shows stand on the first shelf. */
const SHELF_SIZE = 12

/** What is watched most in the viewer's country. */
export function popularQuestion({ country, language }: Viewer): Question<Show[]> {
  return {
    key: `home popular ${country} ${language}`,
    async ask(signal, client) {
      const wanted = { country, outputLanguage: language, orderBy: 'popularity_1week' } as const
      const { items } = await client.shows.filter(wanted, { signal }).page()
      return items.slice(0, SHELF_SIZE)
    },
  }
}

/** A show as the viewer can watch it, by an id as it stands in the address. */
export function showQuestion({ country, language }: Viewer, id: string): Question<Show> {
  return {
    key: `show ${id} ${country} ${language}`,
    ask: (signal, client) =>
      client.shows.get(decodeURIComponent(id), { country, outputLanguage: language }, { signal }),
  }
}
