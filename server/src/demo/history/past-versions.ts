import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../../model/time.ts'
import { encodeTitleSegment } from '../artwork/artwork-url.ts'
import type { FeedEpisode, FeedOption, FeedOptions, FeedSeason, ShowRecord } from '../feed-records.ts'
import type { Market, MarketService } from '../market/markets.ts'
import { copyOfferForPart, type OfferSubject } from '../market/offers.ts'
import { Random } from '../random.ts'

/** When a show was different, and how that difference is drawn. */
export interface PlannedRevision {
  /** The step of the history at which the show changes, counted from 1. */
  readonly first: number
  /** The steps at which new episodes of a series come out, the first one included. */
  readonly steps: readonly number[]
  readonly seed: number
}

type Item = ShowRecord | FeedSeason | FeedEpisode

const EXTRA_EPISODES = 12

/** Makes shows as they were: before an offer came, while another was still there, when fewer episodes were out. */
export class PastShowBuilder {
  private readonly markets: ReadonlyMap<string, Market>
  private readonly random = new Random()
  /** The instant of each step; the first is that of the snapshot. */
  private readonly instants: readonly number[]

  constructor(markets: readonly Market[], instants: readonly number[]) {
    this.markets = new Map(markets.map((market) => [market.code, market]))
    this.instants = instants
  }

  /** Whether the show changes at a step. */
  changesAt(show: ShowRecord, touch: PlannedRevision, step: number): boolean {
    return step === touch.first || (revisionKind(show, touch) === 'episodes' && touch.steps.includes(step))
  }

  /**
   * The show as of a step, made from its present version, which is altered in place. Undefined while it was not in
   * the catalog. As of the last step it is what it is now, but for the time at which offers were first seen.
   */
  buildAt(show: ShowRecord, touch: PlannedRevision | undefined, step: number): ShowRecord | undefined {
    if (touch === undefined) return this.adjustExpiry(show, step)
    this.random.reseed(touch.seed, 7)
    const before = step < touch.first
    const since = this.instants[touch.first] as number
    switch (revisionKind(show, touch)) {
      case 'premiere':
        if (before) return undefined
        for (const item of showItems(show)) setAvailableSince(item.streamingOptions, since)
        break
      case 'episodes':
        this.removeLaterEpisodes(show, touch, step)
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

  /** An offer that ends soon as seen today may not have ended soon as seen then. */
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

  /** The newest episodes come out one step at a time. */
  private removeLaterEpisodes(show: ShowRecord, touch: PlannedRevision, step: number): void {
    const season = show.seasons?.at(-1)
    if (season === undefined) return
    const late = Math.min(touch.steps.length, season.episodes.length - 1)
    let missing = 0
    for (let i = 0; i < late; i++) {
      const out = touch.steps[i] as number
      if (out > step) missing++
      else
        setAvailableSince((season.episodes.at(i - late) as FeedEpisode).streamingOptions, this.instants[out] as number)
    }
    season.episodes.length -= missing
    show.episodeCount = (show.episodeCount as number) - missing
  }

  /** A service of some countries had nothing of the show yet. */
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

  /** Another service still had the show, and the first season of a series; some such offers end by themselves. */
  private addDepartedOffers(show: ShowRecord, endsBy: number | undefined): void {
    const offered: OfferSubject = {
      id: show.id,
      segment: encodeTitleSegment(show.title),
      year: 0,
      originalLanguage: show.originalLanguage,
    }
    for (const country of this.pickCountries(show, 3)) {
      const options = show.streamingOptions[country] ?? []
      const like = options[0]
      const shelf = this.markets
        .get(country)
        ?.services.find((shelf) => isWithoutPrice(shelf) && options.every((option) => option.service !== shelf.service))
      if (like === undefined || shelf === undefined) continue
      const extra = createExtraOption(shelf, like, offered, endsBy)
      options.push(extra)
      const season = show.seasons?.[0]
      if (season === undefined) continue
      addOption(season.streamingOptions, country, copyOfferForPart(extra, offered, 's1'))
      for (const [e, episode] of season.episodes.slice(0, EXTRA_EPISODES).entries()) {
        addOption(episode.streamingOptions, country, copyOfferForPart(extra, offered, `s1e${e + 1}`))
      }
    }
  }

  /** Prices, quality and subtitles were others. */
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

  private pickCountries(show: ShowRecord, most: number): string[] {
    const countries = Object.keys(show.streamingOptions)
    const first = this.random.int(Math.max(1, countries.length))
    const count = Math.min(countries.length, 1 + this.random.int(most))
    return Array.from({ length: count }, (_, i) => countries[(first + i) % countries.length] as string)
  }
}

type RevisionKind = 'premiere' | 'episodes' | 'arrival' | 'departure' | 'alteration'

/** What happens to the show: series mostly get new episodes. */
function revisionKind(show: ShowRecord, touch: PlannedRevision): RevisionKind {
  const u = touch.seed % 100
  if (u < 8) return 'premiere'
  if (u < 38 && show.seasons !== undefined) return 'episodes'
  if (u < 50) return 'arrival'
  return u < 75 ? 'departure' : 'alteration'
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

function isWithoutPrice(shelf: MarketService): boolean {
  return shelf.types.includes('subscription') || shelf.types.includes('free')
}

function createExtraOption(
  shelf: MarketService,
  like: FeedOption,
  show: OfferSubject,
  endsBy: number | undefined,
): FeedOption {
  const ends = endsBy === undefined ? {} : { expiresOn: endsBy - SECONDS_PER_DAY / 4 }
  return {
    service: shelf.service,
    type: shelf.types.includes('subscription') ? 'subscription' : 'free',
    link: `${shelf.linkPrefix}${show.id}/${show.segment}`,
    quality: 'hd',
    audios: like.audios,
    subtitles: like.subtitles,
    expiresSoon: false,
    ...ends,
    availableSince: like.availableSince,
  }
}
