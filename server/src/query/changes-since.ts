import type { Catalog } from '../catalog/catalog.ts'
import type { StoredChange } from '../catalog/changes/stored-change.ts'
import { CHANGES_PAGE_SIZE, type ChangesPage, createChangeFilter } from './changes-search.ts'
import { currentToken, encodeToken, resolveToken } from './journal-token.ts'
import type { ChangesSinceQuery } from './queries.ts'

/** `since` for the token of this moment. */
const SINCE_NOW = 'now'

/** A page of changes in the order of commits, with the token behind its last one. */
export interface ChangesSincePage extends ChangesPage {
  readonly since: string
}

/** The page of changes behind the query's token. */
export function searchChangesSince(catalog: Catalog, query: ChangesSinceQuery): ChangesSincePage {
  const end = currentToken(catalog)
  if (query.since === SINCE_NOW) return { changes: [], since: end }
  const place = resolveToken(catalog, query.since)
  const changeTypes: ReadonlySet<string> = new Set(query.changeTypes)
  const itemTypes: ReadonlySet<string> = new Set(query.itemTypes)
  const matches = createChangeFilter(catalog, query)
  const page: StoredChange[] = []
  for (const entry of catalog.journal.changesFrom(place, query.country, catalog.version())) {
    const { change } = entry
    if (change === undefined || !changeTypes.has(change.list.changeType) || !itemTypes.has(change.list.itemType))
      continue
    if (!matches(change)) continue
    if (page.length === CHANGES_PAGE_SIZE) {
      const since = encodeToken(catalog, entry)
      return { changes: page, since, nextCursor: since }
    }
    page.push(change)
  }
  return { changes: page, since: end }
}
