import type { Command } from 'commander'
import { Catalog } from '../../catalog/catalog.ts'
import { readSettings } from '../../config.ts'
import { exportFeed } from '../../ingest/export-feed.ts'
import { openExistingCatalog } from '../../runtime/open-ledger.ts'
import { formatCount, Progress } from '../../runtime/progress.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printJson, printLines } from '../terminal/output.ts'
import { writeFeedFile } from './write-feed-file.ts'

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
