import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgresAccounts } from '../../src/accounts/postgres/postgres-account-store.ts'
import { computeCatalogDigest } from '../../src/catalog/verify/catalog-digest.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { bootstrapCatalog } from '../../src/ledger/postgres/bootstrap-catalog.ts'
import { catalogMark, readHead } from '../../src/ledger/postgres/log-rows.ts'
import { PostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { ReplicaCatalog } from '../../src/ledger/postgres/replica-catalog.ts'
import { ReplicaDirectory } from '../../src/ledger/postgres/replica-directory.ts'
import { openDatabase } from '../../src/lib/postgres/database.ts'
import { aMovie, aSnapshot, NOW } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { copyDatabase, testDatabase } from '../support/test-database.ts'
import { aNode } from '../support/test-store.ts'

/** Imports a show of a title in a commit of its own, and returns how far the catalog has come and what it holds. */
async function imported(url: string, folder: string, title: string) {
  const ledger = await aNode(url, folder)
  await importFeed(feedFromRecords(aSnapshot(aMovie({ id: '1', title }))), ledger, { clock: () => NOW + title.length })
  const outcome = { position: ledger.catalog.logPosition(), digest: computeCatalogDigest(ledger.catalog) }
  await ledger.close()
  return outcome
}

/** A ledger, and one that it was set back to; both went on for one commit since. */
async function aLedgerSetBack() {
  const [before, folder] = [await testDatabase(), temporaryFolder()]
  await imported(before, folder, 'A title')
  const after = await copyDatabase(before)
  const lost = await imported(before, folder, 'A title that is lost')
  const made = await imported(after, temporaryFolder(), 'Another title')
  expect(made.position).toEqual(lost.position)
  expect(made.digest).not.toBe(lost.digest)
  return { before, after, folder, made }
}

it('a replica at the last commit of a ledger that was restored from a backup is bootstrapped again', async () => {
  const { after, folder, made } = await aLedgerSetBack()
  const reasons: string[] = []
  const node = await new ReplicaDirectory(folder).open(after, { onBootstrap: (reason) => reasons.push(reason) })
  onTestFinished(() => node.close())
  expect(reasons).toEqual([expect.stringContaining('which was set back')])
  expect(computeCatalogDigest(node.catalog)).toBe(made.digest)
})

it.each([0, 1])(
  'a bootstrap that was interrupted before the ledger was restored starts again, %i commits later',
  async (later) => {
    const { before, after, made } = await aLedgerSetBack()
    const folder = temporaryFolder()
    const copy = async (url: string, onProgress: () => void) => {
      const session = await openDatabase(url, { purpose: 'test' })
      await bootstrapCatalog(session, folder, { onProgress }).finally(() => session.close())
    }
    const interrupt = () => {
      throw new Error('interrupted')
    }
    await expect(copy(before, interrupt)).rejects.toThrow('interrupted')
    const { digest } = later === 0 ? made : await imported(after, temporaryFolder(), 'A later title')
    await copy(after, () => {})
    const node = new ReplicaCatalog(folder)
    onTestFinished(() => node.close())
    expect(computeCatalogDigest(node.catalog)).toBe(digest)
  },
)

it('a replica that is ahead of a log head read earlier goes on', async () => {
  const [url, folder] = [await testDatabase(), temporaryFolder()]
  await imported(url, folder, 'A title')
  const session = await openDatabase(url, { purpose: 'test' })
  const node = await new ReplicaDirectory(folder).open(url)
  const ledger = new PostgresLedger(node, url, 'test')
  onTestFinished(async () => {
    await ledger.close()
    await session.close()
  })
  const head = await readHead(session)
  await importFeed(feedFromRecords(aSnapshot(aMovie({ id: '1', title: 'A later title' }))), ledger, {
    clock: () => NOW + 1,
  })
  expect(await node.runExclusive(() => node.catchUp(session, head))).toBe(0)
})

it('a replica of an empty catalog has its version', async () => {
  const url = await testDatabase()
  const ledger = await aNode(url, temporaryFolder())
  onTestFinished(() => ledger.close())
  await ledger.commit(() => [{ at: NOW, shows: [], changes: [], forgetChangesBefore: 1 }])
  const copy = await aNode(url, temporaryFolder())
  onTestFinished(() => copy.close())
  expect(ledger.catalog.version()).toBe(1)
  expect(catalogMark(copy.catalog)).toEqual(catalogMark(ledger.catalog))
})

it.each([1, 2])('accounts that were restored from a backup are copied again, %i changes later', async (changes) => {
  const [before, dir] = [await testDatabase(), join(temporaryFolder(), 'accounts')]
  const act = { by: 'operator', now: NOW } as const
  const keyMade = async (url: string, folder: string, name: string) => {
    const accounts = openPostgresAccounts(folder, url)
    const { key } = await accounts.keys.create({ source: 'direct', plan: 'free', name }, act)
    await accounts.close()
    return key
  }
  const kept = await keyMade(before, dir, 'kept')
  const after = await copyDatabase(before)
  const lost = await keyMade(before, dir, 'lost')
  const made: string[] = []
  for (let i = 0; i < changes; i++) made.push(await keyMade(after, join(temporaryFolder(), 'accounts'), `made ${i}`))
  const accounts = openPostgresAccounts(dir, after)
  onTestFinished(() => accounts.close())
  await accounts.refresh()
  const known = (key: string) => accounts.keys.find(key, NOW) !== undefined
  expect({ kept: known(kept), lost: known(lost), made: made.map(known) }).toEqual({
    kept: true,
    lost: false,
    made: made.map(() => true),
  })
})
