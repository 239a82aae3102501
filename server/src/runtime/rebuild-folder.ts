import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { Catalog } from '../catalog/catalog.ts'
import { openEnvironment } from '../catalog/storage/environment.ts'
import { type RebuildOptions, type RebuildResult, rebuildCatalog } from '../catalog/verify/rebuild-catalog.ts'
import { describeSystemError, UserError } from '../lib/errors.ts'
import { makeFolder } from '../lib/files.ts'
import { forgetManifest } from './backup-manifest.ts'
import { assertNoImport, unusedPreviousFolder } from './restore-backup.ts'
import { assertNotServed } from './service-claim.ts'

/** Why a catalog is built anew. */
type RebuildReason = 'repair' | 'migration'

interface FolderRebuildOptions extends RebuildOptions {
  readonly reason: RebuildReason
  /** Whether this process serves the folder. Otherwise it must not be served. */
  readonly isClaimed?: boolean
}

/** A rebuild of the catalog of a data folder. */
export interface FolderRebuild extends RebuildResult {
  readonly formerFormat: number
  /** Where the former catalog is. */
  readonly previous: string
}

/** The other parts of a data folder, which a later version may write in another way. */
const OTHER_PARTS = ['accounts', 'sync', 'schedule', 'sources.json']

/**
 * Builds the catalog of a data folder anew beside the old one, and puts it in its place by a single rename: a process that
 * is killed at any moment leaves the old catalog or the new one. What was there before is kept in the folder
 * `before-repair-…` or `before-migration-…`; the latter is a complete data folder for the program that wrote it.
 */
export async function rebuildDataFolder(dataDir: string, options: FolderRebuildOptions): Promise<FolderRebuild> {
  const { reason, at, isClaimed = false } = options
  if (!isClaimed) await assertNotServed(dataDir)
  await assertNoImport(dataDir)
  removeAbandoned(dataDir)
  const staging = mkdtempSync(join(dataDir, 'rebuilding-'))
  try {
    const { formerFormat, result } = await buildStaged(dataDir, staging, options)
    if (reason === 'migration' && result.lost.length > 0) {
      const [{ count, part, problem, examples }] = result.lost as [(typeof result.lost)[0]]
      throw new UserError(
        `The catalog in ${dataDir} is damaged and was not migrated: ${count} ${part} ${problem}, such as ${examples[0]}. ` +
          'Put a backup in its place, or run `marquee verify --repair`, which leaves out what cannot be read',
      )
    }
    const previous = unusedPreviousFolder(dataDir, reason, at)
    keepFormer(dataDir, previous, reason === 'migration')
    forgetManifest(dataDir)
    rmSync(join(dataDir, 'catalog', 'lock.mdb'), { force: true })
    flushFile(join(staging, 'catalog', 'data.mdb'))
    renameSync(join(staging, 'catalog', 'data.mdb'), join(dataDir, 'catalog', 'data.mdb'))
    return { ...result, formerFormat, previous }
  } catch (error) {
    const cause = describeSystemError(error)
    if (cause === undefined || error instanceof UserError) throw error
    throw new UserError(`The catalog in ${dataDir} was not rebuilt, and is as it was: ${cause}`)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

async function buildStaged(
  dataDir: string,
  staging: string,
  options: RebuildOptions,
): Promise<{ formerFormat: number; result: RebuildResult }> {
  const source = openEnvironment(dataDir, { readOnly: true })
  const target = openEnvironment(staging)
  try {
    const former = new Catalog(source, { allowOlderFormat: true })
    return { formerFormat: former.format(), result: rebuildCatalog(former, new Catalog(target), options) }
  } finally {
    await source.root.close()
    await target.root.close()
  }
}

/** Keeps the former catalog under a second name, and copies of the other parts if they are wanted. */
function keepFormer(dataDir: string, previous: string, withOtherParts: boolean): void {
  makeFolder(join(previous, 'catalog'))
  const [from, to] = [dataDir, previous].map((folder) => join(folder, 'catalog', 'data.mdb')) as [string, string]
  try {
    linkSync(from, to)
  } catch {
    // A file system without hard links.
    copyFileSync(from, to)
  }
  if (!withOtherParts) return
  for (const part of OTHER_PARTS.filter((name) => existsSync(join(dataDir, name)))) {
    cpSync(join(dataDir, part), join(previous, part), { recursive: true, filter: (path) => !path.endsWith('lock.mdb') })
  }
}

/** Puts a file on the disk, before it replaces another one. */
function flushFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Deletes what killed rebuilds left behind. */
function removeAbandoned(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('rebuilding-')) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}
