/* A replica is verified against the log, and repaired by copying it again. */
import { expect, it } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { openEnvironment } from '../../src/catalog/storage/environment.ts'
import { computeCatalogDigest } from '../../src/catalog/verify/catalog-digest.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import type { Show } from '../../src/model/show.ts'
import { copyReplicaAgain, verifyDataFolder } from '../../src/runtime/verify-folder.ts'
import { aMovie, aSeries, aSnapshot, NOW, referenceRecords } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aNode, testSchema } from '../support/test-store.ts'

async function withCatalog<T>(folder: string, work: (catalog: Catalog) => T): Promise<T> {
  const environment = openEnvironment(folder)
  try {
    return work(new Catalog(environment))
  } finally {
    await environment.root.close()
  }
}

it('finds a document that differs from the log, and copies the catalog again', async () => {
  const url = await testSchema()
  const folder = temporaryFolder()
  const ledger = await aNode(url, folder)
  const shows = [aMovie({ id: '1' }), aSeries({ id: '2', imdbId: 'tt0000002', tmdbId: 'tv/2' })]
  await importFeed(feedFromRecords(aSnapshot(...referenceRecords(), ...shows)), ledger, { clock: () => NOW })
  await ledger.close()
  expect((await verifyDataFolder(folder, { databaseUrl: url })).problems).toEqual([])
  const digest = await withCatalog(folder, computeCatalogDigest)

  // A document that is well-formed, has its checksum and is not what the log says.
  await withCatalog(folder, (catalog) =>
    catalog.transaction(() => {
      const show = catalog.show(1) as Show
      catalog.documents.put(1, show, { ...show, overview: 'Another one' })
    }),
  )
  const { problems } = await verifyDataFolder(folder, { databaseUrl: url })
  expect(problems).toContainEqual({
    part: 'log',
    problem: 'different',
    count: 1,
    examples: ['document 1, show 2'],
    repairable: false,
  })
  await copyReplicaAgain(folder, url)
  expect((await verifyDataFolder(folder, { databaseUrl: url })).problems).toEqual([])
  expect(await withCatalog(folder, computeCatalogDigest)).toBe(digest)
})
