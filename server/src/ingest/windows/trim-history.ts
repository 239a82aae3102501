import type { Catalog } from '../../catalog/catalog.ts'
import { findDamage } from '../../catalog/storage/damage.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type ShowHistory, trimHistory } from '../../model/history.ts'
import type { Show } from '../../model/show.ts'
import { withHistory } from '../rules/record-history.ts'

/** Documents that are looked at in one turn of the event loop, and written in one commit. */
const DOCS_PER_COMMIT = 1_000

/**
 * Deletes what ended before an instant from the history of all shows. The shows are written anew as by any other batch, so
 * the log of a ledger has what is deleted, and every replica deletes the same.
 */
export async function commitTrimmedHistory(ledger: Ledger, before: number, now: number): Promise<void> {
  const { catalog } = ledger
  const docs = [...catalog.documents.docsWithHistory()]
  for (let start = 0; start < docs.length; start += DOCS_PER_COMMIT) {
    const due = docs.slice(start, start + DOCS_PER_COMMIT).filter((doc) => {
      const history = readHistory(catalog, doc)
      return history !== undefined && trimHistory(history, before) !== history
    })
    if (due.length > 0) await ledger.commit(() => [buildBatch(catalog, due, before, now)])
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The history of a document; undefined if it is damaged, which a verification reports. */
function readHistory(catalog: Catalog, doc: number): ShowHistory | undefined {
  try {
    return catalog.documents.history(doc)
  } catch (error) {
    if (findDamage(error) === undefined) throw error
    return undefined
  }
}

function buildBatch(catalog: Catalog, docs: readonly number[], before: number, now: number): Batch {
  const shows = docs.flatMap((doc): Show[] => {
    const show = catalog.show(doc)
    return show?.history === undefined ? [] : [withHistory(show, trimHistory(show.history, before))]
  })
  return { at: now, shows, changes: [] }
}
