import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents. `mkdirSync` with `recursive` loops for ever on file systems that report an existing
 * folder as missing, such as /proc.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
