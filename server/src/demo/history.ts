import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../model/time.ts'
import type { DemoOptions } from './demo-options.ts'
import type { FeedRecord } from './feed-record.ts'
import { DemoCatalog, demoHeader } from './generate.ts'
import { PastVersions, type Touch } from './past-version.ts'
import { Random, scramble } from './random.ts'
import { RealShowMaker } from './real-show.ts'
import { TopLists } from './top-lists.ts'

/** A feed of the past and the instant at which it came. Its records can be walked more than once. */
export interface DatedFeed {
  readonly at: number
  readonly records: Iterable<FeedRecord>
}

const DELTAS = 10
const DAYS_BETWEEN = 3
const TOUCHED_SHARE = 0.14
const TOUCHED_SHARE_OF_REAL = 0.4
/** Keeps the drawing of the past apart from the drawing of the shows. */
const PAST = 0x5bd1e995

/**
 * A month of feeds that ends in the catalog that `demoFeed` describes, apart from the times at which offers were first
 * seen: a snapshot of 31 days ago, then deltas in which some shows come, go and change.
 */
export function* demoHistory(options: DemoOptions): Generator<DatedFeed> {
  const history = new History(options)
  for (let step = 0; step <= DELTAS; step++) {
    yield { at: history.instant(step), records: { [Symbol.iterator]: () => history.records(step) } }
  }
}

class History {
  private readonly options: DemoOptions
  private readonly instants: readonly number[]

  constructor(options: DemoOptions) {
    this.options = options
    const first = options.at - CHANGE_WINDOW_DAYS * SECONDS_PER_DAY
    this.instants = Array.from({ length: DELTAS + 1 }, (_, step) =>
      // Feeds come at different hours of the day.
      step === 0 ? first : first + step * DAYS_BETWEEN * SECONDS_PER_DAY + ((step * 7) % 20) * 3_600,
    )
  }

  instant(step: number): number {
    return this.instants[step] as number
  }

  *records(step: number): Generator<FeedRecord> {
    const catalog = new DemoCatalog(this.options)
    const past = new PastVersions(catalog.markets, this.instants)
    yield demoHeader(step === 0 ? 'snapshot' : 'delta')
    if (step === 0) yield* catalog.referenceRecords()
    const whole = step === 0 || step === DELTAS
    const topLists = whole ? new TopLists(catalog.markets) : undefined
    for (let i = 0; i < this.options.shows; i++) {
      const touch = touchOf(this.options.seed, i)
      if (!whole && touch?.steps.includes(step) !== true) continue
      const present = catalog.show(i)
      const restated = step === 0 || (touch !== undefined && past.changesAt(present, touch, step))
      const show = past.asOf(present, touch, step)
      if (show === undefined) continue
      topLists?.consider(show)
      if (restated) yield show
    }
    if (topLists !== undefined) yield* topLists.records()
  }
}

const random = new Random()

/** Whether and when the show at a position changes during the month. */
export function touchOf(seed: number, index: number): Touch | undefined {
  random.reseed(seed ^ PAST, index)
  if (!random.chance(index < RealShowMaker.count ? TOUCHED_SHARE_OF_REAL : TOUCHED_SHARE)) return undefined
  const first = 1 + random.int(DELTAS)
  const steps = [first]
  // A series with new episodes has them one after the other; any other change happens at once.
  while (steps.length < 3 && (steps.at(-1) as number) + 2 <= DELTAS) steps.push((steps.at(-1) as number) + 2)
  return { first, steps, seed: scramble(index ^ seed) }
}
