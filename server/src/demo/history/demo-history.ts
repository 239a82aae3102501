import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../../model/time.ts'
import { createFeedHeader, DemoCatalog } from '../demo-feed.ts'
import type { DemoOptions, FeedRecord } from '../feed-records.ts'
import { mixBits, Random } from '../random.ts'
import { TopLists } from '../shows/popularity.ts'
import { RealShowGenerator } from '../shows/real-show.ts'
import { mayChangeAt, PastShowBuilder, type PlannedRevision } from './past-versions.ts'

/** A feed and the time at which it was published. Its records can be iterated more than once. */
interface DatedFeed {
  readonly at: number
  /** The number of shows in it, or a few more: only series get new episodes. */
  readonly maxShows: number
  readonly records: Iterable<FeedRecord>
}

const DELTA_COUNT = 6
const DAYS_BETWEEN_DELTAS = 5
const CHANGED_SHARE = 0.14
const CHANGED_SHARE_OF_REAL = 0.3
/** Separates the random stream of the history from that of the shows. */
const HISTORY_SEED = 0x5bd1e995

/**
 * Generates a month of feeds: a snapshot of 31 days ago, then deltas that add, remove and change some shows. The last
 * state equals that of `demoFeed` but for `availableSince`.
 */
export function* demoHistory(options: DemoOptions): Generator<DatedFeed> {
  const history = new History(options)
  for (let step = 0; step <= DELTA_COUNT; step++) {
    yield {
      at: history.instant(step),
      maxShows: history.maxShows(step),
      records: { [Symbol.iterator]: () => history.records(step) },
    }
  }
}

/** The steps of the history: 0 is the snapshot, the others are deltas. */
class History {
  private readonly options: DemoOptions
  private readonly instants: readonly number[]

  constructor(options: DemoOptions) {
    this.options = options
    const first = options.at - CHANGE_WINDOW_DAYS * SECONDS_PER_DAY
    this.instants = Array.from({ length: DELTA_COUNT + 1 }, (_, step) =>
      // Feeds are published at different hours of the day.
      step === 0 ? first : first + step * DAYS_BETWEEN_DELTAS * SECONDS_PER_DAY + ((step * 7) % 20) * 3_600,
    )
  }

  instant(step: number): number {
    return this.instants[step] as number
  }

  /** Counts the shows that are planned for a step, without generating them. */
  maxShows(step: number): number {
    if (step === 0) return this.options.shows
    let count = 0
    for (let i = 0; i < this.options.shows; i++) {
      const revision = planRevision(this.options.seed, i)
      if (revision !== undefined && mayChangeAt(revision, step)) count++
    }
    return count
  }

  *records(step: number): Generator<FeedRecord> {
    const catalog = new DemoCatalog(this.options)
    const past = new PastShowBuilder(catalog.markets, this.instants)
    yield createFeedHeader(step === 0 ? 'snapshot' : 'delta')
    if (step === 0) yield* catalog.buildReferenceRecords()
    const isComplete = step === 0 || step === DELTA_COUNT
    const topLists = isComplete ? new TopLists(catalog.markets) : undefined
    for (let i = 0; i < this.options.shows; i++) {
      const revision = planRevision(this.options.seed, i)
      if (!isComplete && (revision === undefined || !mayChangeAt(revision, step))) continue
      const current = catalog.show(i)
      const isChanged = step === 0 || (revision !== undefined && past.changesAt(current, revision, step))
      const show = past.buildAt(current, revision, step)
      if (show === undefined) continue
      topLists?.add(show)
      if (isChanged) yield show
    }
    if (topLists !== undefined) yield* topLists.records()
  }
}

const random = new Random()

/** Plans whether and when the show at an index changes during the month. */
function planRevision(seed: number, index: number): PlannedRevision | undefined {
  random.reseed(seed ^ HISTORY_SEED, index)
  if (!random.chance(index < RealShowGenerator.count ? CHANGED_SHARE_OF_REAL : CHANGED_SHARE)) return undefined
  const first = 1 + random.int(DELTA_COUNT)
  const steps = [first]
  // New episodes of a series come one step after the other; any other change happens in one step.
  while (steps.length < 3 && (steps.at(-1) as number) + 2 <= DELTA_COUNT) steps.push((steps.at(-1) as number) + 2)
  return { first, steps, seed: mixBits(index ^ seed) }
}
