import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Accounts, openAccounts } from '../accounts/accounts.ts'
import { openPostgresAccounts } from '../accounts/postgres/open-postgres-accounts.ts'
import type { AuditContext } from '../accounts/store/audit-log.ts'
import { type Environment, hasCatalog, openEnvironment } from '../catalog/storage/environment.ts'
import { CommandError } from '../commands/terminal/output.ts'
import { readSettings, type Settings } from '../config.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { PostgresLedger } from '../ledger/postgres/postgres-ledger.ts'
import { ReplicaDirectory } from '../ledger/postgres/replica-directory.ts'
import { systemClock } from '../lib/clock.ts'
import { Progress } from './progress.ts'

type LedgerSettings = Pick<Settings, 'dataDir' | 'databaseUrl'>

/** The ledger that the settings name, with the catalog of the data directory brought up to date. */
export async function openLedger({ dataDir, databaseUrl }: LedgerSettings, purpose: string): Promise<Ledger> {
  if (databaseUrl === undefined) return new LocalLedger(dataDir)
  const progress = new Progress()
  const node = await new ReplicaDirectory(dataDir).open(databaseUrl, {
    onProgress: (done, total) => progress.update('shows copied from PostgreSQL', done, () => done / total),
  })
  progress.end()
  const ledger = new PostgresLedger(node, databaseUrl, purpose)
  await ledger.refresh()
  return ledger
}

/** A ledger to check feeds against: the one that the settings name, or an empty one where there is none yet. */
export async function openLedgerForCheck(settings: LedgerSettings): Promise<Ledger> {
  const { dataDir, databaseUrl } = settings
  return databaseUrl !== undefined || hasCatalog(dataDir) ? openLedger(settings, 'check') : new TemporaryLedger()
}

/** An empty ledger that leaves nothing behind. */
class TemporaryLedger extends LocalLedger {
  private readonly folder: string

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-check-'))
    super(folder)
    this.folder = folder
  }

  override async close(): Promise<void> {
    await super.close()
    rmSync(this.folder, { recursive: true })
  }
}

/** The accounts that the settings name. With PostgreSQL they are read from the node's own copy. */
export function openServiceAccounts({
  dataDir,
  databaseUrl,
  keyPrefix,
}: Pick<Settings, 'dataDir' | 'databaseUrl' | 'keyPrefix'>): Accounts {
  const dir = join(dataDir, 'accounts')
  if (databaseUrl === undefined) return openAccounts(dir, { keyPrefix })
  return openPostgresAccounts(dir, databaseUrl, { keyPrefix })
}

/** Opens the catalog of a data directory, for commands that have nothing to do where there is none. */
export function openExistingCatalog(dataDir: string): Environment {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new CommandError(`MARQUEE_DATA names ${dataDir}, which is no folder`)
  }
  if (!hasCatalog(dataDir)) throw new CommandError(`There is no catalog in ${dataDir}; \`marquee import\` makes one`)
  return openEnvironment(dataDir)
}

/** Does something with the accounts of the data directory, as the operator. */
export async function withAccounts(
  use: (accounts: Accounts, act: AuditContext) => Promise<void> | void,
): Promise<void> {
  const accounts = openServiceAccounts(readSettings(process.env))
  try {
    await accounts.refresh()
    await use(accounts, { by: 'operator', now: systemClock() })
  } finally {
    await accounts.close()
  }
}

/** An instant as tables show it. */
export function formatInstant(at: number | undefined): string {
  return at === undefined ? '' : new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
