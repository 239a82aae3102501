import { itemsOf } from '../model/item.ts'
import { isLive } from '../model/offer.ts'
import { POPULARITY_WINDOWS, type PopularityWindow, type Show } from '../model/show.ts'
import type { SortValue } from './sorted-column.ts'

/** Names of the columns in which documents are sorted. */
export const column = {
  originalTitle: 'original_title',
  releaseDate: 'release_date',
  rating: 'rating',
  popularity: (window: PopularityWindow, country: string) => `popularity_${window}/${country}`,
} as const

/** The value of a show in each column that it stands in. A withdrawn show stands in none. */
export function columnsOf(show: Show): Map<string, SortValue> {
  const columns = new Map<string, SortValue>()
  if (show.withdrawn === true) return columns
  columns.set(column.originalTitle, show.originalTitle)
  columns.set(column.releaseDate, show.year ?? 0)
  columns.set(column.rating, show.rating)
  for (const country of new Set([...liveCountries(show), ...Object.keys(show.popularity)])) {
    for (const window of POPULARITY_WINDOWS) {
      columns.set(column.popularity(window, country), show.popularity[country]?.[window] ?? 0)
    }
  }
  return columns
}

/** The countries in which something of the show can be watched. */
export function liveCountries(show: Show): Set<string> {
  const countries = new Set<string>()
  for (const [, offers] of itemsOf(show)) {
    for (const country in offers) if (offers[country]?.some(isLive)) countries.add(country)
  }
  return countries
}
