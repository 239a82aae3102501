import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Catalog } from '../../catalog/catalog.ts'
import { openEnvironment } from '../../catalog/storage/environment.ts'
import { readSettings } from '../../config.ts'
import { exportFeed } from '../../ingest/export-feed.ts'
import { makeFolder } from '../../lib/files.ts'
import { UserError } from '../../lib/user-error.ts'
import { openServiceAccounts } from '../../runtime/open-accounts.ts'
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

/** Adds `marquee backup`. */
export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('copy the live catalog and accounts to a folder that can be served')
    .argument('<dir>', 'an empty or new folder')
    .option('--json', 'print one JSON object')
    .action(async (dir: string, flags: JsonFlag) => {
      const settings = readSettings(process.env)
      const environment = openExistingCatalog(settings.dataDir)
      makeFolder(dir)
      if (readdirSync(dir).length > 0) throw new UserError(`The folder ${dir} is not empty; name a new one`)
      const accounts = openServiceAccounts(settings)
      try {
        for (const part of ['catalog', 'accounts']) makeFolder(join(dir, part))
        await environment.root.backup(join(dir, 'catalog'), true)
        await accounts.backup(join(dir, 'accounts'))
      } finally {
        await accounts.close()
        await environment.root.close()
      }
      // Opening the copy proves that it can be read.
      const copy = openEnvironment(dir)
      const version = new Catalog(copy).version()
      await copy.root.close()
      if (flags.json === true) printJson({ dir, version })
      else printLines(`${dir}: version ${version}; MARQUEE_DATA=${dir} serves it`)
    })
}
