import { describe, expect, it } from 'vitest'
import { catalogDigest } from '../../src/catalog/catalog-digest.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { NodeDirectory } from '../../src/ledger/postgres/node-directory.ts'
import { PostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { aMovie, aSeries, aSnapshot, NOW } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { feedOf } from '../support/feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

describe('x', () => {
  it('works', async () => {
    const url = await testDatabase()
    const node = await new NodeDirectory(temporaryFolder()).open(url)
    const ledger = new PostgresLedger(node, url, 'test')
    const clock = () => NOW
    const r = await importFeed(feedOf(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' }))), ledger, { clock })
    expect(r.noticeList).toEqual([])
    expect(checkCatalog(node.catalog)).toEqual([])
    const other = await new NodeDirectory(temporaryFolder()).open(url)
    expect(catalogDigest(other.catalog)).toBe(catalogDigest(node.catalog))
    await importFeed(
      feedOf(aSnapshot(aMovie({ id: '1' }), aMovie({ id: '3', title: 'Z' }), aSeries({ id: '2' }))),
      ledger,
      { clock },
    )
    const ledger2 = new PostgresLedger(other, url, 'test')
    await ledger2.refresh()
    expect(catalogDigest(other.catalog)).toBe(catalogDigest(node.catalog))
    expect(checkCatalog(other.catalog)).toEqual([])
    await ledger.close()
    await ledger2.close()
  })
})
