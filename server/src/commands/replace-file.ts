import { closeSync, fchmodSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { CommandError } from './output.ts'

/**
 * Writes a file beside its place and puts it there once it is whole. A former one stays until then, and nothing is left
 * of one that failed.
 */
export function replaceFile(path: string, write: (descriptor: number) => void): void {
  const former = statSync(path, { throwIfNoEntry: false })
  if (former?.isDirectory() === true) throw new CommandError(`${path} cannot be written: it is a folder`)
  // Devices and pipes are written as they are; of a link, what it leads to is replaced.
  const asIs = former !== undefined && !former.isFile()
  const place = former === undefined ? path : realpathSync(path)
  const beside = asIs ? path : `${place}.${process.pid}.partial`
  const descriptor = openSync(beside, 'w')
  try {
    try {
      if (former !== undefined && !asIs) fchmodSync(descriptor, former.mode)
      write(descriptor)
      if (!asIs) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (!asIs) renameSync(beside, place)
  } catch (error) {
    if (!asIs) rmSync(beside, { force: true })
    throw error
  }
}
