import { getChanges, streamChanges } from './change-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { getCountries, getCountry, getGenres } from './reference-endpoints.ts'
import { countShows, searchPeople, searchShowsByFilters, searchShowsByTitle } from './search-endpoints.ts'
import { exportCatalog, getShow, getShowHistory, getShows, getSimilarShows, getTopShows } from './show-endpoints.ts'

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
