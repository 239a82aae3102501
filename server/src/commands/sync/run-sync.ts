import { join } from 'node:path'
import type { Command } from 'commander'
import type { Settings } from '../../config.ts'
import { readSourceRanks } from '../../connectors/schedule/source-ranks-file.ts'
import type { SyncDependencies } from '../../connectors/sync/sync-importer.ts'
import type { SyncStore } from '../../connectors/sync/sync-store.ts'
import type { SyncOptions, SyncReport } from '../../connectors/sync/title-sync.ts'
import { withImportLock } from '../../ingest/import-lock.ts'
import { systemClock } from '../../lib/clock.ts'
import { openLedger } from '../../runtime/open-ledger.ts'
import { Progress } from '../../runtime/progress.ts'
import { printImportWait } from '../terminal/output.ts'

/** Flags of a sync by name in camel case, from the command line or from a schedule. */
export type SyncFlags = Readonly<Record<string, string | boolean | undefined>>

/** One kind of sync: a subcommand of `marquee sync`, and the value of `sync` in `sources.json`. */
export interface SyncCommand {
  readonly name: string
  readonly description: string
  addOptions(command: Command): Command
  /** @param isScheduled the flags come from `sources.json`, so addresses in them are checked */
  run(settings: Settings, flags: SyncFlags, isScheduled: boolean): Promise<SyncReport>
}

/** The text of a flag. */
export function textFlag(flags: SyncFlags, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** A sync to be run: which source it fills, and where it fetches from. */
interface SyncJob<S extends SyncStore> {
  readonly source: string
  /** The name of the API in messages. */
  readonly api: string
  readonly openStore: (folder: string) => S
  readonly start: (
    dependencies: SyncDependencies<S>,
    options: Pick<SyncOptions, 'onProgress'>,
  ) => { run(): Promise<SyncReport> }
}

/** Opens the ledger and the state of a sync, runs it with a progress line, and closes both. */
export async function runSync<S extends SyncStore>(settings: Settings, job: SyncJob<S>): Promise<SyncReport> {
  const { source, api, openStore, start } = job
  const progress = new Progress()
  const ledger = await openLedger(settings, 'import')
  try {
    const store = openStore(join(settings.dataDir, 'sync', source))
    try {
      const lock = { what: `what was fetched from ${api} for ${source}`, onWait: printImportWait }
      const dependencies: SyncDependencies<S> = {
        store,
        ledger,
        clock: systemClock,
        ranks: readSourceRanks(settings.sourcesFile),
        withLock: (work) => withImportLock(ledger, { ...lock, now: systemClock() }, work),
      }
      const onProgress = (done: number, planned: number) =>
        progress.update('titles fetched', done, planned > 0 ? () => done / planned : undefined)
      return await start(dependencies, { onProgress }).run()
    } finally {
      progress.end()
      await store.close()
    }
  } finally {
    await ledger.close()
  }
}
