import { join } from 'node:path'
import type { Command } from 'commander'
import { readSettings } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import type { BackupManifest } from '../../runtime/backup-manifest.ts'
import { createBackup, rotateBackups } from '../../runtime/create-backup.ts'
import { formatCount } from '../../runtime/progress.ts'
import { restoreBackup } from '../../runtime/restore-backup.ts'
import { type JsonFlag, parseWholeNumber } from '../terminal/flags.ts'
import { printJson, printLines } from '../terminal/output.ts'

const MAX_KEPT = 10_000

/** Adds `marquee backup`. */
export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('copy catalog, accounts, syncs and schedule, while they are in use, to a folder that can be served')
    .argument('<dir>', 'an empty or new folder; with --keep, the folder of all backups')
    .option('--keep <number>', 'make a backup named by its time in the folder, and keep the latest so many', (text) =>
      parseWholeNumber('--keep', text, 1, MAX_KEPT),
    )
    .option('--json', 'print one JSON object')
    .action(async (parent: string, { keep, json }: { keep?: number } & JsonFlag) => {
      const settings = readSettings(process.env)
      const now = systemClock()
      const stamp = new Date(now * 1000).toISOString().replace(/[:.]/g, '-').slice(0, 19)
      const dir = keep === undefined ? parent : join(parent, `${stamp}Z`)
      const manifest = await createBackup(settings, dir, now)
      const removed = keep === undefined ? [] : rotateBackups(parent, keep)
      const { version } = manifest.catalog
      if (json === true) printJson({ dir, version, ...countContents(manifest), removed })
      else {
        printLines(
          `${dir}: version ${version}; MARQUEE_DATA=${dir} serves it`,
          ...removed.map((name) => `${join(parent, name)} was deleted`),
        )
      }
    })
}

/** Adds `marquee restore`. */
export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('put a backup in the place of the data folder; the service must be stopped')
    .argument('<backup>', 'a folder that `marquee backup` made')
    .option('--json', 'print one JSON object')
    .action(async (backup: string, { json }: JsonFlag) => {
      const { dataDir, databaseUrl } = readSettings(process.env)
      if (databaseUrl !== undefined) {
        throw new UserError(
          'DATABASE_URL is set: restore the database with its own tools, and the nodes follow; see docs/nodes.md',
        )
      }
      const { manifest, previous } = await restoreBackup(backup, dataDir, systemClock())
      const { version, shows } = manifest.catalog
      if (json === true) {
        printJson({ dir: dataDir, version, ...countContents(manifest), ...(previous !== undefined && { previous }) })
        return
      }
      printLines(
        `${dataDir}: version ${version}, ${formatCount(shows, 'show')} and ${formatCount(manifest.keys, 'key')}`,
        ...(previous === undefined ? [] : [`What was there before is in ${previous}`]),
      )
    })
}

function countContents({ catalog: { shows, offers }, keys, files }: BackupManifest) {
  return { shows, offers, keys, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
}
