import { readSettings } from '../config.ts'
import { describeSystemError } from '../lib/system-error.ts'
import { UserError } from '../lib/user-error.ts'

/** What was tried, by the system's name for it. */
const TRIED: Readonly<Record<string, string>> = {
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
export function failureSentence(error: unknown, what = 'A file'): string | undefined {
  if (error instanceof UserError) return error.message
  const { code, syscall, path } = Object(error) as { code?: unknown; syscall?: string; path?: string }
  if (typeof code === 'number') {
    const reason = LMDB_REASONS[code] ?? describeSystemError(error)
    return reason && `The data folder ${readSettings(process.env).dataDir} cannot be used: ${reason}`
  }
  const reason = describeSystemError(error)
  if (reason === undefined || syscall === undefined) return undefined
  return `${path ?? what} cannot be ${TRIED[syscall] ?? 'written'}: ${reason}`
}
