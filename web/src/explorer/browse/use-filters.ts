import { useEffect } from 'preact/hooks'
import { useCountry, useGenres } from '../../data/reference.ts'
import { hrefTo } from '../../routing/href-to.ts'
import { location, navigate } from '../../routing/location.ts'
import { type BrowseFilters, filtersAsQuery, readFilters } from './browse-filters.ts'
import { knownCatalogs } from './catalog-choice.ts'

/** Changes some of the filters. `isTyping` is for changes letter by letter: the way back skips them. */
export type ChangeFilters = (change: Partial<BrowseFilters>, isTyping?: boolean) => void

/** The filters of the address. */
interface Filters {
  readonly filters: BrowseFilters
  /** How to change them: the address is the only place where they are kept. */
  readonly change: ChangeFilters
  /** Whether it is known that all of them exist, so that the service can be asked. */
  readonly isKnown: boolean
}

/**
 * Reads the filters from the address. Catalogs that the country lacks and genres that do not exist are dropped from it, as
 * soon as that is known: an address may be old, or of another country.
 */
export function useFilters(): Filters {
  const asked = readFilters(location.value.query)
  const country = useCountry()
  const genres = useGenres()
  const filters = {
    ...asked,
    catalogs: country.state === 'ready' ? knownCatalogs(asked.catalogs, country.value.services) : asked.catalogs,
    genres:
      genres.state === 'ready'
        ? asked.genres.filter((genre) => genres.value.some(({ id }) => id === genre))
        : asked.genres,
  }
  const isDropped = filters.catalogs.length < asked.catalogs.length || filters.genres.length < asked.genres.length
  const mended = isDropped ? hrefTo('/browse', filtersAsQuery(filters)) : undefined
  useEffect(() => {
    if (mended !== undefined) navigate(mended, { replace: true })
  }, [mended])
  const isWaiting =
    (asked.catalogs.length > 0 && country.state === 'loading') ||
    (asked.genres.length > 0 && genres.state === 'loading')
  const change: ChangeFilters = (changed, isTyping = false) => {
    const latest = readFilters(location.peek().query)
    navigate(hrefTo('/browse', filtersAsQuery({ ...latest, ...changed })), { replace: isTyping })
  }
  return { filters, change, isKnown: !isWaiting }
}
