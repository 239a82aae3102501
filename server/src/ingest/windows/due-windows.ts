import type { Catalog } from '../../catalog/catalog.ts'
import { instantSortKey } from '../../catalog/changes/stored-change.ts'
import { column } from '../../catalog/show-columns.ts'
import { findServiceInCountry } from '../../catalog/storage/reference.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Change } from '../../model/change.ts'
import type { Show } from '../../model/show.ts'
import { applyDueWindows, type HomePage } from '../rules/offer-windows.ts'

/** Shows per commit. */
const SHOWS_PER_COMMIT = 1_000

/**
 * Commits all windows that have started or ended by now, and returns the number of shows that had one. The changes of an
 * instant have that instant as their timestamp, so a commit that comes late, after a night without a service for
 * instance, makes the same changes as one in time.
 */
export async function commitDueWindows(ledger: Ledger, now: number): Promise<number> {
  const docs = [...new Set(findDueDocs(ledger.catalog, now))]
  for (let start = 0; start < docs.length; start += SHOWS_PER_COMMIT) {
    const some = docs.slice(start, start + SHOWS_PER_COMMIT)
    await ledger.commit(() => [buildBatch(ledger.catalog, some, now)])
  }
  return docs.length
}

/**
 * The next instant at which a window of the catalog starts or ends, the first one or the first after another; Infinity if
 * there is none. The column `due` has it of each show. Shows that were written before there was that column are found by
 * their windows.
 */
export function findNextDueInstant(catalog: Catalog, after = 0): number {
  const version = catalog.version()
  const cursor = catalog.openCursor(column.due, version, 'asc', { value: after + 1, id: -1 })
  let next = cursor.next() ? (cursor.value as number) : Number.POSITIVE_INFINITY
  for (const list of catalog.windows.listIds()) {
    for (const { timestamp } of catalog.windows.scanAscending(list, version, instantSortKey(after + 1))) {
      next = Math.min(next, timestamp)
      break
    }
  }
  return next
}

function* findDueDocs(catalog: Catalog, now: number): Iterable<number> {
  const version = catalog.version()
  const cursor = catalog.openCursor(column.due, version, 'asc')
  while (cursor.next() && (cursor.value as number) <= now) yield cursor.doc
  for (const list of catalog.windows.listIds()) {
    const due = catalog.windows.scanAscending(list, version, instantSortKey(1), instantSortKey(now + 1))
    for (const { doc } of due) yield doc
  }
}

function buildBatch(catalog: Catalog, docs: readonly number[], now: number): Batch {
  const reference = catalog.reference()
  const homePage: HomePage = (service, country) => findServiceInCountry(reference, service, country)?.homePage ?? ''
  const shows: Show[] = []
  const changes: Change[] = []
  for (const doc of docs) {
    // Another writer may have written the show since the documents were found, and applied its windows.
    const before = catalog.show(doc)
    const after = before && applyDueWindows(before, now, homePage)
    if (after === undefined || after.show === before) continue
    shows.push(after.show)
    changes.push(...after.changes)
  }
  return { at: now, shows, changes }
}
