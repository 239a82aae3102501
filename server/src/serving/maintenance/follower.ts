import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { AccountFollower } from '../../accounts/postgres/account-replica.ts'
import { catalogFileId } from '../../catalog/storage/environment.ts'
import { CatalogDivergedError } from '../../catalog/write/batch.ts'
import { readSettings, type Settings } from '../../config.ts'
import { LedgerFillingError } from '../../ledger/postgres/log-rows.ts'
import { LogTail } from '../../ledger/postgres/log-tail.ts'
import { PostgresLedger } from '../../ledger/postgres/postgres-ledger.ts'
import type { ReplicaCatalog } from '../../ledger/postgres/replica-catalog.ts'
import { ReplicaDirectory } from '../../ledger/postgres/replica-directory.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { systemClock, systemTimer } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import { ForeignDatabaseError } from '../../lib/postgres/database.ts'
import { DatabaseUnavailableError } from '../../lib/postgres/session.ts'
import type { FollowerMessage } from '../cluster/messages.ts'
import { createLogger, exitWithPrimary, logOncePerMinute, onStopSignal } from '../startup/process-lifecycle.ts'
import { WindowLeader } from './window-leader.ts'

/*
 * The program of the follower: the one process of a node that writes the node's catalog and accounts. It bootstraps the
 * replica if need be, applies the commits of the log, and runs the window scheduler while this node is the leader. It
 * answers no requests, so it may block its event loop.
 */

/** Delay before PostgreSQL is tried again while the catalog cannot be opened. */
const OPEN_BACKOFF = { firstMs: 1_000, maxMs: 5_000 }

/** How often the primary hears of this process; see `FollowerProcess`. */
const HEARTBEAT_MS = 5_000

async function runFollower(settings: Settings): Promise<void> {
  const logger = createLogger(settings)
  const url = settings.databaseUrl as string
  const directory = new ReplicaDirectory(settings.dataDir)
  const logFailure = createFailureLog(logger)
  exitWithPrimary()
  setInterval(() => sendToPrimary({ type: 'heartbeat' }), HEARTBEAT_MS).unref()
  const accounts = new AccountFollower(join(settings.dataDir, 'accounts'), url, {
    node: randomUUID(),
    workers: settings.workers,
    onProcesses: (workers) => sendToPrimary({ type: 'worker-count', workers }),
    onError: (error) => logFailure({ event: 'accounts_follow_failed' }, error),
  })
  accounts.start()
  let stop = () => accounts.stop()
  onStopSignal(() => stop())

  const replica = await openWithRetry(directory, url, logger, logFailure)
  sendToPrimary({ type: 'catalog-opened', fileId: catalogFileId(settings.dataDir) })
  const ledger = new PostgresLedger(replica, url, 'keeper')
  let isLeader = false
  const tail = new LogTail(replica, url, {
    clock: systemClock,
    onState: (state) => sendToPrimary({ type: 'replication', state: { ...state, isLeader } }),
    onDisconnect: (error) => logFailure({ event: 'ledger_disconnected' }, error),
    onOutdated: (error) => {
      logger.warn(
        { event: 'replica_outdated', reason: error.message },
        'the replica cannot follow the log and is bootstrapped again',
      )
      directory.invalidate(error.message)
      process.exit(0)
    },
  })
  const leader = new WindowLeader(ledger, {
    clock: systemClock,
    retentionDays: settings.retentionDays,
    historyDays: settings.historyDays,
    logDays: settings.logDays,
    logger,
    onRun: (shows) => sendToPrimary({ type: 'windows-applied', shows }),
    onFailure: (error) =>
      sendToPrimary({ type: 'windows-failed', reason: error instanceof Error ? error.message : String(error) }),
    onLeadership: (leads) => {
      isLeader = leads
      sendToPrimary({ type: 'replication', state: { ...tail.state(), isLeader } })
    },
  })
  tail.start()
  leader.start()
  stop = async () => {
    await leader.stop()
    await tail.stop()
    await ledger.close()
    await accounts.stop()
  }
}

/** What ends by itself, or when an operator has mended it. A ledger that is being restored lacks documents for a while. */
const RETRIED = [DatabaseUnavailableError, LedgerFillingError, CatalogDivergedError]

/** Logs why PostgreSQL cannot be followed. */
type FailureLog = (line: { readonly event: string }, error: unknown) => void

/**
 * A log of failures in which one cause, which stops catalog and accounts alike, costs one line a minute. A database of
 * another cluster has an event of its own.
 */
function createFailureLog(logger: Logger): FailureLog {
  let line = { event: '' }
  const log = logOncePerMinute((problem) => {
    const fields = { ...line, ...problem }
    logger.error(fields, 'PostgreSQL cannot be followed; the node serves what it has')
  })
  return (failed, error) => {
    line = error instanceof ForeignDatabaseError ? { event: 'foreign_database' } : failed
    log(error instanceof CatalogDivergedError ? new UserError(error.message) : error)
  }
}

/** Opens the replica, and retries while PostgreSQL cannot be reached or its ledger is still being filled. */
async function openWithRetry(
  directory: ReplicaDirectory,
  url: string,
  logger: Logger,
  logFailure: FailureLog,
): Promise<ReplicaCatalog> {
  for (let failures = 1; ; failures++) {
    try {
      let lastPercent = -1
      return await directory.open(url, {
        onProgress: (done, total) => {
          const percent = Math.floor((100 * done) / Math.max(total, 1))
          if (percent !== lastPercent) sendToPrimary({ type: 'copying', percent })
          lastPercent = percent
        },
        onBootstrap: (reason) =>
          logger.info({ event: 'replica_bootstrap', reason }, 'the replica is bootstrapped from PostgreSQL'),
      })
    } catch (error) {
      if (!RETRIED.some((kind) => error instanceof kind)) throw error
      logFailure({ event: 'ledger_unavailable' }, error)
      sendToPrimary({ type: 'replication', state: { connected: false, commit: 0, lastCommit: 0 } })
      await systemTimer.sleep(backoffMs(failures, OPEN_BACKOFF))
    }
  }
}

function sendToPrimary(message: FollowerMessage): void {
  // A send fails if the primary has just exited, and then this process exits too.
  process.send?.(message, undefined, undefined, () => {})
}

await runFollower(readSettings(process.env))
