import { writeSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describeSystemError, systemErrorCode } from '../lib/system-error.ts'
import { interruptible } from './interruptible.ts'
import { CommandError } from './output.ts'
import { replaceFile } from './replace-file.ts'

const CHUNK = 1 << 20
const STANDARD_OUTPUT = 1

/**
 * Writes records as the lines of a feed, gzipped if the file's name ends in .gz, or to standard output without a file.
 * Gives up the event loop not once, so that records of a catalog are all of one version.
 */
export function writeRecords(records: Iterable<object>, out: string | undefined): void {
  try {
    if (out === undefined) writeLines(records, STANDARD_OUTPUT, false)
    else {
      replaceFile(out, (descriptor) =>
        interruptible(() => writeLines(records, descriptor, out.endsWith('.gz')), `${out} was not written`),
      )
    }
  } catch (error) {
    throw explained(error, out)
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
function explained(error: unknown, out = 'Standard output'): unknown {
  const reason = systemErrorCode(error) === 'ENOENT' ? 'there is no such folder' : describeSystemError(error)
  return reason === undefined ? error : new CommandError(`${out} cannot be written: ${reason}`)
}
