import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { systemErrorCode } from '../errors.ts'
import { announceWriter, checkDataFile } from './lmdb-file.ts'

/** What lmdb rejects with if a commit fails: the system error is the reason of another promise. */
interface CommitFailure {
  readonly commitError?: Promise<never>
}

/** What must be free for a transaction: more than any but those of an import write. */
const MIN_FREE_BYTES = 2 ** 20

/** More than a transaction of counters writes. */
const PROBE_BYTES = 64 * 1024

/** More than lmdb's own lock files have, whose size depends on the machine. A larger one has room for more readers. */
const LOCK_FILE_BYTES = 12 * 1024

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
  const transactionSync = root.transactionSync.bind(root)
  root.transactionSync = (work, flags) => {
    assertSpace(path)
    return transactionSync(work, flags)
  }
  const transaction = root.transaction.bind(root)
  let hasFailed = false
  root.transaction = async <T>(work: () => T): Promise<T> => {
    assertSpace(path)
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

/**
 * Throws ENOSPC before a transaction on a disk that is nearly full. When a write fails, lmdb prints its numbers into a buffer of 100
 * bytes, which can be too small: the process may die of it later.
 */
function assertSpace(folder: string): void {
  let free: number
  try {
    const { bavail, bsize } = statfsSync(folder)
    free = bavail * bsize
  } catch {
    return
  }
  if (free >= MIN_FREE_BYTES) return
  throw Object.assign(new Error(`ENOSPC: less than 1 MiB is left for ${folder}`), {
    code: 'ENOSPC',
    syscall: 'write',
    path: folder,
  })
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
