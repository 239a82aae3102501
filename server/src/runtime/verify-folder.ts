import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import type { Database } from 'lmdb'
import { Catalog } from '../catalog/catalog.ts'
import { DocumentSnapshot } from '../catalog/documents/document-snapshot.ts'
import { openEnvironment } from '../catalog/storage/environment.ts'
import { type CatalogProblem, ProblemCollector } from '../catalog/verify/catalog-problems.ts'
import { type OnVerifyProgress, type VerifyReport, verifyCatalog } from '../catalog/verify/verify-catalog.ts'
import type { CatalogMark } from '../catalog/write/batch.ts'
import {
  catalogMark,
  decodeShow,
  isSameMark,
  readDocuments,
  readHead,
  storedShowJson,
} from '../ledger/postgres/log-rows.ts'
import { ReplicaDirectory } from '../ledger/postgres/replica-directory.ts'
import { UserError } from '../lib/errors.ts'
import { openLmdb } from '../lib/lmdb/lmdb.ts'
import { DamagedFileError } from '../lib/lmdb/lmdb-file.ts'
import { checkPages } from '../lib/lmdb/page-check.ts'
import { openDatabase } from '../lib/postgres/database.ts'
import type { Session } from '../lib/postgres/session.ts'
import { hasProcess } from '../lib/process-info.ts'
import type { Show } from '../model/show.ts'
import { assertNotServed } from './service-claim.ts'

/** The names of scratch folders, followed by the process that made them. */
const SCRATCH_PREFIX = 'marquee-verify-'

interface VerifyOptions {
  /** The ledger to compare with, for a replica. */
  readonly databaseUrl?: string | undefined
  readonly onProgress?: OnVerifyProgress | undefined
}

/**
 * Throws if one of the other files of a data folder is damaged: the structure of the LMDB environments beside the catalog, and
 * whether each of their rows can be decoded.
 */
export async function verifyOtherFiles(dataDir: string): Promise<void> {
  const syncs = join(dataDir, 'sync')
  const folders = [
    'accounts',
    'service',
    ...(existsSync(syncs) ? readdirSync(syncs).map((name) => join('sync', name)) : []),
  ]
  for (const folder of folders.map((name) => join(dataDir, name))) {
    if (!existsSync(join(folder, 'data.mdb'))) continue
    checkPages(folder)
  }
  const folder = join(dataDir, 'accounts')
  if (!existsSync(join(folder, 'data.mdb'))) return
  const root = openLmdb<unknown, string>({ path: folder, maxDbs: 32, readOnly: true })
  try {
    for (const name of [...root.getKeys({})]) readRows(root.openDB({ name }), folder, name)
  } finally {
    await root.close()
  }
}

function readRows(table: Database, folder: string, name: string): void {
  try {
    for (const _ of table.getRange({}));
  } catch (error) {
    throw new DamagedFileError(
      join(folder, 'data.mdb'),
      `the table ${name} cannot be read (${(error as Error).message})`,
    )
  }
}

/** Verifies the catalog of a data folder, which may be served meanwhile: against itself, and a replica against the log. */
export async function verifyDataFolder(dataDir: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { databaseUrl, onProgress } = options
  removeAbandoned()
  const folder = mkdtempSync(join(tmpdir(), `${SCRATCH_PREFIX}${process.pid}-`))
  const environment = openEnvironment(dataDir, { readOnly: true })
  const scratch = openEnvironment(folder, { temporary: true })
  try {
    const catalog = new Catalog(environment)
    const report = verifyCatalog(catalog, new Catalog(scratch), onProgress)
    if (databaseUrl === undefined) return report
    const problems = [...report.problems, ...(await compareWithLog(catalog, databaseUrl, onProgress))]
    return { ...report, problems }
  } finally {
    await environment.root.close()
    await scratch.root.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compareWithLog(
  catalog: Catalog,
  url: string,
  onProgress: OnVerifyProgress | undefined,
): Promise<readonly CatalogProblem[]> {
  const session = await openDatabase(url, { purpose: 'verify' })
  try {
    return await verifyAgainstLog(session, catalog, (done, total) =>
      onProgress?.('documents compared with the log', done, total),
    )
  } finally {
    await session.close()
  }
}

/** Repairs a replica: copies it again from PostgreSQL. The service must be stopped. */
export async function copyReplicaAgain(
  dataDir: string,
  url: string,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  await assertNotServed(dataDir)
  const directory = new ReplicaDirectory(dataDir)
  directory.invalidate('marquee verify found that it is damaged')
  const replica = await directory.open(url, { onProgress })
  await replica.close()
}

/** Deletes the scratch folders of killed verifications. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^marquee-verify-(\d+)-/.exec(name)?.[1])
    if (pid > 0 && !hasProcess(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

/** Documents per query. */
const PAGE_ROWS = 500

/**
 * Compares a replica with the log as of the replica's position: version, content hash, counts and every document. The
 * replica may follow the log meanwhile, since all reads are of the snapshot of the start.
 */
async function verifyAgainstLog(
  session: Session,
  catalog: Catalog,
  onProgress: (done: number, total: number) => void,
): Promise<CatalogProblem[]> {
  const problems = new ProblemCollector()
  // In one turn of the event loop: snapshot, position and mark are of one version.
  const snapshot = new DocumentSnapshot(catalog.environment, catalog.dictionary)
  try {
    const position = catalog.logPosition()
    const mark = catalogMark(catalog)
    const counts = catalog.counts()
    if (position === undefined) throw new UserError('The catalog is no replica of a ledger: it has no log position')
    const { id } = await readHead(session)
    if (id !== position.ledger) {
      problems.add('log', 'different', `the catalog follows the ledger ${position.ledger}, the database holds ${id}`)
      return problems.list()
    }
    const [commit] = await session.query<CatalogMark & { counts: string }>(
      'SELECT version, edition, next_doc AS "nextDoc", counts FROM marquee_commits WHERE commit_number = $1',
      [position.commit],
    )
    // The row of the last commit may have been truncated; the documents are there all the same.
    if (commit !== undefined) {
      const { counts: stored, ...expected } = commit
      if (!isSameMark(expected, mark)) problems.add('log', 'different', `the mark of commit ${position.commit}`)
      if (!isDeepStrictEqual(JSON.parse(stored), counts)) {
        problems.add('log', 'different', `the counts of commit ${position.commit}`)
      }
    }
    for (let from = 0; from < mark.nextDoc; from += PAGE_ROWS) {
      const to = Math.min(from + PAGE_ROWS, mark.nextDoc)
      const bodies = await readDocuments(session, from, to, position.commit)
      bodies.forEach((body, i) => {
        compareDocument(snapshot, from + i, body, problems)
      })
      onProgress(to, mark.nextDoc)
    }
    return problems.list()
  } finally {
    snapshot.close()
  }
}

function compareDocument({ documents }: DocumentSnapshot, doc: number, body: Buffer, problems: ProblemCollector): void {
  let show: Show | undefined
  try {
    show = documents.show(doc)
  } catch {
    // The verification against itself has named it.
  }
  if (show === undefined) problems.add('log', 'missing', `document ${doc} in the catalog`)
  else if (storedShowJson(show) !== inflateRawSync(body).toString() && !isDeepStrictEqual(show, decodeShow(body))) {
    problems.add('log', 'different', `document ${doc}, show ${show.id}`)
  }
}
