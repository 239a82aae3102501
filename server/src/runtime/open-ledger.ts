import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Catalog } from '../catalog/catalog.ts'
import {
  CATALOG_FORMAT,
  type Environment,
  hasCatalog,
  isMigratable,
  openEnvironment,
} from '../catalog/storage/environment.ts'
import type { Settings } from '../config.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { systemClock } from '../lib/clock.ts'
import { systemErrorCode, UserError } from '../lib/errors.ts'
import { checkPages } from '../lib/lmdb/page-check.ts'
import { adoptFolder, assertUsableFolder } from './backup-manifest.ts'
import { formatCount, Progress } from './progress.ts'
import type { FolderRebuild } from './rebuild-folder.ts'

type LedgerSettings = Pick<Settings, 'dataDir' | 'databaseUrl'>

/**
 * Opens the ledger that the settings name. With PostgreSQL, the local catalog is first brought up to date; without it, a
 * catalog of an older format is migrated, except for a check.
 */
export async function openLedger({ dataDir, databaseUrl }: LedgerSettings, purpose: string): Promise<Ledger> {
  if (purpose === 'check') assertUsableFolder(dataDir)
  else adoptFolder(dataDir)
  if (databaseUrl === undefined) {
    const migrated = purpose === 'check' ? undefined : await migrateFormat(dataDir, { at: systemClock() })
    if (migrated !== undefined) process.stderr.write(`marquee: ${describeMigration(dataDir, migrated)}\n`)
    return new LocalLedger(dataDir)
  }
  const { PostgresLedger } = await import('../ledger/postgres/postgres-ledger.ts')
  const { ReplicaDirectory } = await import('../ledger/postgres/replica-directory.ts')
  const progress = new Progress()
  const replica = await new ReplicaDirectory(dataDir).open(databaseUrl, {
    onProgress: (done, total) => progress.update('shows copied from PostgreSQL', done, () => done / total),
  })
  progress.end()
  const ledger = new PostgresLedger(replica, databaseUrl, purpose)
  await ledger.refresh()
  return ledger
}

/** Opens a ledger to validate feeds against: the one that the settings name, or an empty one if there is no catalog. */
export async function openLedgerForCheck(settings: LedgerSettings): Promise<Ledger> {
  const { dataDir, databaseUrl } = settings
  return databaseUrl !== undefined || hasCatalog(dataDir) ? openLedger(settings, 'check') : new TemporaryLedger()
}

/** An empty ledger in a temporary folder, which `close` deletes. */
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

/** How long a quick command checks pages. */
export const QUICK_PAGE_CHECK_MS = 200

/**
 * Opens the catalog of a data directory for a command that needs one; throws if there is none. On a file system that can only
 * be read it is opened without LMDB's lock file: nothing can write there, so no page is freed under a reader.
 * @param pageCheckMs how long its pages are checked: all of them, unless the command itself is quick
 */
export function openExistingCatalog(dataDir: string, { pageCheckMs = Number.POSITIVE_INFINITY } = {}): Environment {
  assertUsableFolder(dataDir)
  if (!hasCatalog(dataDir)) throw new UserError(`There is no catalog in ${dataDir}; \`marquee import\` makes one`)
  // A damaged page could end the process by a signal, or hide what it leads to.
  if (pageCheckMs > 0) checkPages(join(dataDir, 'catalog'), pageCheckMs)
  try {
    return openEnvironment(dataDir)
  } catch (error) {
    if (systemErrorCode(error) !== 'EROFS') throw error
    return openEnvironment(dataDir, { readOnly: true })
  }
}

interface MigrateOptions {
  /** The time of the migration. */
  readonly at: number
  /** Whether this process serves the folder. */
  readonly isClaimed?: boolean
}

/**
 * Brings the catalog of a data folder to the current format, if it has an older one; undefined if it has not. A replica
 * is left alone: its node copies it again from PostgreSQL.
 */
export async function migrateFormat(dataDir: string, options: MigrateOptions): Promise<FolderRebuild | undefined> {
  if (!hasCatalog(dataDir) || !(await needsMigration(dataDir))) return undefined
  const { rebuildDataFolder } = await import('./rebuild-folder.ts')
  const progress = new Progress()
  try {
    return await rebuildDataFolder(dataDir, {
      ...options,
      reason: 'migration',
      onProgress: (label, done, total) => progress.update(label, done, () => done / Math.max(total, 1)),
    })
  } finally {
    progress.end()
  }
}

async function needsMigration(dataDir: string): Promise<boolean> {
  const environment = openEnvironment(dataDir, { readOnly: true })
  try {
    if (!isMigratable((environment.meta.get('format') as number | undefined) ?? CATALOG_FORMAT)) return false
    return new Catalog(environment, { allowOlderFormat: true }).logPosition() === undefined
  } finally {
    await environment.root.close()
  }
}

/** Says what a migration did, and the way back. */
export function describeMigration(dataDir: string, { formerFormat, previous, shows, changes }: FolderRebuild): string {
  const contents = `${formatCount(shows, 'show')} and ${formatCount(changes, 'change')}`
  return (
    `The catalog in ${dataDir} was brought from format ${formerFormat} to ${CATALOG_FORMAT}, with ${contents}. ` +
    `As it was before, it is in ${previous}, which the former version of the program can serve`
  )
}
