import type { Show } from '../../model/show.ts'
import type { Catalog } from '../catalog.ts'
import { IDENTITY_INDEX_VERSION } from '../identity/identity-index.ts'
import { CATALOG_FORMAT } from '../storage/environment.ts'
import { WriteBuffer } from '../write/write-buffer.ts'

/** Documents in one transaction: bounds the memory of the buffers. */
const DOCS_PER_TRANSACTION = 5_000

/** What is written of each document beside its entries in the indexes: all of its records, or its ids alone. */
export type BuiltRecords = 'all' | 'ids'

/**
 * Builds every index of an empty catalog from shows with their documents, in ascending order: ids, postings, spellings,
 * columns, windows, the identity index and the counts. It is the work of an import of new shows, and made of its parts.
 */
export function buildIndexes(
  catalog: Catalog,
  shows: Iterable<readonly [doc: number, show: Show]>,
  version: number,
  records: BuiltRecords,
): void {
  const iterator = shows[Symbol.iterator]()
  for (let next = iterator.next(); next.done !== true; ) {
    catalog.transaction(() => {
      const buffer = new WriteBuffer(catalog)
      for (let count = 0; count < DOCS_PER_TRANSACTION && next.done !== true; count++) {
        const [doc, show] = next.value
        addDocument(catalog, buffer, doc, show, records)
        next = iterator.next()
      }
      buffer.flush(version)
      catalog.meta.put('counts', buffer.counts())
      catalog.meta.put('nextDoc', buffer.nextDoc)
      catalog.meta.put('highestId', buffer.highestId)
      catalog.meta.put('format', CATALOG_FORMAT)
      catalog.meta.put('identityIndex', IDENTITY_INDEX_VERSION)
    })
    catalog.uncommittedTerms = undefined
    // All transactions write the same version, by which caches tell data apart.
    catalog.invalidate()
  }
}

function addDocument(catalog: Catalog, buffer: WriteBuffer, doc: number, show: Show, records: BuiltRecords): void {
  buffer.beginDocument(doc)
  if (records === 'all') catalog.documents.put(doc, undefined, show)
  else catalog.documents.putIds(doc, show)
  buffer.replaceDocument(doc, undefined, show)
  buffer.addId(show.id)
  buffer.nextDoc = doc + 1
  catalog.identities.replace(doc, undefined, show)
}
