import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { openEnvironment } from '../catalog/storage/environment.ts'
import { LocalTaskLock } from '../ledger/local-ledger.ts'
import { UserError } from '../lib/errors.ts'
import { makeFolder } from '../lib/files.ts'
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

/** A file of a backup. */
interface BackupFile {
  /** The path below the folder, with slashes. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** What a backup holds; written last, so that a folder with a manifest is a complete backup. */
export interface BackupManifest {
  readonly format: number
  /** When it was made, in Unix seconds. */
  readonly madeAt: number
  readonly catalog: {
    readonly version: number
    readonly format: number
    readonly shows: number
    readonly offers: number
  }
  readonly keys: number
  readonly files: readonly BackupFile[]
}

const MANIFEST_FORMAT = 1
const MANIFEST = 'backup.json'
/** Marks a folder that a backup or a restore has not completed. */
const UNFINISHED = 'unfinished.json'
const CHUNK_BYTES = 1 << 20

/** Marks a folder as unfinished: every command refuses it until the mark is removed. */
export function markUnfinished(folder: string, what: 'backup' | 'restore'): void {
  writeFileSync(join(folder, UNFINISHED), JSON.stringify({ what }), { flush: true })
}

/** Removes the mark of an unfinished folder. */
export function markFinished(folder: string): void {
  rmSync(join(folder, UNFINISHED), { force: true })
}

/** Writes the manifest of a backup over all files that its folder holds. */
export function writeManifest(folder: string, facts: Omit<BackupManifest, 'format' | 'files'>): BackupManifest {
  const files = listFiles(folder).map((path) => {
    const file = join(folder, path)
    return { path, bytes: statSync(file).size, sha256: digestFile(file) }
  })
  const manifest = { format: MANIFEST_FORMAT, ...facts, files }
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
  return manifest
}

/** The manifest of a folder; undefined if it is no backup. */
export function readManifest(folder: string): BackupManifest | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
  try {
    const manifest = JSON.parse(text) as BackupManifest
    if (manifest.format === MANIFEST_FORMAT && Array.isArray(manifest.files)) return manifest
  } catch {
    // Reported below.
  }
  throw new UserError(
    `The manifest ${join(folder, MANIFEST)} cannot be read: the backup is damaged, or of a later version`,
  )
}

/** Compares the files of a backup with its manifest: lengths, and digests if they are wanted. */
export function findManifestProblems(folder: string, { files }: BackupManifest, withDigests: boolean): string[] {
  return files.flatMap(({ path, bytes, sha256 }) => {
    const file = join(folder, path)
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined) return [`${path} is missing`]
    if (size !== bytes) return [`${path} has ${size} bytes instead of ${bytes}`]
    return withDigests && digestFile(file) !== sha256 ? [`${path} has other content than when it was written`] : []
  })
}

/** Throws if a data folder is a file, an unfinished backup or restore, or a backup whose files do not have their lengths. */
export function assertUsableFolder(dataDir: string): void {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UserError(`MARQUEE_DATA names ${dataDir}, which is no folder`)
  }
  if (statSync(join(dataDir, UNFINISHED), { throwIfNoEntry: false }) !== undefined) {
    throw new UserError(
      `The folder ${dataDir} is unfinished: a backup or a restore into it was interrupted. Make the backup again, or run ` +
        '`marquee restore` again',
    )
  }
  const manifest = readManifest(dataDir)
  if (manifest === undefined) return
  const [problem] = findManifestProblems(dataDir, manifest, false)
  if (problem !== undefined) throw new UserError(`The backup ${dataDir} is damaged: ${problem}; use another one`)
}

/** Makes a backup a data folder that can be written. */
export function adoptFolder(dataDir: string): void {
  assertUsableFolder(dataDir)
  forgetManifest(dataDir)
}

/** Deletes the manifest of a backup that was or will be changed: it would not be true any more. */
export function forgetManifest(dataDir: string): void {
  rmSync(join(dataDir, MANIFEST), { force: true })
}

/** All files below a folder, sorted, without lock files and the marks of a backup. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ![MANIFEST, UNFINISHED, 'lock.mdb'].includes(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

/** The digest of a file, which is on the disk afterwards. */
function digestFile(path: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) hash.update(chunk.subarray(0, size))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}
