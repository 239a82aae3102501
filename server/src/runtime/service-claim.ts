import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describeHolder } from '../ingest/import-lock.ts'
import { currentHolder, type TaskHolder } from '../ledger/ledger.ts'
import { UserError } from '../lib/errors.ts'
import { makeFolder } from '../lib/files.ts'
import { openLmdb } from '../lib/lmdb/lmdb.ts'
import { checkPages } from '../lib/lmdb/page-check.ts'
import { isRunning } from '../lib/process-info.ts'

/**
 * Claims a data directory for the service of this process, until the process ends. Two services in one folder would apply
 * the same windows, run the same schedule and, as demos, revoke each other's keys. The claim has an LMDB environment of
 * its own, because backups copy that of the catalog and a bootstrap replaces it.
 */
export async function claimDataDirectory(dataDir: string, now: number): Promise<void> {
  const folder = join(dataDir, 'service')
  makeFolder(folder)
  checkPages(folder)
  const root = openLmdb<TaskHolder, string>({ path: folder, encoding: 'json' })
  try {
    const holder = root.transactionSync(() => {
      const existing = root.get('claim')
      if (existing !== undefined && isRunning(existing)) return existing
      root.putSync('claim', currentHolder(now, 'the service'))
      return undefined
    })
    if (holder !== undefined) throw new FolderServedError(dataDir, holder, 'or set MARQUEE_DATA to another folder')
  } finally {
    await root.close()
  }
}

/** Throws if a service runs on a data directory. */
export async function assertNotServed(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'service')
  if (!existsSync(join(folder, 'data.mdb'))) return
  const root = openLmdb<TaskHolder, string>({ path: folder, encoding: 'json', readOnly: true })
  try {
    const holder = root.get('claim')
    if (holder !== undefined && isRunning(holder)) {
      throw new FolderServedError(dataDir, holder, 'and start it again afterwards')
    }
  } finally {
    await root.close()
  }
}

/** Thrown when a service runs on a data directory that must not be served now. */
class FolderServedError extends UserError {
  override readonly name = 'FolderServedError'

  constructor(dataDir: string, holder: TaskHolder, remedy: string) {
    const since = new Date(holder.since * 1000).toISOString().replace('.000', '')
    super(`The folder ${dataDir} is served by ${describeHolder(holder)} since ${since}; stop that one, ${remedy}`)
  }
}
