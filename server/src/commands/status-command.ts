import type { Command } from 'commander'
import { Catalog } from '../catalog/catalog.ts'
import { openEnvironment } from '../catalog/environment.ts'
import { readSettings } from '../config.ts'
import { systemClock } from '../model/clock.ts'
import { printJson, printTable } from './output.ts'
import { count } from './progress.ts'

/** Adds `marquee status`. */
export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('say what the catalog holds and who feeds it')
    .option('--json', 'print one JSON object')
    .action(async (flags: { json?: boolean }) => {
      const environment = openEnvironment(readSettings(process.env).dataDir)
      try {
        const catalog = new Catalog(environment)
        const status = statusOf(catalog, systemClock())
        if (flags.json === true) printJson(status)
        else printStatus(status)
      } finally {
        await environment.root.close()
      }
    })
}

function statusOf(catalog: Catalog, now: number) {
  const { shows, offers, offersBySource } = catalog.counts()
  const { countries, services, genres } = catalog.reference()
  return {
    version: catalog.version(),
    shows,
    offers,
    countries: Object.keys(countries).length,
    services: Object.keys(services).length,
    genres: Object.keys(genres).length,
    sources: catalog.sources().map(({ name, lastImport }) => ({
      name,
      offers: offersBySource[name] ?? 0,
      age: now - lastImport.at,
      lastImport,
    })),
  }
}

function printStatus({
  version,
  shows,
  offers,
  countries,
  services,
  genres,
  sources,
}: ReturnType<typeof statusOf>): void {
  const lines = [
    `version ${version}: ${count(shows)} shows with ${count(offers)} offers`,
    `${countries} countries, ${services} services, ${genres} genres`,
  ]
  process.stdout.write(`${lines.join('\n')}\n\n`)
  if (sources.length === 0) {
    process.stdout.write(
      'No feed was imported yet: `marquee import FEED` brings the first, `marquee demo` makes one.\n',
    )
    return
  }
  printTable(
    ['source', 'offers', 'last import', 'age', 'mode', 'shows', 'whole', 'notices'],
    sources.map(({ name, offers, age, lastImport: { at, mode, shows, complete, notices } }) => [
      name,
      offers,
      new Date(at * 1000).toISOString().replace('.000', ''),
      ageText(age),
      mode,
      shows,
      complete ? 'yes' : 'no',
      Object.values(notices).reduce((sum, one) => sum + one, 0),
    ]),
  )
}

function ageText(seconds: number): string {
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}
