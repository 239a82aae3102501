import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Command } from 'commander'
import { Catalog } from '../../catalog/catalog.ts'
import { readSettings } from '../../config.ts'
import { exportFeed } from '../../ingest/export-feed.ts'
import { describeSystemError, systemErrorCode, UserError } from '../../lib/errors.ts'
import { requestedFileMode } from '../../lib/files.ts'
import { hasProcess } from '../../lib/process-info.ts'
import { openExistingCatalog } from '../../runtime/open-ledger.ts'
import { formatCount, Progress } from '../../runtime/progress.ts'
import { runInterruptibly } from '../terminal/command-exit.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printJson, printLines } from '../terminal/output.ts'

/** Adds `marquee export`. */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write the whole catalog as a native feed')
    .option('--out <file>', 'write to a file, gzipped if it ends in .gz, instead of standard output')
    .option('--json', 'print a JSON object with the counts at the end (only with --out)')
    .action(async (flags: { out?: string } & JsonFlag) => {
      const environment = openExistingCatalog(readSettings(process.env).dataDir)
      try {
        const progress = new Progress()
        let records = 0
        const feed = tap(exportFeed(new Catalog(environment)), () => progress.update('records written', ++records))
        try {
          writeFeedFile(feed, flags.out)
        } finally {
          progress.end()
        }
        if (flags.out === undefined) return
        if (flags.json === true) printJson({ out: flags.out, records })
        else printLines(`${flags.out}: ${formatCount(records, 'record')}`)
      } finally {
        await environment.root.close()
      }
    })
}

/** Yields the records and calls back for each. */
function* tap(records: Iterable<object>, onRecord: () => void): Iterable<object> {
  for (const record of records) {
    onRecord()
    yield record
  }
}

const CHUNK_CHARS = 1 << 20
const STDOUT_DESCRIPTOR = 1

/**
 * Writes records as an NDJSON feed to a file (gzipped if its name ends in .gz) or to standard output. Runs in one turn of
 * the event loop, so that all records of a catalog are of one version.
 */
export function writeFeedFile(records: Iterable<object>, out: string | undefined): void {
  try {
    if (out === undefined) writeLines(records, STDOUT_DESCRIPTOR, false)
    else {
      replaceFile(out, (descriptor) =>
        runInterruptibly(() => writeLines(records, descriptor, out.endsWith('.gz')), `${out} was not written`),
      )
    }
  } catch (error) {
    throw explainWriteError(error, out)
  }
}

function writeLines(records: Iterable<object>, descriptor: number, gzip: boolean): void {
  let chunk = ''
  const flush = () => {
    writeFully(descriptor, gzip ? gzipSync(chunk) : Buffer.from(chunk))
    chunk = ''
  }
  for (const record of records) {
    chunk += `${JSON.stringify(record)}\n`
    if (chunk.length >= CHUNK_CHARS) flush()
  }
  flush()
}

function writeFully(descriptor: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(descriptor, bytes, offset)
    } catch (error) {
      // The pipe is full because its reader is slow: write again.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

/** Turns a system error into a sentence about the file; returns any other error as it is. */
function explainWriteError(error: unknown, out = 'Standard output'): unknown {
  const reason = systemErrorCode(error) === 'ENOENT' ? 'there is no such folder' : describeSystemError(error)
  return reason === undefined ? error : new UserError(`${out} cannot be written: ${reason}`)
}

/** Deletes the temporary files that killed processes left beside a file. */
function removeAbandoned(target: string): void {
  const folder = dirname(target)
  const prefix = `${basename(target)}.`
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)\.partial$/.exec(name.slice(prefix.length)) ?? []) : []
    if (pid !== undefined && !hasProcess(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

/**
 * Replaces a file atomically: writes a temporary file beside it and renames that once it is complete. On failure the
 * existing file stays and the temporary one is deleted.
 */
function replaceFile(path: string, write: (descriptor: number) => void): void {
  const existing = statSync(path, { throwIfNoEntry: false })
  if (existing?.isDirectory() === true) throw new UserError(`${path} cannot be written: it is a folder`)
  // Devices and pipes are written in place. A symbolic link stays, and its target is replaced.
  const inPlace = existing !== undefined && !existing.isFile()
  const target = existing === undefined ? path : realpathSync(path)
  const temporary = inPlace ? path : `${target}.${process.pid}.partial`
  if (!inPlace) removeAbandoned(target)
  const descriptor = openSync(temporary, 'w')
  try {
    try {
      if (!inPlace) fchmodSync(descriptor, existing?.mode ?? requestedFileMode())
      write(descriptor)
      if (!inPlace) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (!inPlace) renameSync(temporary, target)
  } catch (error) {
    if (!inPlace) rmSync(temporary, { force: true })
    throw error
  }
}
