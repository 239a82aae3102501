import type { Command } from 'commander'
import { Catalog } from '../../catalog/catalog.ts'
import type { SourceRecord } from '../../catalog/storage/meta.ts'
import { computeCatalogDigest } from '../../catalog/verify/catalog-digest.ts'
import { describeUnknownSettings, listSettings, readSettings } from '../../config.ts'
import { readScheduleStatus, type ScheduleStatus } from '../../connectors/schedule/schedule-status.ts'
import { describeHolder } from '../../ingest/import-lock.ts'
import type { TaskHolder } from '../../ledger/ledger.ts'
import { type LedgerStatus, readLedgerStatus } from '../../ledger/ledger-status.ts'
import { systemClock } from '../../lib/clock.ts'
import { ownEntry } from '../../lib/objects.ts'
import { openExistingCatalog, QUICK_PAGE_CHECK_MS } from '../../runtime/open-ledger.ts'
import { formatCount } from '../../runtime/progress.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { formatIsoInstant, printJson, printLines, printTable } from '../terminal/output.ts'

/** Adds `marquee status`. */
export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('show what the catalog holds, its sources and the schedule')
    .option('--digest', 'add a digest of all documents and posting lists; nodes with equal catalogs have equal digests')
    .option('--json', 'print one JSON object')
    .action(async (flags: { digest?: boolean } & JsonFlag) => {
      const { dataDir, databaseUrl, sourcesFile } = readSettings(process.env)
      const environment = openExistingCatalog(dataDir, { pageCheckMs: QUICK_PAGE_CHECK_MS })
      try {
        const catalog = new Catalog(environment)
        const now = systemClock()
        const ledger = await readLedgerStatus(catalog, environment, databaseUrl)
        const digest = flags.digest === true ? { digest: computeCatalogDigest(catalog) } : {}
        const schedule = readScheduleStatus(sourcesFile, dataDir, now)
        const status = { ...readCatalogStatus(catalog, now), ...digest, importing: ledger.importing, ledger, schedule }
        if (flags.json === true) printJson(status)
        else await printStatus(status)
      } finally {
        await environment.root.close()
      }
    })
}

/** The counts of the catalog and of each source. */
function readCatalogStatus(catalog: Catalog, now: number) {
  const { shows, offers, offersBySource } = catalog.counts()
  const { countries, services, genres } = catalog.reference()
  const imports = new Map(catalog.sources().map(({ name, lastImport }) => [name, lastImport]))
  return {
    version: catalog.version(),
    shows,
    offers,
    countries: Object.keys(countries).length,
    services: Object.keys(services).length,
    genres: Object.keys(genres).length,
    sources: [...new Set([...imports.keys(), ...Object.keys(offersBySource)])].sort().map((name) => {
      const lastImport = imports.get(name)
      return {
        name,
        offers: ownEntry(offersBySource, name) ?? 0,
        ...(lastImport !== undefined && { age: now - lastImport.at, lastImport }),
      }
    }),
  }
}

type CatalogStatus = ReturnType<typeof readCatalogStatus>

interface Status extends CatalogStatus {
  readonly digest?: string
  readonly importing: TaskHolder | undefined
  readonly ledger: LedgerStatus
  readonly schedule: ScheduleStatus
}

async function printStatus({
  version,
  shows,
  offers,
  countries,
  services,
  genres,
  digest,
  importing,
  ledger,
  sources,
  schedule,
}: Status): Promise<void> {
  printLines(
    `version ${version}: ${formatCount(shows, 'show')} with ${formatCount(offers, 'offer')}`,
    [
      formatCount(countries, 'country', 'countries'),
      formatCount(services, 'service'),
      formatCount(genres, 'genre'),
    ].join(', '),
    ...describeLedger(ledger),
    ...(importing === undefined ? [] : [`${describeHolder(importing)} is importing ${importing.what}`]),
    ...(digest === undefined ? [] : [`digest ${digest}`]),
    '',
  )
  if (sources.length === 0) {
    process.stdout.write(
      'No feed has been imported yet: `marquee import FEED` imports one, `marquee demo` writes one.\n',
    )
  } else printSources(sources)
  if (schedule.problem !== undefined) printLines('', schedule.problem)
  if (schedule.sources.length === 0) return
  const { printSchedule } = await import('../feeds/sources-command.ts')
  process.stdout.write('\n')
  printSchedule(schedule.sources)
}

function printSources(sources: CatalogStatus['sources']): void {
  printTable(
    ['source', 'offers', 'last import', 'age', 'mode', 'shows', 'complete', 'notices'],
    sources.map(({ name, offers, age, lastImport }) => [
      name,
      offers,
      // An exported feed carries the offers of other sources, but not their imports.
      ...(lastImport === undefined || age === undefined ? ['unknown', '', '', 0, '', 0] : importCells(age, lastImport)),
    ]),
  )
}

function formatAge(seconds: number): string {
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}

function importCells(age: number, { at, mode, shows, complete, notices }: NonNullable<SourceRecord['lastImport']>) {
  const noticeCount = Object.values(notices).reduce((sum, one) => sum + one, 0)
  return [formatIsoInstant(at), formatAge(age), mode, shows, complete ? 'yes' : 'no', noticeCount]
}

/** Replication state in sentences; nothing for a local catalog without problems. */
function describeLedger({ kind, connected, problem, commit, lastCommit, behind, keeping }: LedgerStatus): string[] {
  if (kind === 'local') return problem === undefined ? [] : [problem]
  if (connected !== true) return [`replica of PostgreSQL at commit ${commit}; ${problem}`]
  const lag = behind === 0 ? 'up to date' : `${behind} behind ${lastCommit}`
  const leader = keeping === undefined ? 'no leader' : `leader: process ${keeping.pid} on ${keeping.host}`
  return [`replica of PostgreSQL at commit ${commit}, ${lag}; ${leader}`]
}

/** Adds `marquee config`. */
export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('print every setting with its value and where that comes from; secrets are masked')
    .option('--json', 'print a JSON array')
    .action((flags: JsonFlag) => {
      const settings = listSettings(process.env)
      if (flags.json === true) printJson(settings)
      else {
        printTable(
          ['setting', 'value', 'source'],
          settings.map(({ name, value, source }) => [name, value === '' ? '(none)' : value, source]),
        )
      }
      for (const line of describeUnknownSettings(process.env)) process.stderr.write(`${line}\n`)
      // Fails, after the list, with every value that is invalid.
      readSettings(process.env)
    })
}
