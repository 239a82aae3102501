import { closeSync, openSync, writeSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Command } from 'commander'
import { Catalog } from '../catalog/catalog.ts'
import { readSettings } from '../config.ts'
import { exportFeed } from '../ingest/export-feed.ts'
import { openExisting } from './open-existing.ts'
import { printJson } from './output.ts'
import { count, Progress } from './progress.ts'

const CHUNK = 1 << 20

/** Adds `marquee export`. */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write the whole catalog as a native feed')
    .option('--out <file>', 'write to a file, gzipped if it ends in .gz, instead of standard output')
    .option('--json', 'print a JSON object with the counts at the end (only with --out)')
    .action(async (flags: { out?: string; json?: boolean }) => {
      const environment = openExisting(readSettings(process.env).dataDir)
      try {
        const records = writeFeed(new Catalog(environment), flags.out)
        if (flags.out === undefined) return
        if (flags.json === true) printJson({ out: flags.out, records })
        else process.stdout.write(`${flags.out}: ${count(records)} records\n`)
      } finally {
        await environment.root.close()
      }
    })
}

/** Writes all records without giving up the event loop: only so are they all of one version of the catalog. */
function writeFeed(catalog: Catalog, out: string | undefined): number {
  const file = out === undefined ? 1 : openSync(out, 'w')
  const progress = new Progress()
  let records = 0
  let chunk = ''
  const flush = () => {
    writeWhole(file, out?.endsWith('.gz') ? gzipSync(chunk) : Buffer.from(chunk))
    chunk = ''
  }
  for (const record of exportFeed(catalog)) {
    chunk += `${JSON.stringify(record)}\n`
    progress.update('records written', ++records)
    if (chunk.length >= CHUNK) flush()
  }
  flush()
  progress.end()
  if (out !== undefined) closeSync(file)
  return records
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
