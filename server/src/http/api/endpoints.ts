import type { Endpoint } from './endpoint.ts'
import { getChanges } from './get-changes.ts'
import { getCountries, getCountry } from './get-countries.ts'
import { getGenres } from './get-genres.ts'
import { getShow } from './get-show.ts'
import { getTopShows } from './get-top-shows.ts'
import { searchShowsByFilters } from './search-shows-by-filters.ts'
import { searchShowsByTitle } from './search-shows-by-title.ts'

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
