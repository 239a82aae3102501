import { getSystemErrorName } from 'node:util'

/**
 * A failure that the person who runs the program can fix: printed as one sentence that says how, without a stack trace.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}

/** System errors in words, as the end of a sentence about a file. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the quota of disk space is used up',
  EEXIST: 'there is something else of that name',
  EFBIG: 'it would be larger than files may be',
  EINVAL: 'the system does not allow it',
  // LMDB reports the short writes of a full disk as EIO.
  EIO: 'the disk is full, or it failed',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'no space is left',
  ENOTDIR: 'part of its path is no folder',
  EPERM: 'it is not permitted',
  EROFS: 'the file system can only be read',
}

/** The symbolic code of a system error, also if it is a number, as LMDB's are. */
export function systemErrorCode(error: unknown): string | undefined {
  const { code } = Object(error) as { code?: unknown }
  if (typeof code === 'string') return code
  return typeof code === 'number' && code > 0 ? getSystemErrorName(-code) : undefined
}

/** The reason of a system error, as the end of a sentence; undefined for any other error. */
export function describeSystemError(error: unknown): string | undefined {
  return REASONS[systemErrorCode(error) ?? '']
}
