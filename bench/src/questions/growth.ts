import type { Ask } from '../ask.ts'
import type { Bench } from '../bench.ts'
import { compare, type Field, type Standing } from '../compare.ts'
import { Limit } from '../limit/limit.ts'
import { Marquee } from '../marquee.ts'
import { filterMix } from '../mixes/filter-mix.ts'
import { showsInACountry } from '../mixes/show-mix.ts'
import { exactTitles, misspeltTitles } from '../mixes/title-mix.ts'
import type { Question } from '../question.ts'
import { catalogOf, diskUse } from '../support/catalog.ts'
import { type Memory, memoryOf } from '../support/memory.ts'
import { median } from '../support/statistics.ts'
import { bytes, figure, type Table } from '../support/table.ts'

const SIZES = [10_000, 100_000, 1_000_000]

/** What becomes of speed, memory and disk as the catalog grows. */
export const growth: Question = {
  name: 'growth',
  asks: 'What becomes of speed, memory, disk and start-up as the catalog grows?',
  async find(bench) {
    const stages = []
    for (const shows of sizesUpTo(bench.shows)) stages.push(await stageOf(bench, shows))
    return { tables: [resources(stages), speeds(stages)], figures: stages }
  },
}

interface Stage {
  readonly shows: number
  readonly startUpMs: number
  /** Of the process that serves, after all questions. */
  readonly memory: Memory
  readonly disk: number
  readonly questions: readonly { readonly question: string; readonly standing: Standing }[]
}

function sizesUpTo(shows: number): number[] {
  const sizes = SIZES.filter((size) => size < shows)
  return [...sizes, shows]
}

async function stageOf(bench: Bench, shows: number): Promise<Stage> {
  const catalog = await catalogOf(shows)
  const startUpMs = await medianStartUp(catalog.data, bench.rounds)
  // A service of its own: one that has answered other questions before would show their memory too.
  const marquee = await Marquee.start(catalog.data)
  const limit = await Limit.start()
  const field: Field = { limit, marquee, peers: [] }
  try {
    const questions: [string, Ask[]][] = [
      ['show by id', showsInACountry(catalog.sample)],
      ['filters', await filterMix(marquee, catalog.sample)],
      ['title', exactTitles(catalog.sample)],
      ['misspelt title', misspeltTitles(catalog.sample)],
    ]
    const standings = []
    for (const [question, asks] of questions) {
      const title = `${shows.toLocaleString('en')} shows, ${question}`
      const { standings: all } = await compare(bench, field, title, asks)
      standings.push({ question, standing: all[1]! })
    }
    const memory = memoryOf(marquee.workers[0]!)
    return { shows, startUpMs, memory, disk: diskUse(catalog.data), questions: standings }
  } finally {
    await Promise.all([marquee.stop(), limit.stop()])
  }
}

async function medianStartUp(data: string, times: number): Promise<number> {
  const startUps: number[] = []
  for (let i = 0; i < times; i++) {
    const marquee = await Marquee.start(data)
    startUps.push(marquee.startUp)
    await marquee.stop()
  }
  return median(startUps)
}

function resources(stages: readonly Stage[]): Table {
  return {
    title: 'Growth: what it takes',
    head: ['shows', 'start-up ms', 'resident', 'anonymous', 'disk'],
    rows: stages.map(({ shows, startUpMs, memory, disk }) => [
      shows.toLocaleString('en'),
      figure(startUpMs),
      bytes(memory.resident),
      bytes(memory.anonymous),
      bytes(disk),
    ]),
    notes: [
      'Memory is that of the one process that serves, after all questions. Resident memory includes the pages of the',
      'mapped catalog, which the system can take back; anonymous memory is what the process has for itself.',
      'Start-up ends with the first answer, and is the median of as many starts as there are rounds.',
    ],
  }
}

function speeds(stages: readonly Stage[]): Table {
  return {
    title: 'Growth: speed',
    head: ['question', 'shows', 'requests/s', 'lowest–highest', 'of the limit', 'p50 ms', 'p99 ms'],
    rows: (stages[0]?.questions ?? []).flatMap(({ question }, i) =>
      stages.map(({ shows, questions }) => {
        const { requestsPerSecond, lowest, highest, ofLimit, p50, p99 } = questions[i]!.standing
        return [
          question,
          shows.toLocaleString('en'),
          figure(requestsPerSecond),
          `${figure(lowest)}–${figure(highest)}`,
          `${figure(ofLimit * 100)} %`,
          figure(p50),
          figure(p99),
        ]
      }),
    ),
    notes: [],
  }
}
