import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { readSettings } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { startOfDay } from '../../model/time.ts'
import { formatCount, Progress } from '../../runtime/progress.ts'
import { CommandError, parseWholeNumber } from '../terminal/output.ts'
import { writeFeedFile } from './write-feed-file.ts'

interface DemoFlags {
  readonly shows: number
  readonly seed: number
  readonly countries: number
  readonly at?: number
  readonly baseUrl?: string
  readonly out?: string
  readonly json?: boolean
}

/** Adds `marquee demo`. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('write a feed of real titles with invented availability, and of invented titles')
    .option('--shows <n>', 'how many shows', (text) => parseWholeNumber('--shows', text, 1, 10_000_000), 2_000)
    .option(
      '--seed <n>',
      'another number gives another feed',
      (text) => parseWholeNumber('--seed', text, 0, 2 ** 32 - 1),
      1,
    )
    .option('--countries <n>', 'how many countries', (text) => parseWholeNumber('--countries', text, 1, 40), 20)
    .option('--at <time>', 'the instant that the feed speaks of (default: the start of today, UTC)', parseInstant)
    .option('--base-url <url>', 'where the service draws the images and answers the links of the feed', parseBaseUrl)
    .option('--out <file>', 'write to a file, gzipped if it ends in .gz, instead of standard output')
    .option('--json', 'print a JSON object with the counts at the end (only with --out)')
    .action(async (flags: DemoFlags) => {
      const { demoFeed } = await import('../../demo/demo-feed.ts')
      const { host, port } = readSettings(process.env)
      const options = {
        shows: flags.shows,
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
      if (flags.json === true) process.stdout.write(`${JSON.stringify({ out: flags.out, shows: written })}\n`)
      else process.stdout.write(`${flags.out}: ${formatCount(written, 'show')}; their availability is invented\n`)
    })
}

/** Prints records as fast as whoever reads them takes them. */
async function printRecords(records: Iterable<object>): Promise<void> {
  const lines = function* () {
    for (const record of records) yield `${JSON.stringify(record)}\n`
  }
  await pipeline(Readable.from(lines(), { highWaterMark: 256 }), process.stdout, { end: false })
}

function parseBaseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text.replace(/\/+$/, '')
  throw new CommandError(`--base-url is "${text}"; it must be an address such as https://marquee.example`)
}

function parseInstant(text: string): number {
  const instant = /^\d+$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000)
  if (Number.isSafeInteger(instant)) return instant
  throw new CommandError(`--at is "${text}"; it must be a date such as 2026-01-31, or Unix seconds`)
}
