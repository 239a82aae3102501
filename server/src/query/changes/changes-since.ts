import type { Catalog } from '../../catalog/catalog.ts'
import type { StoredChange } from '../../catalog/changes/stored-change.ts'
import type { JournaledChange } from '../../catalog/journal/commit-journal.ts'
import { mergeSorted } from '../../lib/merge-sorted.ts'
import type { ChangesQuery, ChangesSinceQuery } from '../queries.ts'
import { CHANGES_PAGE_SIZE, type ChangesPage, createChangeFilter } from './changes-search.ts'
import { currentToken, encodeToken, InvalidTokenError, resolveCountryToken, resolveToken } from './journal-token.ts'

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
  const matches = createJournalFilter(catalog, query)
  const page: StoredChange[] = []
  for (const { change, country, ...place } of scanJournal(catalog, query)) {
    if (change === undefined || !matches(change)) continue
    if (page.length === CHANGES_PAGE_SIZE) {
      const since = encodeToken(catalog, query.namesCountries === true ? { ...place, country } : place)
      return { changes: page, since, nextCursor: since }
    }
    page.push(change)
  }
  return { changes: page, since: end }
}

/** The changes of all countries of the query behind its token: version by version, in each country by country. */
function scanJournal(
  catalog: Catalog,
  { since, countries, namesCountries }: ChangesSinceQuery,
): Iterable<JournaledChange> {
  const {
    version,
    offset,
    country: first,
  } = namesCountries === true ? resolveToken(catalog, since) : resolveCountryToken(catalog, since)
  if (namesCountries === true && first === undefined && offset > 0) {
    throw new InvalidTokenError(
      'The token in "since" is from between two pages of one country; send the same country with it',
    )
  }
  const scans = countries.map((country) => {
    const start =
      first === undefined || country === first
        ? { version, offset }
        : { version: country < first ? version + 1 : version, offset: 0 }
    return catalog.journal.changesFrom(start, country, catalog.version())
  })
  return mergeSorted(scans, (a, b) => a.version - b.version)
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
