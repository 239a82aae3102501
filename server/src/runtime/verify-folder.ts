import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from 'lmdb'
import { Catalog } from '../catalog/catalog.ts'
import { openEnvironment } from '../catalog/storage/environment.ts'
import type { CatalogProblem } from '../catalog/verify/problems.ts'
import { type OnVerifyProgress, type VerifyReport, verifyCatalog } from '../catalog/verify/verify-catalog.ts'
import { ReplicaDirectory } from '../ledger/postgres/replica-directory.ts'
import { verifyAgainstLog } from '../ledger/postgres/verify-replica.ts'
import { openLmdb } from '../lib/lmdb/lmdb.ts'
import { DamagedFileError } from '../lib/lmdb/lmdb-file.ts'
import { checkPages } from '../lib/lmdb/page-check.ts'
import { openDatabase } from '../lib/postgres/migrations.ts'
import { hasProcess } from '../lib/process/process-identity.ts'
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
