import { runInNewContext } from 'node:vm'
import { readSettings } from '../../config.ts'
import { describeSystemError } from '../../lib/system-error.ts'
import { UserError } from '../../lib/user-error.ts'

/** What was tried, by the system's name for it. */
const SYSCALL_VERBS: Readonly<Record<string, string>> = {
  mkdir: 'made',
  mkdtemp: 'made',
  open: 'opened',
  read: 'read',
  scandir: 'read',
  stat: 'read',
  lstat: 'read',
  rename: 'put in place',
}

/** LMDB's own: the file cannot grow any further, and it is not what it should be. */
const LMDB_REASONS: Readonly<Record<number, string>> = {
  [-30792]: 'it has no room for more',
  [-30796]: 'it is damaged; docs/operating.md says how to restore a backup',
  [-30793]: 'it is damaged; docs/operating.md says how to restore a backup',
}

/**
 * What to tell whoever runs the program of a failure that is theirs to mend; undefined for one that is ours.
 * What was written or read is named by the caller where the system does not name it.
 */
export function describeFailure(error: unknown, what = 'A file'): string | undefined {
  if (error instanceof UserError) return error.message
  const { code, syscall, path } = Object(error) as { code?: unknown; syscall?: string; path?: string }
  if (typeof code === 'number') {
    const reason = LMDB_REASONS[code] ?? describeSystemError(error)
    return reason && `The data folder ${readSettings(process.env).dataDir} cannot be used: ${reason}`
  }
  const reason = describeSystemError(error)
  if (reason === undefined || syscall === undefined) return undefined
  return `${path ?? what} cannot be ${SYSCALL_VERBS[syscall] ?? 'written'}: ${reason}`
}

/** The exit code of a command that was ended by Ctrl-C. */
export const INTERRUPTED_EXIT_CODE = 130

/** Thrown when Ctrl-C ended a command; the message says what holds now. */
export class InterruptedError extends UserError {
  override readonly name = 'Interrupted'
}

/**
 * Does work that keeps the event loop for long, so that Ctrl-C ends it at once rather than after it. Nothing of the
 * work runs after that, its `finally` blocks included.
 */
export function runInterruptibly<T>(work: () => T, whatHolds: string): T {
  try {
    // Only scripts can be broken off; a context of its own hands the work to one.
    return runInNewContext('work()', { work }, { breakOnSigint: true }) as T
  } catch (error) {
    if (Object(error).code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw new InterruptedError(whatHolds)
    throw error
  }
}
