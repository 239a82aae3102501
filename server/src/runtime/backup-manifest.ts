import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import { UserError } from '../lib/errors.ts'

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
