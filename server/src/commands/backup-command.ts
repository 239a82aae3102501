import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Catalog } from '../catalog/catalog.ts'
import { openEnvironment } from '../catalog/storage/environment.ts'
import { readSettings } from '../config.ts'
import { makeFolder } from '../lib/files.ts'
import { openServiceAccounts } from './open-accounts.ts'
import { openExisting } from './open-existing.ts'
import { CommandError, printJson } from './output.ts'

/** Adds `marquee backup`. */
export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('copy the live catalog and accounts to a folder that can be served')
    .argument('<dir>', 'an empty or new folder')
    .option('--json', 'print one JSON object')
    .action(async (dir: string, flags: { json?: boolean }) => {
      const settings = readSettings(process.env)
      const environment = openExisting(settings.dataDir)
      makeFolder(dir)
      if (readdirSync(dir).length > 0) throw new CommandError(`The folder ${dir} is not empty; name a new one`)
      const accounts = openServiceAccounts(settings)
      try {
        for (const part of ['catalog', 'accounts']) mkdirSync(join(dir, part))
        await environment.root.backup(join(dir, 'catalog'), true)
        await accounts.backup(join(dir, 'accounts'))
      } finally {
        await accounts.close()
        await environment.root.close()
      }
      const copy = openEnvironment(dir)
      const version = new Catalog(copy).version()
      await copy.root.close()
      if (flags.json === true) printJson({ dir, version })
      else process.stdout.write(`${dir}: version ${version}; MARQUEE_DATA=${dir} serves it\n`)
    })
}
