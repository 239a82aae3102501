import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { systemErrorCode } from '../system-error.ts'
import { checkDataFile } from './lmdb-file.ts'
import { announceWriter } from './writer-lock.ts'

/** What lmdb rejects with if a commit fails: the system error is the reason of another promise. */
interface CommitFailure {
  readonly commitError?: Promise<never>
}

/** More than a transaction of counters writes. */
const PROBE_BYTES = 64 * 1024

/** The size of a lock file with lmdb's default number of readers, where cache lines have 64 bytes. */
const LOCK_FILE_BYTES = 8272

/**
 * Opens an LMDB environment, as all parts of the program do: a damaged file is an error, a wait for the writer of another
 * process is announced, and a failed commit rejects with the system error, such as ENOSPC, and in no other place.
 */
export function openLmdb<V, K extends string | number>(
  options: RootDatabaseOptionsWithPath & { path: string },
): RootDatabase<V, K> {
  const { path, readOnly } = options
  checkDataFile(path)
  makeLockFile(path)
  if (readOnly !== true) announceWriter(path)
  // A batch of an event turn has a promise of its own, which is rejected where nobody can handle it.
  const root = open<V, K>({ ...options, eventTurnBatching: false })
  if (readOnly === true) return root
  const transaction = root.transaction.bind(root)
  let hasFailed = false
  root.transaction = async <T>(work: () => T): Promise<T> => {
    // lmdb prints every failure to standard error, so a commit is tried again only when the disk takes data.
    if (hasFailed) probeDisk(path)
    try {
      const result = await transaction(work)
      hasFailed = false
      return result
    } catch (error) {
      const cause = await findCause(error)
      hasFailed = cause !== error
      throw cause
    }
  }
  return root
}

/**
 * Makes the lock file if there is none. lmdb would make it itself, but the process dies of a signal when there is no space for it.
 * One that exists is left alone: closing it would end the lock of an environment that this process has open.
 */
function makeLockFile(folder: string): void {
  const file = join(folder, 'lock.mdb')
  try {
    writeFileSync(file, Buffer.alloc(LOCK_FILE_BYTES), { flag: 'wx' })
  } catch (error) {
    // The folder is new, or may not be written to: lmdb makes it, or does without a lock file.
    const code = systemErrorCode(error) ?? ''
    if (['EEXIST', 'ENOENT', 'ENOTDIR', 'EROFS', 'EACCES', 'EPERM'].includes(code)) return
    rmSync(file, { force: true })
    throw error
  }
}

/** Throws if nothing can be written to a folder. */
function probeDisk(folder: string): void {
  const file = join(folder, `probe.${process.pid}`)
  try {
    writeFileSync(file, Buffer.alloc(PROBE_BYTES), { flush: true })
  } finally {
    rmSync(file, { force: true })
  }
}

async function findCause(error: unknown): Promise<unknown> {
  const { commitError } = Object(error) as CommitFailure
  if (commitError === undefined) return error
  return commitError.then(
    () => error,
    (cause: unknown) => cause,
  )
}
