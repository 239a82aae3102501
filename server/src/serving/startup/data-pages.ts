import { join } from 'node:path'
import type { Settings } from '../../config.ts'
import { systemTimer } from '../../lib/clock.ts'
import { DamagedFileError } from '../../lib/lmdb/lmdb-file.ts'
import { checkPagesInThread } from '../../lib/lmdb/page-check.ts'

/** How long the start waits for the check of the pages, which goes on beside the service where files are large. */
const MAX_PAGE_CHECK_WAIT_MS = 200

/** Checks every page of the accounts and of the catalog, in a thread. Throws if one is damaged. */
export async function checkDataPages(dataDir: string): Promise<void> {
  for (const part of ['accounts', 'catalog']) await checkPagesInThread(join(dataDir, part))
}

/** Throws if a page is found to be damaged before anything reads it. Returns that of a node's catalog, which is copied again. */
export async function findEarlyDamage(check: Promise<void>, { databaseUrl }: Settings): Promise<string | undefined> {
  try {
    await Promise.race([check, systemTimer.sleep(MAX_PAGE_CHECK_WAIT_MS)])
    return undefined
  } catch (error) {
    if (databaseUrl !== undefined && error instanceof DamagedFileError && error.isCatalog) return error.message
    throw error
  }
}
