import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { openEnvironment } from '../catalog/storage/environment.ts'
import { LocalTaskLock } from '../ledger/local-ledger.ts'
import { UserError } from '../lib/errors.ts'
import { makeFolder } from '../lib/files.ts'
import {
  type BackupManifest,
  findManifestProblems,
  markFinished,
  markUnfinished,
  readManifest,
} from './backup-manifest.ts'
import { assertNotServed } from './service-claim.ts'

/** The parts of a data folder that a backup holds. */
const PARTS = ['catalog', 'accounts', 'sync', 'schedule', 'sources.json']

/** What a restore did. */
export interface RestoreResult {
  readonly manifest: BackupManifest
  /** Where the parts are that were there before; undefined if there were none. */
  readonly previous: string | undefined
}

/**
 * Puts a backup in the place of a data folder. It is checked against its manifest, copied into the folder, and its parts
 * are renamed into place; the former ones are kept in a folder beside them. An interrupted restore is repeated.
 */
export async function restoreBackup(backup: string, dataDir: string, now: number): Promise<RestoreResult> {
  const manifest = readManifest(backup)
  if (manifest === undefined) throw new UserError(`The folder ${backup} is no backup: it has no backup.json`)
  if (resolve(backup) === resolve(dataDir)) throw new UserError(`The folder ${backup} is the data folder itself`)
  const problems = findManifestProblems(backup, manifest, true)
  if (problems.length > 0) throw new UserError(`The backup ${backup} is damaged:\n${problems.join('\n')}`)
  await assertNotServed(dataDir)
  await assertNoImport(dataDir)
  makeFolder(dataDir)
  removeAbandoned(dataDir)
  const staging = mkdtempSync(join(dataDir, 'restoring-'))
  try {
    for (const { path } of manifest.files) {
      const file = join(staging, path)
      makeFolder(dirname(file))
      copyFileSync(join(backup, path), file)
    }
    const copied = findManifestProblems(staging, manifest, true)
    if (copied.length > 0) throw new UserError(`The copy of ${backup} is damaged:\n${copied.join('\n')}`)
    const previous = swapParts(staging, dataDir, now)
    return { manifest, previous }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Renames the former parts away and the new ones into place. Until all are, no command takes the folder for a catalog. */
function swapParts(staging: string, dataDir: string, now: number): string | undefined {
  markUnfinished(dataDir, 'restore')
  const previous = unusedPreviousFolder(dataDir, 'restore', now)
  const former = PARTS.filter((part) => existsSync(join(dataDir, part)))
  if (former.length > 0) makeFolder(previous)
  for (const part of former) renameSync(join(dataDir, part), join(previous, part))
  for (const part of readdirSync(staging)) renameSync(join(staging, part), join(dataDir, part))
  markFinished(dataDir)
  return former.length > 0 ? previous : undefined
}

/** Deletes the copies of killed restores. */
function removeAbandoned(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('restoring-')) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Throws if a process imports into a data directory. */
export async function assertNoImport(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'catalog', 'data.mdb'))) return
  let environment: ReturnType<typeof openEnvironment>
  try {
    environment = openEnvironment(dataDir, { readOnly: true })
  } catch {
    // A catalog that is damaged is a reason to restore, and nobody can import into it.
    return
  }
  try {
    const holder = await new LocalTaskLock(environment).holder('import')
    if (holder !== undefined)
      throw new UserError(`Process ${holder.pid} is importing ${holder.what}; wait for it to end`)
  } finally {
    await environment.root.close()
  }
}

/**
 * Where a data folder keeps what was there before a restore, a repair or a migration: a folder that does not exist yet, since one of
 * the same second may hold what an interrupted one has moved there.
 */
export function unusedPreviousFolder(dataDir: string, reason: 'restore' | 'repair' | 'migration', at: number): string {
  const stamp = new Date(at * 1000).toISOString().replace(/\D/g, '').slice(0, 14)
  const name = join(dataDir, `before-${reason}-${stamp}`)
  let folder = name
  for (let number = 2; existsSync(folder); number++) folder = `${name}-${number}`
  return folder
}
