import type { Command } from 'commander'
import { readSettings } from '../../config.ts'
import { printJson } from '../terminal/output.ts'
import { printSyncReport, toJsonSyncReport } from '../terminal/print-report.ts'
import type { SyncCommand, SyncFlags } from './run-sync.ts'
import { tmdbSyncCommand } from './sync-tmdb.ts'
import { tvmazeSyncCommand } from './sync-tvmaze.ts'
import { v4SyncCommand } from './sync-v4.ts'
import { watchmodeSyncCommand } from './sync-watchmode.ts'

/** All kinds of syncs. */
const SYNC_COMMANDS: readonly SyncCommand[] = [tmdbSyncCommand, watchmodeSyncCommand, tvmazeSyncCommand, v4SyncCommand]

/** The sync of a name. */
export function findSyncCommand(name: string): SyncCommand | undefined {
  return SYNC_COMMANDS.find((command) => command.name === name)
}

/** Adds `marquee sync` with a subcommand for each API. */
export function addSyncCommand(program: Command): void {
  const sync = program.command('sync').description('bring the catalog up to date with a service on the network')
  for (const { name, description, addOptions, run } of SYNC_COMMANDS) {
    addOptions(sync.command(name).description(description))
      .option('--json', 'print one JSON object')
      .action(async (flags: SyncFlags) => {
        const report = await run(readSettings(process.env), flags, false)
        if (flags.json === true) printJson(toJsonSyncReport(report))
        else printSyncReport(report)
        if (report.failures.length > 0 || report.paused !== undefined) process.exitCode = 1
      })
  }
}
