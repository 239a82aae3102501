import type { Country, Genre, Show } from 'marquee-client'
import type { Viewer } from '../app/viewer.ts'
import type { Query } from './query-cache.ts'

/* Queries that several components share, or that the build reads: see `INITIAL_QUERIES`. */

/** The number of shows on the first shelf of the start page. */
const POPULAR_SHOWS = 12

/** The viewer's country with its services. */
export function countryQuery({ country, language }: Viewer): Query<Country> {
  return {
    key: `country ${country} ${language}`,
    fetch: (signal, client) => client.countries.get(country, { outputLanguage: language }, { signal }),
  }
}

/** All genres, with names in the viewer's language. */
export function genresQuery({ language }: Viewer): Query<Genre[]> {
  return {
    key: `genres ${language}`,
    fetch: (signal, client) => client.genres.list({ outputLanguage: language }, { signal }),
  }
}

/** The most popular shows in the viewer's country. */
export function popularShowsQuery({ country, language }: Viewer): Query<Show[]> {
  return {
    key: `home popular ${country} ${language}`,
    async fetch(signal, client) {
      const parameters = { country, outputLanguage: language, orderBy: 'popularity_1week' } as const
      const { items } = await client.shows.filter(parameters, { signal }).page()
      return items.slice(0, POPULAR_SHOWS)
    },
  }
}

/** Shows by title. */
export function titleQuery({ country, language }: Viewer, title: string): Query<Show[]> {
  return {
    key: `title ${country} ${language} ${title}`,
    fetch: (signal, client) => client.shows.search({ title, country, outputLanguage: language }, { signal }),
  }
}

/** A show with the offers of the viewer's country, by its id in the URL. */
export function showQuery({ country, language }: Viewer, id: string): Query<Show> {
  return {
    key: `show ${id} ${country} ${language}`,
    fetch: (signal, client) =>
      client.shows.get(decodeURIComponent(id), { country, outputLanguage: language }, { signal }),
  }
}
