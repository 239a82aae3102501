import type { Catalog } from '../catalog/catalog.ts'
import type { StoredChange } from '../catalog/changes/stored-change.ts'
import { CHANGES_PAGE_SIZE, type ChangesPage, createChangeFilter } from './changes-search.ts'
import { currentToken, encodeToken, resolveToken } from './journal-token.ts'
import type { ChangesQuery, ChangesSinceQuery } from './queries.ts'

/** `since` for the token of this moment. */
export const SINCE_NOW = 'now'

/** A page of changes in the order of commits, with the token behind its last one. */
export interface ChangesSincePage extends ChangesPage {
  readonly since: string
}

/** The page of changes behind the query's token. */
export function searchChangesSince(catalog: Catalog, query: ChangesSinceQuery): ChangesSincePage {
  const end = currentToken(catalog)
  if (query.since === SINCE_NOW) return { changes: [], since: end }
  const place = resolveToken(catalog, query.since)
  const matches = createJournalFilter(catalog, query)
  const page: StoredChange[] = []
  for (const entry of catalog.journal.changesFrom(place, query.country, catalog.version())) {
    const { change } = entry
    if (change === undefined || !matches(change)) continue
    if (page.length === CHANGES_PAGE_SIZE) {
      const since = encodeToken(catalog, entry)
      return { changes: page, since, nextCursor: since }
    }
    page.push(change)
  }
  return { changes: page, since: end }
}

/** Whether a change of the journal matches the types and filters of a query. */
export function createJournalFilter(
  catalog: Catalog,
  query: Pick<ChangesQuery, 'changeTypes' | 'itemTypes' | 'catalogs' | 'showType'>,
): (change: StoredChange) => boolean {
  const changeTypes: ReadonlySet<string> = new Set(query.changeTypes)
  const itemTypes: ReadonlySet<string> = new Set(query.itemTypes)
  const matches = createChangeFilter(catalog, query)
  return (change) => changeTypes.has(change.list.changeType) && itemTypes.has(change.list.itemType) && matches(change)
}
