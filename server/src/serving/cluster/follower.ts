import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AccountFollower } from '../../accounts/postgres/account-follower.ts'
import type { Settings } from '../../config.ts'
import type { ReplicationState } from '../../ledger/ledger-status.ts'
import { LedgerFillingError } from '../../ledger/postgres/log-head.ts'
import { LogTail } from '../../ledger/postgres/log-tail.ts'
import { PostgresLedger } from '../../ledger/postgres/postgres-ledger.ts'
import type { ReplicaCatalog } from '../../ledger/postgres/replica-catalog.ts'
import { ReplicaDirectory } from '../../ledger/postgres/replica-directory.ts'
import { systemClock } from '../../lib/clock.ts'
import { DatabaseUnavailableError } from '../../lib/postgres/session.ts'
import { WindowLeader } from '../maintenance/window-leader.ts'
import { createLogger, onStopSignal } from '../startup/process-setup.ts'

/** What the process that follows the ledger tells the primary. */
export interface FollowerMessage {
  /** Which file the catalog is in; another one than before if the catalog was copied anew. */
  readonly catalogFile?: string
  readonly ledger?: ReplicationState
  /** How many processes serve on all nodes. */
  readonly processes?: number
  /** How many shows the keeper was concerned with when it last looked. */
  readonly settled?: number
  /** Why the keeper could not do its work. */
  readonly keeperFailed?: string
}

/** How long to wait before PostgreSQL is tried again. */
const RETRY_MS = 1_000

/**
 * The process of a node that writes its catalog: it copies the ledger if need be, follows it, and keeps the windows of
 * offers when that is this node's turn. Nobody is served by it, so it may be busy for as long as it takes.
 */
export async function runFollower(settings: Settings): Promise<void> {
  const logger = createLogger(settings)
  const url = settings.databaseUrl as string
  const directory = new ReplicaDirectory(settings.dataDir)
  // Without its primary nobody would start it again, or stop it.
  process.on('disconnect', () => process.exit(0))
  if (!process.connected) process.exit(0)
  const accounts = new AccountFollower(join(settings.dataDir, 'accounts'), url, {
    node: randomUUID(),
    workers: settings.workers,
    onProcesses: (processes) => sendToPrimary({ processes }),
    onError: (error) => logger.warn({ err: error }, 'the accounts cannot be followed'),
  })
  accounts.start()
  let stop = () => accounts.stop()
  onStopSignal(() => stop())

  const node = await openWithRetry(directory, url, logger)
  sendToPrimary({ catalogFile: catalogFileId(settings.dataDir) })
  const ledger = new PostgresLedger(node, url, 'keeper')
  let keeper = false
  const tail = new LogTail(node, url, {
    clock: systemClock,
    onState: (state) => sendToPrimary({ ledger: { ...state, keeper } }),
    onDisconnect: (error) => logger.warn({ err: error }, 'PostgreSQL is away; what is there is served meanwhile'),
    onOutdated: (reason) => {
      logger.warn({ err: reason }, 'the catalog cannot follow the ledger and is copied anew')
      directory.invalidate(reason.message)
      process.exit(0)
    },
  })
  const duty = new WindowLeader(ledger, {
    clock: systemClock,
    retentionDays: settings.retentionDays,
    logDays: settings.logDays,
    logger,
    onRun: (settled) => sendToPrimary({ settled }),
    onFailure: (error) => sendToPrimary({ keeperFailed: error instanceof Error ? error.message : String(error) }),
    onLeadership: (onDuty) => {
      keeper = onDuty
      sendToPrimary({ ledger: { ...tail.state(), keeper } })
    },
  })
  tail.start()
  duty.start()
  stop = async () => {
    await duty.stop()
    await tail.stop()
    await ledger.close()
    await accounts.stop()
  }
}

/** Opens the catalog as soon as PostgreSQL can be reached. */
async function openWithRetry(directory: ReplicaDirectory, url: string, logger: Logger): Promise<ReplicaCatalog> {
  for (let told = false; ; told = true) {
    try {
      return await directory.open(url, {
        onBootstrap: (reason) => logger.info({ reason }, 'the catalog is copied from PostgreSQL'),
      })
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError || error instanceof LedgerFillingError)) throw error
      if (!told) logger.warn({ err: error }, 'the ledger cannot be used yet')
      sendToPrimary({ ledger: { connected: false, commit: 0, lastCommit: 0 } })
      await sleep(RETRY_MS)
    }
  }
}

function sendToPrimary(message: FollowerMessage): void {
  // The primary may be gone at any moment; this process then ends by itself.
  process.send?.(message, undefined, undefined, () => {})
}

/** Tells the file of the catalog from one that stood in its place before or will after. */
export function catalogFileId(dataDir: string): string {
  const { ino, birthtimeMs } = statSync(join(dataDir, 'catalog', 'data.mdb'))
  return `${ino} ${birthtimeMs}`
}
