import { countShows } from './count-shows.ts'
import type { Endpoint } from './endpoint.ts'
import { exportCatalog } from './export-catalog.ts'
import { getChanges } from './get-changes.ts'
import { getCountries, getCountry, getGenres } from './reference-endpoints.ts'
import { searchPeople, searchShowsByFilters, searchShowsByTitle } from './search-endpoints.ts'
import { getShow, getShowHistory, getShows, getSimilarShows, getTopShows } from './show-endpoints.ts'
import { streamChanges } from './stream-changes.ts'

/** All operations of the API, in the order of the documentation. */
export const ENDPOINTS: readonly Endpoint[] = [
  getShow,
  getShows,
  getSimilarShows,
  getShowHistory,
  searchShowsByFilters,
  countShows,
  searchShowsByTitle,
  getTopShows,
  searchPeople,
  getChanges,
  streamChanges,
  exportCatalog,
  getCountries,
  getCountry,
  getGenres,
]
