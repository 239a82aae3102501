import type { Command } from 'commander'
import { Catalog } from '../../catalog/catalog.ts'
import { computeCatalogDigest } from '../../catalog/catalog-digest.ts'
import type { SourceRecord } from '../../catalog/storage/meta.ts'
import { readSettings } from '../../config.ts'
import { readScheduleStatus, type ScheduleStatus } from '../../connectors/schedule/schedule-status.ts'
import { describeHolder } from '../../ingest/import-lock.ts'
import type { TaskHolder } from '../../ledger/ledger.ts'
import { type LedgerStatus, readLedgerStatus } from '../../ledger/ledger-status.ts'
import { systemClock } from '../../lib/clock.ts'
import { ownEntry } from '../../lib/objects.ts'
import { openExistingCatalog } from '../../runtime/open-stores.ts'
import { formatCount } from '../../runtime/progress.ts'
import { printSchedule } from '../feeds/sources-command.ts'
import { printJson, printLines, printTable } from '../terminal/output.ts'

/** Adds `marquee status`. */
export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('say what the catalog holds and who feeds it')
    .option('--digest', 'add a digest of all documents and postings: nodes with the same one hold the same')
    .option('--json', 'print one JSON object')
    .action(async (flags: { digest?: boolean; json?: boolean }) => {
      const { dataDir, databaseUrl, sourcesFile } = readSettings(process.env)
      const environment = openExistingCatalog(dataDir)
      try {
        const catalog = new Catalog(environment)
        const now = systemClock()
        const ledger = await readLedgerStatus(catalog, environment, databaseUrl)
        const digest = flags.digest === true ? { digest: computeCatalogDigest(catalog) } : {}
        const schedule = readScheduleStatus(sourcesFile, dataDir, now)
        const status = { ...catalogStatus(catalog, now), ...digest, importing: ledger.importing, ledger, schedule }
        if (flags.json === true) printJson(status)
        else printStatus(status)
      } finally {
        await environment.root.close()
      }
    })
}

function catalogStatus(catalog: Catalog, now: number) {
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

function printStatus({
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
}: ReturnType<typeof catalogStatus> & {
  digest?: string
  importing: TaskHolder | undefined
  ledger: LedgerStatus
  schedule: ScheduleStatus
}): void {
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
      'No feed was imported yet: `marquee import FEED` brings the first, `marquee demo` makes one.\n',
    )
  } else printSources(sources)
  if (schedule.problem !== undefined) printLines('', schedule.problem)
  if (schedule.sources.length === 0) return
  process.stdout.write('\n')
  printSchedule(schedule.sources)
}

function printSources(sources: ReturnType<typeof catalogStatus>['sources']): void {
  printTable(
    ['source', 'offers', 'last import', 'age', 'mode', 'shows', 'whole', 'notices'],
    sources.map(({ name, offers, age, lastImport }) => [
      name,
      offers,
      // An export brings the offers of sources without their imports.
      ...(lastImport === undefined || age === undefined ? ['unknown', '', '', 0, '', 0] : importCells(age, lastImport)),
    ]),
  )
}

function formatAge(seconds: number): string {
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}

function importCells(age: number, { at, mode, shows, complete, notices }: NonNullable<SourceRecord['lastImport']>) {
  const noticed = Object.values(notices).reduce((sum, one) => sum + one, 0)
  const instant = new Date(at * 1000).toISOString().replace('.000', '')
  return [instant, formatAge(age), mode, shows, complete ? 'yes' : 'no', noticed]
}

/** How the catalog stands to its system of record, as sentences. */
function describeLedger({ kind, connected, problem, commit, lastCommit, behind, keeping }: LedgerStatus): string[] {
  if (kind === 'local') return problem === undefined ? [] : [problem]
  if (connected !== true) return [`copy of PostgreSQL up to commit ${commit}; ${problem}`]
  const lag = behind === 0 ? 'up to date' : `${behind} behind ${lastCommit}`
  const keeper = keeping === undefined ? 'nobody keeps time' : `process ${keeping.pid} on ${keeping.host} keeps time`
  return [`copy of PostgreSQL up to commit ${commit}, ${lag}; ${keeper}`]
}
