import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describeSystemError, systemErrorCode } from '../../lib/system-error.ts'
import { runInterruptibly } from '../terminal/command-errors.ts'
import { CommandError } from '../terminal/output.ts'

const CHUNK = 1 << 20
const STANDARD_OUTPUT = 1

/**
 * Writes records as the lines of a feed, gzipped if the file's name ends in .gz, or to standard output without a file.
 * Gives up the event loop not once, so that records of a catalog are all of one version.
 */
export function writeFeedFile(records: Iterable<object>, out: string | undefined): void {
  try {
    if (out === undefined) writeLines(records, STANDARD_OUTPUT, false)
    else {
      replaceFile(out, (descriptor) =>
        runInterruptibly(() => writeLines(records, descriptor, out.endsWith('.gz')), `${out} was not written`),
      )
    }
  } catch (error) {
    throw explainWriteError(error, out)
  }
}

function writeLines(records: Iterable<object>, descriptor: number, zipped: boolean): void {
  let chunk = ''
  const flush = () => {
    writeWhole(descriptor, zipped ? gzipSync(chunk) : Buffer.from(chunk))
    chunk = ''
  }
  for (const record of records) {
    chunk += `${JSON.stringify(record)}\n`
    if (chunk.length >= CHUNK) flush()
  }
  flush()
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at)
    } catch (error) {
      // A pipe whose reader is slow: there is nothing else to do meanwhile than to try again.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

/** A failure of the system as a sentence about what was to be written; others as they are. */
function explainWriteError(error: unknown, out = 'Standard output'): unknown {
  const reason = systemErrorCode(error) === 'ENOENT' ? 'there is no such folder' : describeSystemError(error)
  return reason === undefined ? error : new CommandError(`${out} cannot be written: ${reason}`)
}

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
