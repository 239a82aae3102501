import { isLive, type OffersByCountry } from '../model/offer.ts'
import { POPULARITY_WINDOWS, type PopularityWindow, type Show } from '../model/show.ts'
import { findDueInstant } from './changes/windows.ts'
import type { SortValue } from './sorted/column-store.ts'

/** The names of the columns. */
export const column = {
  originalTitle: 'original_title',
  releaseDate: 'release_date',
  rating: 'rating',
  runtime: 'runtime',
  /** The next instant at which an offer of the show starts or ends: what the window scheduler reads. */
  due: 'due',
  popularity: (window: PopularityWindow, country: string) => popularityColumnNames(country)[window],
} as const

const popularityNamesByCountry = new Map<string, Readonly<Record<PopularityWindow, string>>>()

/** The names of a country's columns. Built once a country, since an import needs them for every show. */
function popularityColumnNames(country: string): Readonly<Record<PopularityWindow, string>> {
  let names = popularityNamesByCountry.get(country)
  if (names === undefined) {
    const entries = POPULARITY_WINDOWS.map((window) => [window, `popularity_${window}/${country}`])
    names = Object.fromEntries(entries) as Record<PopularityWindow, string>
    popularityNamesByCountry.set(country, names)
  }
  return names
}

/** The runtime that is printed, which series have none of; 0 without one. */
function printedRuntime({ showType, runtime = 0 }: Pick<Show, 'showType' | 'runtime'>): number {
  return showType === 'movie' ? runtime : 0
}

/** The value of a show in each column that it has an entry in. A deleted show has none. */
export function showColumns(show: Show): Map<string, SortValue> {
  const columns = new Map<string, SortValue>()
  if (show.deleted === true) return columns
  columns.set(column.originalTitle, show.originalTitle)
  columns.set(column.releaseDate, show.year ?? 0)
  columns.set(column.rating, show.rating)
  columns.set(column.runtime, printedRuntime(show))
  const due = findDueInstant(show)
  if (due !== undefined) columns.set(column.due, due)
  const countries = liveCountries(show)
  for (const country in show.popularity) countries.add(country)
  for (const country of countries) {
    const names = popularityColumnNames(country)
    const popularity = show.popularity[country]
    for (const window of POPULARITY_WINDOWS) columns.set(names[window], popularity?.[window] ?? 0)
  }
  return columns
}

/** The countries in which the show, a season or an episode has a live offer. */
function liveCountries(show: Show): Set<string> {
  const countries = new Set<string>()
  const add = (offers: OffersByCountry) => {
    for (const country in offers) if (!countries.has(country) && offers[country]?.some(isLive)) countries.add(country)
  }
  add(show.offers)
  for (const { offers, episodes = [] } of show.seasons ?? []) {
    add(offers)
    for (const episode of episodes) add(episode.offers)
  }
  return countries
}
