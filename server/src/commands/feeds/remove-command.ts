import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Catalog } from '../../catalog/catalog.ts'
import { readSettings, type Settings } from '../../config.ts'
import { readSourceRanks, writeSourceRanks } from '../../connectors/schedule/source-ranks-file.ts'
import { readSourceControl, readSourceState, writeSourceState } from '../../connectors/schedule/source-state.ts'
import { parseSources, type ScheduledSource } from '../../connectors/schedule/sources-file.ts'
import { SyncStore } from '../../connectors/sync/sync-store.ts'
import { withImportLock } from '../../ingest/import-lock.ts'
import { hasSource, removeSource, type SourceRemovalReport } from '../../ingest/remove-source.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { systemClock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import type { SourceRanks } from '../../model/source-ranks.ts'
import { withAccounts } from '../../runtime/open-accounts.ts'
import { openExistingCatalog, openLedger } from '../../runtime/open-ledger.ts'
import { formatCount, formatNumber, Progress } from '../../runtime/progress.ts'
import { InterruptWatch } from '../terminal/command-exit.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printImportWait, printJson, printLines } from '../terminal/output.ts'

interface RemoveFlags extends JsonFlag {
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly wait?: boolean
}

/** Adds `marquee sources remove`. */
export function addRemoveCommand(sources: Command): void {
  sources
    .command('remove')
    .description('remove all that a source has said from the catalog: offers, ratings, details, shows of its own')
    .argument('<source>', 'the name of the source, as `marquee status` prints it')
    .option('--dry-run', 'report what would be removed, and change nothing')
    .option('--yes', 'remove without asking')
    .option('--no-wait', 'fail immediately if another process is importing')
    .option('--json', 'print one JSON object')
    .action((source: string, flags: RemoveFlags) => run(source, flags))
}

async function run(source: string, flags: RemoveFlags): Promise<void> {
  const settings = readSettings(process.env)
  await openExistingCatalog(settings.dataDir).root.close()
  const scheduled = readSchedule(settings.sourcesFile)
  const ledger = await openLedger(settings, flags.dryRun === true ? 'check' : 'import')
  try {
    const isRanked = ranksWithout(readSourceRanks(settings.sourcesFile), source) !== undefined
    if (!hasSource(ledger.catalog, source) && !isRanked) throw new UserError(describeUnknown(source, ledger.catalog))
    if (flags.dryRun === true) {
      print(await removeWithProgress(ledger, source, true), flags)
      return
    }
    assertNotScheduled(source, scheduled, settings)
    if (!(await isConfirmed(source, ledger, flags))) return
    await removeSyncState(settings.dataDir, source)
    const report = await withImportLock(
      ledger,
      {
        what: `the removal of ${source}`,
        now: systemClock(),
        onWait: flags.wait === false ? undefined : printImportWait,
      },
      () => removeWithProgress(ledger, source, false),
    )
    const ranks = ranksWithout(readSourceRanks(settings.sourcesFile), source)
    if (ranks !== undefined) writeSourceRanks(settings.sourcesFile, ranks)
    if (report.details > 0) readAllAgain(settings.dataDir, scheduled)
    await withAccounts(({ audit }, context) => audit.record(context, 'source.removed', source))
    print(report, flags)
  } finally {
    await ledger.close()
  }
}

async function removeWithProgress(ledger: Ledger, source: string, dryRun: boolean): Promise<SourceRemovalReport> {
  const progress = new Progress()
  const interrupts = new InterruptWatch(
    dryRun
      ? 'Interrupted. Nothing was changed.'
      : 'Interrupted. What was committed stays removed; run the command again to remove the rest.',
  )
  try {
    return await removeSource(ledger, source, {
      clock: systemClock,
      dryRun,
      checkpoint: () => interrupts.check(),
      onProgress: (phase, done, total) => progress.update(`shows ${phase}`, done, () => done / total),
    })
  } finally {
    progress.end()
    await interrupts.stop()
  }
}

async function isConfirmed(source: string, ledger: Ledger, { yes, json }: RemoveFlags): Promise<boolean> {
  if (yes === true) return true
  const { terminalAsk } = await import('./guess-feed.ts')
  const ask = json === true ? undefined : terminalAsk()
  if (ask === undefined) {
    throw new UserError('The removal has to be confirmed: look at it with --dry-run, then give --yes')
  }
  print(await removeWithProgress(ledger, source, true), { dryRun: true })
  const answer = await ask(`Remove all that ${source} has said? [y/N] `)
  if (/^y(es)?$/i.test(answer.trim())) return true
  printLines('Nothing was removed.')
  return false
}

/** The entries of sources.json; none if there is no such file. */
function readSchedule(file: string): ScheduledSource[] {
  return existsSync(file) ? parseSources(readFileSync(file, 'utf8'), file) : []
}

/** Throws if the source would come back with its next scheduled run. */
function assertNotScheduled(source: string, scheduled: readonly ScheduledSource[], settings: Settings): void {
  const entry = scheduled.find(
    (one) => one.source === source && readSourceControl(settings.dataDir, one.name).pausedAt === undefined,
  )
  if (entry === undefined) return
  throw new UserError(
    `"${entry.name}" in ${settings.sourcesFile} would import ${source} again: take it out of the file, or pause it ` +
      `with \`marquee sources pause ${entry.name}\`, and remove it then`,
  )
}

function describeUnknown(source: string, catalog: Catalog): string {
  const names = [...catalog.sources().map(({ name }) => name), ...Object.keys(catalog.counts().offersBySource)]
  const known = [...new Set(names)].sort().join(', ')
  return `The catalog has nothing of a source "${source}"; there are ${known || 'none'}`
}

/** The ranks without a source; undefined if it has none. */
function ranksWithout({ all, fields }: SourceRanks, source: string): SourceRanks | undefined {
  const without = (names: readonly string[]) => names.filter((name) => name !== source)
  if (![all, ...Object.values(fields)].some((names) => names.includes(source))) return undefined
  const kept = Object.entries(fields).flatMap(([field, names]) => {
    const left = without(names)
    return left.length === 0 ? [] : [[field, left]]
  })
  return { all: without(all), fields: Object.fromEntries(kept) }
}

/** Deletes what a sync has noted as imported; throws if the sync is running. */
async function removeSyncState(dataDir: string, source: string): Promise<void> {
  const folder = join(dataDir, 'sync', source)
  if (!existsSync(folder)) return
  await new SyncStore(folder).close()
  rmSync(folder, { recursive: true, force: true })
}

/** Lets the next run of every scheduled source read all of it: what was overruled before counts now. */
function readAllAgain(dataDir: string, scheduled: readonly ScheduledSource[]): void {
  for (const { name } of scheduled) {
    const { validators: _v, fingerprint: _f, ...state } = readSourceState(dataDir, name)
    if (state.firstRunAt !== undefined) writeSourceState(dataDir, name, state)
  }
}

function print(report: SourceRemovalReport, { json, dryRun }: Pick<RemoveFlags, 'json' | 'dryRun'>): void {
  const isPlanned = dryRun === true
  if (json === true) {
    printJson({ ...report, dryRun: isPlanned })
    return
  }
  const { source, shows, deleted, details, offers, topLists, changes } = report
  const { new: added, updated, removed } = changes
  printLines(
    `${source}: ${isPlanned ? 'would be removed' : 'removed'}, with ${formatCount(offers, 'offer')} of ${formatCount(shows, 'show')}`,
    `  shows      ${formatNumber(deleted)} of no other source ${isPlanned ? 'would be' : 'are'} deleted`,
    `  changes    ${formatNumber(added)} new, ${formatNumber(updated)} updated, ${formatNumber(removed)} removed`,
    `  top lists  ${formatNumber(topLists)}`,
  )
  if (details === 0) return
  printLines(
    `  details    ${formatCount(details, 'show')} ${isPlanned ? 'would lose' : 'lost'} texts of ${source} until other sources state theirs:`,
    '             import or sync those again',
  )
}
