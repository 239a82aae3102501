import { createHash, type Hash } from 'node:crypto'
import type { Catalog } from './catalog.ts'
import { decodeDocSet } from './doc-set.ts'

/**
 * A digest of everything that a catalog holds: documents with their numbers, postings, spellings, columns, windows,
 * changes, top lists, sources, reference data and counts. Two catalogs with the same digest answer every request alike.
 * It does not depend on how the catalog came about: numbers of dictionary entries and of blocks are left out.
 */
export function catalogDigest(catalog: Catalog): string {
  const hash = createHash('sha256')
  const { environment } = catalog
  const version = catalog.version()
  take(hash, [
    version,
    catalog.edition(),
    catalog.nextDoc(),
    catalog.highestId(),
    catalog.counts(),
    catalog.reference(),
  ])
  for (const doc of environment.facts.getKeys({})) take(hash, [doc, catalog.show(doc)])
  for (const { key, value } of environment.ids.getRange({})) take(hash, [key, value])
  for (const { key, value } of environment.postings.getRange({})) take(hash, [key, [...decodeDocSet(value)]])
  for (const { key, value } of environment.spellings.getRange({})) take(hash, [key, value])
  for (const name of catalog.columns.names()) {
    take(hash, name)
    for (const info of catalog.columns.directory(name, version).blocks) {
      const { values, ids, docs } = catalog.columns.block(name, info)
      // An entry at a time: how entries are cut into blocks must not matter.
      docs.forEach((doc: number, i: number) => {
        take(hash, [values[i], ids[i], doc])
      })
    }
  }
  for (const log of [catalog.windows, catalog.changes]) {
    for (const range of log.ranges()) {
      for (const { doc, change } of log.ascending(range, version)) take(hash, [doc, change])
    }
  }
  for (const { key, value } of environment.tops.getRange({})) take(hash, [key, value])
  for (const source of catalog.sources()) take(hash, source)
  return hash.digest('hex')
}

function take(hash: Hash, value: unknown): void {
  hash.update(JSON.stringify(value)).update('\n')
}
