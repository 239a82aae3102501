import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../../model/time.ts'
import { DemoCatalog, demoHeader } from '../demo-feed.ts'
import type { DemoOptions, FeedRecord } from '../feed-records.ts'
import { mixBits, Random } from '../random.ts'
import { TopLists } from '../shows/popularity.ts'
import { RealShowGenerator } from '../shows/real-show.ts'
import { PastShowBuilder, type PlannedRevision } from './past-versions.ts'

/** A feed of the past and the instant at which it came. Its records can be walked more than once. */
export interface DatedFeed {
  readonly at: number
  readonly records: Iterable<FeedRecord>
}

const DELTA_COUNT = 10
const DAYS_BETWEEN_DELTAS = 3
const CHANGED_SHARE = 0.14
const CHANGED_SHARE_OF_REAL = 0.4
/** Keeps the drawing of the past apart from the drawing of the shows. */
const HISTORY_SEED = 0x5bd1e995

/**
 * A month of feeds that ends in the catalog that `demoFeed` describes, apart from the times at which offers were first
 * seen: a snapshot of 31 days ago, then deltas in which some shows come, go and change.
 */
export function* demoHistory(options: DemoOptions): Generator<DatedFeed> {
  const history = new History(options)
  for (let step = 0; step <= DELTA_COUNT; step++) {
    yield { at: history.instant(step), records: { [Symbol.iterator]: () => history.records(step) } }
  }
}

class History {
  private readonly options: DemoOptions
  private readonly instants: readonly number[]

  constructor(options: DemoOptions) {
    this.options = options
    const first = options.at - CHANGE_WINDOW_DAYS * SECONDS_PER_DAY
    this.instants = Array.from({ length: DELTA_COUNT + 1 }, (_, step) =>
      // Feeds come at different hours of the day.
      step === 0 ? first : first + step * DAYS_BETWEEN_DELTAS * SECONDS_PER_DAY + ((step * 7) % 20) * 3_600,
    )
  }

  instant(step: number): number {
    return this.instants[step] as number
  }

  *records(step: number): Generator<FeedRecord> {
    const catalog = new DemoCatalog(this.options)
    const past = new PastShowBuilder(catalog.markets, this.instants)
    yield demoHeader(step === 0 ? 'snapshot' : 'delta')
    if (step === 0) yield* catalog.buildReferenceRecords()
    const whole = step === 0 || step === DELTA_COUNT
    const topLists = whole ? new TopLists(catalog.markets) : undefined
    for (let i = 0; i < this.options.shows; i++) {
      const touch = planRevision(this.options.seed, i)
      if (!whole && touch?.steps.includes(step) !== true) continue
      const present = catalog.show(i)
      const restated = step === 0 || (touch !== undefined && past.changesAt(present, touch, step))
      const show = past.buildAt(present, touch, step)
      if (show === undefined) continue
      topLists?.add(show)
      if (restated) yield show
    }
    if (topLists !== undefined) yield* topLists.records()
  }
}

const random = new Random()

/** Whether and when the show at a position changes during the month. */
export function planRevision(seed: number, index: number): PlannedRevision | undefined {
  random.reseed(seed ^ HISTORY_SEED, index)
  if (!random.chance(index < RealShowGenerator.count ? CHANGED_SHARE_OF_REAL : CHANGED_SHARE)) return undefined
  const first = 1 + random.int(DELTA_COUNT)
  const steps = [first]
  // A series with new episodes has them one after the other; any other change happens at once.
  while (steps.length < 3 && (steps.at(-1) as number) + 2 <= DELTA_COUNT) steps.push((steps.at(-1) as number) + 2)
  return { first, steps, seed: mixBits(index ^ seed) }
}
