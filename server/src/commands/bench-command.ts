import type { Command } from 'commander'
import { Catalog } from '../catalog/catalog.ts'
import { readSettings } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../model/time.ts'
import type { Query } from '../query/queries.ts'
import { CatalogQueryEngine } from '../render/catalog-query-engine.ts'
import { openExistingCatalog } from '../runtime/open-stores.ts'
import { formatCount } from '../runtime/progress.ts'
import { CommandError, printJson, printTable } from './terminal/output.ts'

/** Shows that the questions are about, spread over the catalog. */
const SAMPLE = 400

/** Adds `marquee bench`. */
export function addBenchCommand(program: Command): void {
  program
    .command('bench')
    .description('measure how fast this machine answers out of this catalog, without HTTP and keys')
    .option('--json', 'print one JSON object')
    .action(async (flags: { json?: boolean }) => {
      const environment = openExistingCatalog(readSettings(process.env).dataDir)
      try {
        const catalog = new Catalog(environment)
        if (catalog.counts().shows === 0) throw new CommandError('The catalog is empty: there is nothing to ask it')
        const now = systemClock()
        const answers = new CatalogQueryEngine(catalog)
        const timings = [...questions(catalog, now)].map(([question, queries]) => time(question, queries, answers, now))
        if (flags.json === true) printJson(timings)
        else print(catalog, timings)
      } finally {
        await environment.root.close()
      }
    })
}

/** What is asked: a list of different queries for each kind of question. */
function* questions(catalog: Catalog, now: number): Iterable<[question: string, queries: Query[]]> {
  const { countries, genres } = catalog.reference()
  const codes = Object.keys(countries)
  const genreIds = Object.keys(genres)
  const documents = (catalog.environment.facts.getStats() as { entryCount: number }).entryCount
  const step = Math.max(1, Math.floor(documents / SAMPLE))
  const shows = Array.from({ length: Math.min(SAMPLE, documents) }, (_, i) => catalog.show(i * step)).flatMap((show) =>
    show === undefined || show.deleted === true ? [] : [show],
  )
  const language = 'en'
  const granularity = 'show'
  const countryOf = (i: number) => codes[i % codes.length] as string
  yield [
    'show, one country',
    shows.map(({ id }, i) => ({ kind: 'show', id, country: countryOf(i), granularity, language })),
  ]
  yield ['show, everything', shows.map(({ id }) => ({ kind: 'show', id, granularity: 'episode', language }))]
  yield [
    'filters',
    shows.map((show, i) => ({
      kind: 'filter',
      country: countryOf(i),
      catalogs: [],
      genres: i % 2 === 0 ? [] : [genreIds[i % genreIds.length] as string],
      genresRelation: 'and',
      ...(i % 3 === 0 && { yearMin: 1980 + (i % 40) }),
      ...(i % 5 === 0 && { showType: show.showType }),
      order: (['popularity_alltime', 'rating', 'release_date', 'original_title'] as const)[i % 4] ?? 'rating',
      direction: i % 2 === 0 ? 'desc' : 'asc',
      granularity,
      language,
    })),
  ]
  const title = (title: string, i: number): Query => ({
    kind: 'title',
    title,
    country: countryOf(i),
    granularity,
    language,
  })
  yield ['titles', shows.map((show, i) => title(show.title, i))]
  yield ['titles, misspelt', shows.map((show, i) => title(`${show.title.slice(0, -2)}${show.title.slice(-1)}`, i))]
  yield [
    'changes',
    shows.map((_, i) => ({
      kind: 'changes',
      country: countryOf(i),
      changeType: (['new', 'updated', 'removed', 'expiring', 'upcoming'] as const)[i % 5] ?? 'new',
      itemType: (['show', 'season', 'episode'] as const)[Math.floor(i / 5) % 3] ?? 'show',
      catalogs: [],
      from: now - CHANGE_WINDOW_DAYS * SECONDS_PER_DAY + i,
      to: now + CHANGE_WINDOW_DAYS * SECONDS_PER_DAY,
      includeUnknownDates: true,
      direction: 'asc',
      language,
    })),
  ]
}

interface Timing {
  readonly question: string
  readonly queries: number
  /** Mean size of an answer. */
  readonly bytes: number
  /** Microseconds an answer, asked for the first time and again. */
  readonly first: { readonly median: number; readonly p99: number }
  readonly again: { readonly median: number; readonly p99: number }
  readonly againPerSecond: number
}

function time(question: string, queries: readonly Query[], answers: CatalogQueryEngine, now: number): Timing {
  let bytes = 0
  const ask = () =>
    queries.map((query) => {
      const start = process.hrtime.bigint()
      const body = answers.execute(query, now)?.body
      bytes += body?.bytes.length ?? 0
      body?.release?.()
      return Number(process.hrtime.bigint() - start) / 1000
    })
  const first = ask()
  const mean = Math.round(bytes / queries.length)
  const again = [ask(), ask(), ask()].flat()
  const total = again.reduce((sum, one) => sum + one, 0)
  return {
    question,
    queries: queries.length,
    bytes: mean,
    first: percentiles(first),
    again: percentiles(again),
    againPerSecond: Math.round((again.length / total) * 1e6),
  }
}

function percentiles(times: readonly number[]): { median: number; p99: number } {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)
  return { median: at(0.5), p99: at(0.99) }
}

function print(catalog: Catalog, timings: readonly Timing[]): void {
  const { shows, offers } = catalog.counts()
  process.stdout.write(
    `${formatCount(shows, 'show')} with ${formatCount(offers, 'offer')}; one process, without HTTP and keys; times in µs\n\n`,
  )
  printTable(
    ['question', 'queries', 'bytes', 'first', 'p99', 'again', 'p99', 'again/s'],
    timings.map(({ question, queries, bytes, first, again, againPerSecond }) => [
      question,
      queries,
      bytes,
      first.median,
      first.p99,
      again.median,
      again.p99,
      againPerSecond,
    ]),
  )
}
