import { demoFeed } from '../../src/demo/demo-feed.ts'
import { Random } from '../../src/demo/random.ts'
import { generateEnglishTitle, generatePlace } from '../../src/demo/shows/texts.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { NOW } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import heldOutTitles from './held-out-titles.json' with { type: 'json' }
import judgedTitles from './titles.json' with { type: 'json' }

/** The catalogs that searches are judged on. */
export const EVALUATION_CATALOGS = ['demo', 'large'] as const
export type EvaluationCatalog = (typeof EVALUATION_CATALOGS)[number]

const titles = [...judgedTitles, ...heldOutTitles]

/** The shows of the stored figures. */
export const DEFAULT_SHOWS: Readonly<Record<EvaluationCatalog, number>> = { demo: 500, large: 20_000 }

/** Imports a catalog into an empty data directory. */
export async function buildEvaluationCatalog(
  kind: EvaluationCatalog,
  folder: string,
  shows = DEFAULT_SHOWS[kind],
): Promise<LocalLedger> {
  const ledger = new LocalLedger(folder)
  const records = kind === 'demo' ? demoRecords(shows) : largeRecords(shows)
  const report = await importFeed(feedFromRecords(records), ledger, { clock: () => NOW, source: 'evaluation' })
  if (report.shows < shows) throw new Error(`Only ${report.shows} of ${shows} shows were imported`)
  return ledger
}

function demoRecords(shows: number): Iterable<object> {
  return demoFeed({ shows, seed: 1, countries: 1, at: NOW, baseUrl: 'https://demo.test' })
}

/** Well-known titles, and others that are made of their common words, and of other words. */
function* largeRecords(shows: number): Generator<object> {
  yield { kind: 'feed', source: 'evaluation', mode: 'snapshot' }
  yield { kind: 'service', id: 'netflix', name: 'Netflix', countries: { us: {} } }
  yield { kind: 'country', countryCode: 'us', services: ['netflix'] }
  let id = 0
  for (const { title, year, showType, fame, ...more } of titles) {
    yield showRecord(++id, { title, showType, year, fame: fame * 1_000, ...more })
  }
  const random = new Random(18)
  const words = commonWords(titles.map(({ title }) => title))
  while (id < shows) {
    const title = random.chance(0.5)
      ? recombine(random, words)
      : generateEnglishTitle(random, generatePlace(random)).english
    const showType = random.chance(0.7) ? 'movie' : 'series'
    yield showRecord(++id, {
      title,
      showType,
      year: 1930 + random.int(95),
      fame: Math.round(25_000 * random.next() ** 4),
    })
  }
}

/** The words that several titles have. Rare ones are what a title is known by, and other titles seldom have them. */
function commonWords(all: readonly string[]): string[] {
  const words = all.flatMap((title) => title.split(' ').filter((word) => /^[A-Za-z]+$/.test(word)))
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return words.filter((word) => (counts.get(word) as number) > 2)
}

/** A title of two to four words of several others. */
function recombine(random: Random, words: readonly string[]): string {
  return Array.from({ length: 2 + random.int(3) }, () => random.pick(words)).join(' ')
}

interface EvaluatedShow {
  readonly title: string
  readonly showType: string
  readonly year: number
  readonly fame: number
  readonly originalTitle?: string
  readonly originalLanguage?: string
  readonly aliases?: readonly string[]
}

function showRecord(id: number, { year, fame, showType, ...show }: EvaluatedShow): object {
  return {
    kind: 'show',
    id: String(id),
    showType,
    [showType === 'movie' ? 'releaseYear' : 'firstAirYear']: year,
    popularity: { us: { alltime: fame } },
    ...show,
  }
}
