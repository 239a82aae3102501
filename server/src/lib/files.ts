import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Data, accounts and backups hold secrets and are nobody else's to read. */
const PRIVATE = { mode: 0o700 } as const

/** The umask that the user has set, once it is known. */
let userUmask = 0o022

/** Makes every file that this process and its children create private to their owner, those of LMDB included. */
export function keepFilesPrivate(): void {
  userUmask = process.umask(0o077)
}

/** The mode of a file that the user asked for, such as an export: it follows the user's umask. */
export function requestedFileMode(): number {
  return 0o666 & ~userUmask
}

/**
 * Creates a folder and its parents, open to its owner alone whatever the umask. `mkdirSync` with `recursive` loops for
 * ever on file systems that report an existing folder as missing, such as /proc.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, PRIVATE)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
