import type { Logger } from 'pino'
import { ReplicaDirectory } from '../../ledger/postgres/replica-directory.ts'
import { systemClock, systemTimer } from '../../lib/clock.ts'
import { openDatabase } from '../../lib/postgres/migrations.ts'
import { DatabaseRefusedError, DatabaseUnavailableError } from '../../lib/postgres/session.ts'

/** How long a node without a copy waits for PostgreSQL, which may be starting beside it. */
const MAX_DATABASE_WAIT_SECONDS = 30
const DATABASE_RETRY_MS = 1_000

/**
 * Makes sure that a node has something to serve, or will have: a copy of the ledger, or a database that it can be copied
 * from. Throws if it has neither, so that the service does not start.
 */
export async function prepareReplica(
  dataDir: string,
  url: string,
  logger: Logger,
  damage: string | undefined,
): Promise<void> {
  const directory = new ReplicaDirectory(dataDir)
  if (damage !== undefined) logger.error({ event: 'catalog_damaged', table: 'pages' }, damage)
  await directory.prepare(damage)
  const startedAt = systemClock()
  for (let isFirst = true; !(await directory.hasCopy()); isFirst = false) {
    try {
      const session = await openDatabase(url, { purpose: 'start' })
      await session.close()
      return
    } catch (error) {
      const isPassing = error instanceof DatabaseUnavailableError && !(error instanceof DatabaseRefusedError)
      if (!isPassing || systemClock() - startedAt >= MAX_DATABASE_WAIT_SECONDS) throw error
      if (isFirst) logger.warn({ event: 'database_awaited', problem: error.message }, 'waiting for PostgreSQL')
      await systemTimer.sleep(DATABASE_RETRY_MS)
    }
  }
}
