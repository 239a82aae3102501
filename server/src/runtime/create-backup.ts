import { copyFileSync, existsSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Catalog } from '../catalog/catalog.ts'
import { CATALOG_FORMAT, openEnvironment } from '../catalog/storage/environment.ts'
import type { Settings } from '../config.ts'
import { describeSystemError, UserError } from '../lib/errors.ts'
import { makeFolder } from '../lib/files.ts'
import { openLmdb } from '../lib/lmdb/lmdb.ts'
import { hasProcess } from '../lib/process-info.ts'
import { type BackupManifest, markFinished, markUnfinished, readManifest, writeManifest } from './backup-manifest.ts'
import { openServiceAccounts } from './open-accounts.ts'
import { openExistingCatalog } from './open-ledger.ts'

type BackupSettings = Pick<Settings, 'dataDir' | 'databaseUrl' | 'keyPrefix' | 'sourcesFile'>

/**
 * Backs up a data folder while it is in use: catalog, accounts, state of syncs, the schedule and its state. It is written
 * beside the target and renamed when it is complete, so the target is a whole backup or not there.
 */
export async function createBackup(settings: BackupSettings, target: string, now: number): Promise<BackupManifest> {
  const path = resolve(target)
  const existing = statSync(path, { throwIfNoEntry: false })
  if (existing?.isDirectory() === false) {
    throw new UserError(`${target} cannot be made: there is something else of that name`)
  }
  if (existing !== undefined && readdirSync(path).length > 0) {
    throw new UserError(`The folder ${target} is not empty; name a new one`)
  }
  const environment = openExistingCatalog(settings.dataDir)
  const staging = `${path}.unfinished-${process.pid}`
  try {
    makeFolder(dirname(path))
    removeAbandoned(path)
    makeFolder(staging)
    markUnfinished(staging, 'backup')
    for (const part of ['catalog', 'accounts']) makeFolder(join(staging, part))
    await environment.root.backup(join(staging, 'catalog'), true)
    const keys = await backUpAccounts(settings, join(staging, 'accounts'))
    await backUpSyncs(settings.dataDir, staging)
    copySchedule(settings, staging)
    const manifest = writeManifest(staging, { madeAt: now, catalog: await readCatalogFacts(staging), keys })
    markFinished(staging)
    if (existing !== undefined) rmdirSync(path)
    renameSync(staging, path)
    return manifest
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    throw explain(error, target)
  } finally {
    await environment.root.close()
  }
}

/** Deletes the oldest backups in a folder, all but the latest so many. Returns the names of the deleted ones. */
export function rotateBackups(parent: string, keep: number): string[] {
  const backups = readdirSync(parent)
    .map((name) => ({ name, madeAt: readManifest(join(parent, name))?.madeAt }))
    .filter((one): one is { name: string; madeAt: number } => one.madeAt !== undefined)
    .sort((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1))
  const old = backups.slice(keep).map(({ name }) => name)
  for (const name of old) rmSync(join(parent, name), { recursive: true, force: true })
  return old
}

/** Deletes what killed backups to the same place left behind. */
function removeAbandoned(path: string): void {
  const prefix = `${basename(path)}.unfinished-`
  for (const name of readdirSync(dirname(path))) {
    const pid = Number(name.slice(prefix.length))
    if (!name.startsWith(prefix) || !Number.isSafeInteger(pid)) continue
    if (pid === process.pid || !hasProcess(pid)) rmSync(join(dirname(path), name), { recursive: true, force: true })
  }
}

async function backUpAccounts(settings: BackupSettings, folder: string): Promise<number> {
  const accounts = openServiceAccounts(settings)
  try {
    await accounts.backup(folder)
    return accounts.keys.list().length
  } finally {
    await accounts.close()
  }
}

/** Backs up the state of each sync, an environment of its own. */
async function backUpSyncs(dataDir: string, staging: string): Promise<void> {
  const folder = join(dataDir, 'sync')
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!existsSync(join(folder, name, 'data.mdb'))) continue
    makeFolder(join(staging, 'sync', name))
    const root = openLmdb({ path: join(folder, name), readOnly: true })
    try {
      await root.backup(join(staging, 'sync', name), true)
    } finally {
      await root.close()
    }
  }
}

/** Copies the file of the schedule and the state of each source. */
function copySchedule({ dataDir, sourcesFile }: BackupSettings, staging: string): void {
  if (existsSync(sourcesFile)) copyFileSync(sourcesFile, join(staging, 'sources.json'))
  const folder = join(dataDir, 'schedule')
  if (!existsSync(folder)) return
  makeFolder(join(staging, 'schedule'))
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.json')) {
      copyFileSync(join(folder, entry.name), join(staging, 'schedule', entry.name))
    }
  }
}

/** Opens the copy, which proves that it can be read. */
async function readCatalogFacts(folder: string): Promise<BackupManifest['catalog']> {
  const environment = openEnvironment(folder, { readOnly: true })
  try {
    const catalog = new Catalog(environment)
    const { shows, offers } = catalog.counts()
    return { version: catalog.version(), format: CATALOG_FORMAT, shows, offers }
  } finally {
    await environment.root.close()
    rmSync(join(folder, 'catalog', 'lock.mdb'), { force: true })
  }
}

/** Turns a system error into a sentence about the target. Those of lmdb's backup have a message, and no code. */
function explain(error: unknown, target: string): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error
  const { message } = error
  const fromLmdb = /No space left/.test(message) ? 'ENOSPC' : /Input\/output error/.test(message) ? 'EIO' : undefined
  const reason = describeSystemError(error) ?? describeSystemError({ code: fromLmdb })
  return reason === undefined ? error : new UserError(`${target} cannot be made: ${reason}`)
}
