import { createHash, type Hash } from 'node:crypto'
import type { Catalog } from '../catalog.ts'
import { decodeDocSet } from '../index/doc-set.ts'
import { topListKey } from '../storage/meta.ts'

/**
 * A digest of the whole content of a catalog: documents with their numbers, postings, spellings, columns, windows,
 * changes, top lists, sources, reference data and counts. Two catalogs with the same digest give the same answers. The
 * physical layout makes no difference: numbers of dictionary entries and of blocks are not part of it.
 */
export function computeCatalogDigest(catalog: Catalog): string {
  const hash = createHash('sha256')
  const { environment } = catalog
  const version = catalog.version()
  updateHash(hash, [
    version,
    catalog.contentHash(),
    catalog.nextDoc(),
    catalog.highestId(),
    catalog.counts(),
    catalog.reference(),
  ])
  for (const doc of environment.facts.getKeys({})) updateHash(hash, [doc, catalog.show(doc)])
  for (const { key, value } of environment.ids.getRange({})) updateHash(hash, [key, value])
  for (const { key, value } of environment.postings.getRange({})) updateHash(hash, [key, [...decodeDocSet(value)]])
  for (const { key, value } of environment.spellings.getRange({})) updateHash(hash, [key, value])
  for (const name of catalog.columns.names()) {
    updateHash(hash, name)
    for (const info of catalog.columns.directory(name, version).blocks) {
      const { values, ids, docs } = catalog.columns.getBlock(name, info)
      // Entry by entry: block boundaries must make no difference.
      docs.forEach((doc: number, i: number) => {
        updateHash(hash, [values[i], ids[i], doc])
      })
    }
  }
  for (const log of [catalog.windows, catalog.changes]) {
    for (const list of log.listIds()) {
      for (const { doc, change } of log.scanAscending(list, version)) updateHash(hash, [doc, change])
    }
  }
  for (const list of catalog.topLists()) updateHash(hash, [topListKey(list), list.shows])
  for (const source of catalog.sources()) updateHash(hash, source)
  return hash.digest('hex')
}

function updateHash(hash: Hash, value: unknown): void {
  hash.update(JSON.stringify(value)).update('\n')
}
