import type { Command } from 'commander'
import { Catalog } from '../catalog/catalog.ts'
import { readSettings } from '../config.ts'
import { exportFeed } from '../ingest/export-feed.ts'
import { openExisting } from './open-existing.ts'
import { printJson } from './output.ts'
import { counted, Progress } from './progress.ts'
import { writeRecords } from './write-records.ts'

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
        const progress = new Progress()
        let records = 0
        const feed = watched(exportFeed(new Catalog(environment)), () => progress.update('records written', ++records))
        try {
          writeRecords(feed, flags.out)
        } finally {
          progress.end()
        }
        if (flags.out === undefined) return
        if (flags.json === true) printJson({ out: flags.out, records })
        else process.stdout.write(`${flags.out}: ${counted(records, 'record')}\n`)
      } finally {
        await environment.root.close()
      }
    })
}

/** The records, with progress shown as they pass. */
function* watched(records: Iterable<object>, onRecord: () => void): Iterable<object> {
  for (const record of records) {
    onRecord()
    yield record
  }
}
