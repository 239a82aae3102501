import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../model/time.ts'
import { encodeTitleSegment } from './artwork-url.ts'
import { createFeedHeader, DemoCatalog } from './demo-feed.ts'
import type {
  DemoOptions,
  FeedEpisode,
  FeedOption,
  FeedOptions,
  FeedRecord,
  FeedSeason,
  ShowRecord,
} from './feed-records.ts'
import type { Market, MarketService } from './market/markets.ts'
import { copyOfferForPart, type OfferSubject } from './market/offers.ts'
import { mixBits, Random } from './random.ts'
import { TopLists } from './shows/popularity.ts'
import { RealShowGenerator } from './shows/real-show.ts'

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

/** When a show changes during the history, and the seed that decides how. */
export interface PlannedRevision {
  /** The first step at which the show changes, counted from 1. */
  readonly first: number
  /** The steps at which a series gets new episodes, the first one included. */
  readonly steps: readonly number[]
  readonly seed: number
}

type Item = ShowRecord | FeedSeason | FeedEpisode

const EXTRA_EPISODES = 12

/** Builds earlier versions of shows: without later offers, with offers that ended, or with fewer episodes. */
class PastShowBuilder {
  private readonly markets: ReadonlyMap<string, Market>
  private readonly random = new Random()
  /** The time of each step; step 0 is the snapshot. */
  private readonly instants: readonly number[]

  constructor(markets: readonly Market[], instants: readonly number[]) {
    this.markets = new Map(markets.map((market) => [market.code, market]))
    this.instants = instants
  }

  /** Whether the show changes at a step, so that the delta of that step must contain it. */
  changesAt(show: ShowRecord, revision: PlannedRevision, step: number): boolean {
    return step === revision.first || (revisionKind(show, revision) === 'episodes' && revision.steps.includes(step))
  }

  /**
   * Builds the version of a show at a step. Changes the given current version in place. Returns undefined while the
   * show was not yet in the catalog. The version at the last step equals the current one but for `availableSince`.
   */
  buildAt(show: ShowRecord, revision: PlannedRevision | undefined, step: number): ShowRecord | undefined {
    if (revision === undefined) return this.adjustExpiry(show, step)
    this.random.reseed(revision.seed, 7)
    const before = step < revision.first
    const since = this.instants[revision.first] as number
    switch (revisionKind(show, revision)) {
      case 'premiere':
        if (before) return undefined
        for (const item of showItems(show)) setAvailableSince(item.streamingOptions, since)
        break
      case 'episodes':
        this.removeLaterEpisodes(show, revision, step)
        break
      case 'arrival':
        this.removeArrivedOffers(show, before, since)
        break
      case 'departure':
        if (before) this.addDepartedOffers(show, this.random.chance(0.5) ? since : undefined)
        break
      case 'alteration':
        if (before) this.revertOfferDetails(show)
    }
    return this.adjustExpiry(show, step)
  }

  /** Sets `expiresSoon` relative to the time of the step. */
  private adjustExpiry(show: ShowRecord, step: number): ShowRecord {
    const soon = (this.instants[step] as number) + CHANGE_WINDOW_DAYS * SECONDS_PER_DAY
    if (step < this.instants.length - 1) {
      for (const item of showItems(show)) {
        for (const option of allOptions(item.streamingOptions)) {
          if (option.expiresOn !== undefined) option.expiresSoon = option.expiresOn <= soon
        }
      }
    }
    return show
  }

  /** Removes the newest episodes, which come out one step at a time. */
  private removeLaterEpisodes(show: ShowRecord, revision: PlannedRevision, step: number): void {
    const season = show.seasons?.at(-1)
    if (season === undefined) return
    const lateCount = Math.min(revision.steps.length, season.episodes.length - 1)
    let removed = 0
    for (let i = 0; i < lateCount; i++) {
      const out = revision.steps[i] as number
      if (out > step) removed++
      else
        setAvailableSince(
          (season.episodes.at(i - lateCount) as FeedEpisode).streamingOptions,
          this.instants[out] as number,
        )
    }
    season.episodes.length -= removed
    show.episodeCount = (show.episodeCount as number) - removed
  }

  /** Removes the offers of one service in some countries, or dates them after they arrived. */
  private removeArrivedOffers(show: ShowRecord, before: boolean, since: number): void {
    for (const country of this.pickCountries(show, 3)) {
      const service = show.streamingOptions[country]?.[0]?.service
      for (const item of showItems(show)) {
        const options = item.streamingOptions[country]
        if (options === undefined) continue
        const others = options.filter((option) => option.service !== service)
        if (before) {
          if (others.length === 0) delete item.streamingOptions[country]
          else item.streamingOptions[country] = others
        } else {
          for (const option of options) if (option.service === service) option.availableSince = since
        }
      }
    }
  }

  /** Adds offers of another service that have ended since; with `endsBy` they have an end date. */
  private addDepartedOffers(show: ShowRecord, endsBy: number | undefined): void {
    const subject: OfferSubject = {
      id: show.id,
      segment: encodeTitleSegment(show.title),
      year: 0,
      originalLanguage: show.originalLanguage,
    }
    for (const country of this.pickCountries(show, 3)) {
      const options = show.streamingOptions[country] ?? []
      const like = options[0]
      const service = this.markets
        .get(country)
        ?.services.find(
          (service) => isWithoutPrice(service) && options.every((option) => option.service !== service.id),
        )
      if (like === undefined || service === undefined) continue
      const extra = createExtraOption(service, like, subject, endsBy)
      options.push(extra)
      const season = show.seasons?.[0]
      if (season === undefined) continue
      addOption(season.streamingOptions, country, copyOfferForPart(extra, subject, 's1'))
      for (const [e, episode] of season.episodes.slice(0, EXTRA_EPISODES).entries()) {
        addOption(episode.streamingOptions, country, copyOfferForPart(extra, subject, `s1e${e + 1}`))
      }
    }
  }

  /** Changes prices, qualities and subtitles in some countries. */
  private revertOfferDetails(show: ShowRecord): void {
    const { random } = this
    for (const country of this.pickCountries(show, 4)) {
      const market = this.markets.get(country)
      for (const item of showItems(show)) {
        for (const option of item.streamingOptions[country] ?? []) {
          const tiers = market === undefined ? [] : [...market.rent.hd, ...market.buy.hd]
          if (option.price !== undefined && tiers.length > 0) {
            const old = random.pick(tiers)
            option.price =
              old.amount === option.price.amount ? (tiers.find((tier) => tier.amount !== old.amount) ?? old) : old
          } else if (option.subtitles.length > 1) option.subtitles = option.subtitles.slice(0, -1)
          else if (option.quality === 'uhd') option.quality = 'hd'
        }
      }
    }
  }

  private pickCountries(show: ShowRecord, maxCount: number): string[] {
    const countries = Object.keys(show.streamingOptions)
    const first = this.random.int(Math.max(1, countries.length))
    const count = Math.min(countries.length, 1 + this.random.int(maxCount))
    return Array.from({ length: count }, (_, i) => countries[(first + i) % countries.length] as string)
  }
}

/** Whether a show with this plan may change at a step; a series certainly does. */
function mayChangeAt(revision: PlannedRevision, step: number): boolean {
  return step === revision.first || (hasNewEpisodes(revision) && revision.steps.includes(step))
}

type RevisionKind = 'premiere' | 'episodes' | 'arrival' | 'departure' | 'alteration'

/** Picks the kind of change by the seed. */
function revisionKind(show: ShowRecord, revision: PlannedRevision): RevisionKind {
  if (hasNewEpisodes(revision) && show.seasons !== undefined) return 'episodes'
  const u = revision.seed % 100
  if (u < 8) return 'premiere'
  if (u < 50) return 'arrival'
  return u < 75 ? 'departure' : 'alteration'
}

/** Whether the change is new episodes, if the show is a series. */
function hasNewEpisodes({ seed }: PlannedRevision): boolean {
  const u = seed % 100
  return u >= 8 && u < 38
}

function showItems(show: ShowRecord): Item[] {
  const items: Item[] = [show]
  for (const season of show.seasons ?? []) items.push(season, ...season.episodes)
  return items
}

function* allOptions(options: FeedOptions): Generator<FeedOption> {
  for (const country in options) yield* options[country] ?? []
}

function setAvailableSince(options: FeedOptions, instant: number): void {
  for (const option of allOptions(options)) option.availableSince = instant
}

function addOption(options: FeedOptions, country: string, option: FeedOption): void {
  const list = options[country]
  if (list === undefined) options[country] = [option]
  else list.push(option)
}

function isWithoutPrice(service: MarketService): boolean {
  return service.types.includes('subscription') || service.types.includes('free')
}

function createExtraOption(
  service: MarketService,
  like: FeedOption,
  show: OfferSubject,
  endsBy: number | undefined,
): FeedOption {
  const ends = endsBy === undefined ? {} : { expiresOn: endsBy - SECONDS_PER_DAY / 4 }
  return {
    service: service.id,
    type: service.types.includes('subscription') ? 'subscription' : 'free',
    link: `${service.linkPrefix}${show.id}/${show.segment}`,
    quality: 'hd',
    audios: like.audios,
    subtitles: like.subtitles,
    expiresSoon: false,
    ...ends,
    availableSince: like.availableSince,
  }
}
