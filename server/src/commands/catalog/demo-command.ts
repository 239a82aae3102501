import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { readSettings } from '../../config.ts'
import { DEMO_COUNTRY_COUNT, DEMO_SOURCE } from '../../demo/feed-records.ts'
import { systemClock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import { startOfDay } from '../../model/time.ts'
import { formatCount, Progress } from '../../runtime/progress.ts'
import { type JsonFlag, parseBaseUrl, parseInstant, parseWholeNumber } from '../terminal/flags.ts'
import { printJson, printLines } from '../terminal/output.ts'
import { writeFeedFile } from './export-commands.ts'

interface DemoFlags extends JsonFlag {
  readonly shows: number
  readonly episodes?: number
  readonly seed: number
  readonly countries: number
  readonly at?: number
  readonly baseUrl?: string
  readonly out?: string
  readonly import?: boolean
}

/** Adds `marquee demo`. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('write a feed of real titles with invented availability, and of invented titles')
    .option('--shows <n>', 'how many shows', (text) => parseWholeNumber('--shows', text, 1, 10_000_000), 2_000)
    .option(
      '--episodes <n>',
      'about how many episodes all invented series have together (default: about 2.5 for each show of the feed)',
      (text) => parseWholeNumber('--episodes', text, 1, 1_000_000_000),
    )
    .option(
      '--seed <n>',
      'the seed of the generator; another seed gives another feed',
      (text) => parseWholeNumber('--seed', text, 0, 2 ** 32 - 1),
      1,
    )
    .option(
      '--countries <n>',
      'how many countries, the largest markets first',
      (text) => parseWholeNumber('--countries', text, 1, DEMO_COUNTRY_COUNT),
      DEMO_COUNTRY_COUNT,
    )
    .option('--at <time>', 'the time of the feed (default: the start of today, UTC)', parseInstant)
    .option('--base-url <url>', 'the address of the service, for the images and links of the feed', parseBaseUrl)
    .option('--out <file>', 'write to a file, gzipped if it ends in .gz, instead of standard output')
    .option(
      '--import',
      'put the demo with its history into the catalog of MARQUEE_DATA, which must be empty, instead of writing a feed; takes --shows and --base-url',
    )
    .option('--json', 'print a JSON object with the counts at the end (only with --out or --import)')
    .action(async (flags: DemoFlags, command: Command) => {
      if (flags.import === true) {
        rejectFeedFlags(command)
        await importDemo(flags)
        return
      }
      const { demoFeed } = await import('../../demo/demo-feed.ts')
      const { host, port } = readSettings(process.env)
      const options = {
        shows: flags.shows,
        episodes: flags.episodes,
        seed: flags.seed,
        countries: flags.countries,
        at: flags.at ?? startOfDay(systemClock()),
        baseUrl: flags.baseUrl ?? `http://${host}:${port}`,
      }
      const progress = new Progress()
      let written = 0
      const records = function* () {
        for (const record of demoFeed(options)) {
          if (record.kind === 'show') progress.update('shows written', ++written, () => written / options.shows)
          yield record
        }
      }
      try {
        if (flags.out === undefined) await printRecords(records())
        else writeFeedFile(records(), flags.out)
      } finally {
        progress.end()
      }
      if (flags.out === undefined) return
      if (flags.json === true) printJson({ out: flags.out, shows: written })
      else printLines(`${flags.out}: ${formatCount(written, 'show')}; their availability is invented`)
    })
}

/** The flags of feeds that the demo of a first start does not take. */
const FEED_FLAGS = ['episodes', 'seed', 'countries', 'at', 'out']

function rejectFeedFlags(command: Command): void {
  const given = FEED_FLAGS.find((flag) => command.getOptionValueSource(flag) === 'cli')
  if (given === undefined) return
  throw new UserError(
    `--import makes the demo of a first start, and writes no feed: leave --${given} out; it takes --shows and --base-url`,
  )
}

/** Imports the demo of a first start, also beside a running service. Throws if the folder has another catalog. */
async function importDemo({ shows, baseUrl, json }: DemoFlags): Promise<void> {
  const { seedDemoCatalog } = await import('../../runtime/seed-demo-catalog.ts')
  const settings = readSettings(process.env)
  const output = json === true ? process.stderr : process.stdout
  const isDemo = await seedDemoCatalog(settings, { shows, output, ...(baseUrl !== undefined && { baseUrl }) })
  if (!isDemo) {
    throw new UserError(
      `The folder ${settings.dataDir} has a catalog of its own; the demo is for an empty one: name a new folder in MARQUEE_DATA`,
    )
  }
  if (json === true) printJson({ source: DEMO_SOURCE, folder: settings.dataDir })
}

/** Prints records to standard output, with backpressure from its reader. */
async function printRecords(records: Iterable<object>): Promise<void> {
  const lines = function* () {
    for (const record of records) yield `${JSON.stringify(record)}\n`
  }
  await pipeline(Readable.from(lines(), { highWaterMark: 256 }), process.stdout, { end: false })
}
