import type { Endpoint } from './endpoint.ts'
import { getChanges } from './endpoints/get-changes.ts'
import { getCountries, getCountry } from './endpoints/get-countries.ts'
import { getGenres } from './endpoints/get-genres.ts'
import { getShow } from './endpoints/get-show.ts'
import { getTopShows } from './endpoints/get-top-shows.ts'
import { searchShowsByFilters } from './endpoints/search-shows-by-filters.ts'
import { searchShowsByTitle } from './endpoints/search-shows-by-title.ts'

/** Every operation of the API, in the order in which the documentation shows them. */
export const ENDPOINTS: readonly Endpoint[] = [
  getShow,
  searchShowsByFilters,
  searchShowsByTitle,
  getTopShows,
  getChanges,
  getCountries,
  getCountry,
  getGenres,
]
