import { cpSync, existsSync, mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Catalog } from '../../src/catalog/catalog.ts'
import { computeCatalogDigest } from '../../src/catalog/verify/catalog-digest.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { WindowScheduler } from '../../src/ingest/window-scheduler.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { LogTail } from '../../src/ledger/postgres/log-tail.ts'
import { PostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { ReplicaDirectory } from '../../src/ledger/postgres/replica-directory.ts'
import { Session } from '../../src/lib/postgres/session.ts'
import { currentToken, resolveToken } from '../../src/query/changes/journal-token.ts'
import { aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { feedFromRecords } from '../support/feed.ts'
import { onFileFinished } from '../support/file-cleanup.ts'
import { eventually } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aNode, testSchema } from '../support/test-store.ts'

/** The days that are imported first: each of the seven patterns of removals, and one of them again. */
const DAYS = 8

/** A feed of a day: shows come, change and go, some by the passing of time. */
function feedOfDay(day: number): object[] {
  const shows = Array.from({ length: 90 }, (_, i) => i + 1).filter((i) => (i + day) % 7 !== 0)
  return aSnapshot(
    ...shows.map((i) => {
      const option = anOption({
        link: `https://example.test/${i}?day=${(i + day) % 3 === 0 ? day : 0}`,
        ...(i % 5 === 0 && { expiresOn: NOW + (day + 2) * DAY }),
      })
      const make = i % 4 === 0 ? aSeries : aMovie
      return make({ id: String(i), title: `Title ${i % 11} of ${day}`, streamingOptions: { us: [option] } })
    }),
  )
}

/** A node that follows the ledger, with the digest of its catalog after every commit. */
class FollowingNode {
  readonly digests = new Map<number, string>()
  readonly outdated: Error[] = []
  readonly tail: LogTail
  private readonly ledger: PostgresLedger

  private constructor(ledger: PostgresLedger, tail: (self: FollowingNode) => LogTail) {
    this.ledger = ledger
    this.tail = tail(this)
  }

  static async start(url: string, folder: string): Promise<FollowingNode> {
    const node = await new ReplicaDirectory(folder).open(url)
    const self = new FollowingNode(
      new PostgresLedger(node, url, 'test'),
      (one) =>
        new LogTail(node, url, {
          clock: () => NOW,
          onApplied: (commit) => one.digests.set(commit, computeCatalogDigest(node.catalog)),
          onOutdated: (reason) => one.outdated.push(reason),
        }),
    )
    self.digests.set(node.catalog.logPosition()?.commit ?? 0, computeCatalogDigest(node.catalog))
    self.tail.start()
    return self
  }

  get catalog() {
    return this.ledger.catalog
  }

  /** Waits until the node holds a commit. */
  reached(commit: number): Promise<true> {
    return eventually(async () => (this.catalog.logPosition()?.commit ?? 0) >= commit || undefined)
  }

  async stop(): Promise<void> {
    await this.tail.stop()
    await this.ledger.close()
  }
}

/** What the journal of a catalog has of the United States. */
function journalOf(catalog: Catalog) {
  const version = catalog.version()
  const commits = Array.from({ length: version }, (_, i) => catalog.journal.find(i + 1))
  const changes = [...catalog.journal.changesFrom({ version: 0, offset: 0 }, 'us', version)]
  return {
    commits,
    docs: commits.map((_, i) => catalog.journal.docsAfter(i, 'us').toArray()),
    changes: changes.map(({ change, ...place }) => ({ ...place, change: change?.change })),
  }
}

describe('nodes on one ledger', () => {
  let url: string
  let importer: PostgresLedger
  let now = NOW
  const digests = new Map<number, string>()
  const clock = () => now
  const imported = async (day: number) => {
    now = NOW + day * DAY
    await new WindowScheduler(importer, clock).applyDueWindows()
    await importFeed(feedFromRecords(feedOfDay(day)), importer, { clock })
    digests.set(importer.catalog.logPosition()?.commit as number, computeCatalogDigest(importer.catalog))
  }
  const started = async (folder = temporaryFolder()) => {
    const node = await FollowingNode.start(url, folder)
    onTestFinished(() => node.stop())
    return node
  }

  beforeAll(async () => {
    url = await testSchema()
    importer = await aNode(url, temporaryFolder(onFileFinished))
    return () => importer.close()
  })

  it('are equal at every commit, however they got there', async () => {
    const folders = { slept: temporaryFolder(), backup: temporaryFolder() }
    const first = await started()
    const second = await started()
    const sleeper = await FollowingNode.start(url, folders.slept)
    await imported(0)
    const early = importer.catalog.logPosition()?.commit as number
    await sleeper.reached(early)
    await sleeper.stop()
    mkdirSync(join(folders.backup, 'catalog'))
    await importer.catalog.environment.root.backup(join(folders.backup, 'catalog'), true)
    for (let day = 1; day <= DAYS; day++) await imported(day)
    const last = importer.catalog.logPosition()?.commit as number
    expect(last).toBeGreaterThanOrEqual(2 * DAYS)

    const late = [await started(), await started(folders.slept), await started(folders.backup)]
    for (const node of [first, second, ...late]) await node.reached(last)
    const nodes = [first, second, ...late]
    expect(nodes.map((node) => node.digests.get(last))).toEqual(nodes.map(() => digests.get(last)))
    for (const [commit, digest] of digests) expect(first.digests.get(commit)).toBe(digest)
    expect([...second.digests]).toEqual([...first.digests])
    // The one that slept and the one from the backup have followed commit by commit.
    expect(late.map((node) => node.digests.size)).toEqual([1, last - early + 1, last - early + 1])
    for (const node of nodes) expect(checkCatalog(node.catalog)).toEqual([])
    // The digest covers history: it is the same on a node that has copied it, too.
    for (const node of nodes) expect([...node.catalog.documents.docsWithHistory()].length).toBeGreaterThan(50)
    // A token of one node is good on the others: all that followed have the same journal. A new node has it from its start.
    const journal = journalOf(importer.catalog)
    expect(journal.changes.length).toBeGreaterThan(100)
    for (const node of [first, second, ...late.slice(1)]) expect(journalOf(node.catalog)).toEqual(journal)
    const token = currentToken(importer.catalog)
    for (const node of nodes) expect(resolveToken(node.catalog, token).version).toBe(importer.catalog.version() + 1)
  })

  it('have the same content as a local ledger', async () => {
    const local = new LocalLedger(temporaryFolder())
    onTestFinished(() => local.close())
    for (let day = 0; day <= DAYS; day++) {
      now = NOW + day * DAY
      await new WindowScheduler(local, clock).applyDueWindows()
      await importFeed(feedFromRecords(feedOfDay(day)), local, { clock })
    }
    expect(computeCatalogDigest(local.catalog)).toBe(computeCatalogDigest(importer.catalog))
  })

  it('start from a copied directory of another node', async () => {
    const [folder, copy] = [temporaryFolder(), temporaryFolder()]
    const original = await FollowingNode.start(url, folder)
    await original.stop()
    cpSync(folder, copy, { recursive: true })
    await imported(DAYS + 1)
    const last = importer.catalog.logPosition()?.commit as number
    const node = await started(copy)
    await node.reached(last)
    expect(node.digests.get(last)).toBe(digests.get(last))
    expect(node.digests.size).toBeGreaterThan(1)
  })

  it('bootstrap again if their replica is damaged or too old', async () => {
    const last = importer.catalog.logPosition()?.commit as number
    const [damaged, old] = [temporaryFolder(), temporaryFolder()]
    for (const folder of [damaged, old]) await (await FollowingNode.start(url, folder)).stop()
    truncateSync(join(damaged, 'catalog', 'data.mdb'), 20_000)
    const mended = await started(damaged)
    expect(mended.digests.get(last)).toBe(digests.get(last))

    await imported(DAYS + 2)
    // A node that follows has all commits before the log is truncated, or it would be too old as well.
    await mended.reached(importer.catalog.logPosition()?.commit as number)
    const session = await Session.open(url, { purpose: 'test' })
    await session.query(`UPDATE marquee_commits SET made_at = now() - interval '8 days'`)
    await session.close()
    expect(await importer.truncateLog(7)).toBeGreaterThan(2 * DAYS)
    const caughtUp = await started(old)
    expect([...caughtUp.digests.values()]).toEqual([computeCatalogDigest(importer.catalog)])
    expect(checkCatalog(caughtUp.catalog)).toEqual([])
    expect(mended.outdated).toEqual([])
  })

  it('bootstrap again if a killed process has left an old replica behind', async () => {
    const last = importer.catalog.logPosition()?.commit as number
    const folder = temporaryFolder()
    await (await FollowingNode.start(url, folder)).stop()
    cpSync(join(folder, 'catalog'), join(folder, 'copy', 'old'), { recursive: true })
    truncateSync(join(folder, 'catalog', 'data.mdb'), 20_000)
    const mended = await started(folder)
    expect(mended.digests.get(last)).toBe(computeCatalogDigest(importer.catalog))
    expect(existsSync(join(folder, 'copy', 'old'))).toBe(false)
  })

  it('refuse a directory that is not a replica, and say why', async () => {
    const folder = temporaryFolder()
    const local = new LocalLedger(folder)
    await importFeed(feedFromRecords(feedOfDay(0)), local, { clock })
    await local.close()
    await expect(aNode(url, folder)).rejects.toThrow('holds a catalog of its own')
    const copy = temporaryFolder()
    await (await aNode(url, copy)).close()
    expect(() => new LocalLedger(copy)).toThrow('holds a copy of a ledger in PostgreSQL')
  })
})
