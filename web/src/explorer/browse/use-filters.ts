import { hrefTo } from '../../routing/href-to.ts'
import { location, navigate } from '../../routing/location.ts'
import { type BrowseFilters, filtersAsQuery, readFilters } from './browse-filters.ts'

/** Changes some of the filters. `isTyping` is for changes letter by letter: the way back skips them. */
export type ChangeFilters = (change: Partial<BrowseFilters>, isTyping?: boolean) => void

/** The filters of the address, and how to change them: the address is the only place where they are kept. */
export function useFilters(): [BrowseFilters, ChangeFilters] {
  const filters = readFilters(location.value.query)
  const change: ChangeFilters = (changed, isTyping = false) => {
    const latest = readFilters(location.peek().query)
    navigate(hrefTo('/browse', filtersAsQuery({ ...latest, ...changed })), { replace: isTyping })
  }
  return [filters, change]
}
