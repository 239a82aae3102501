import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../model/time.ts'
import { titleSegment } from './artwork-url.ts'
import type { FeedEpisode, FeedOption, FeedOptions, FeedSeason, ShowRecord } from './feed-record.ts'
import type { Market, Shelf } from './markets.ts'
import { type Offered, partOption } from './option-maker.ts'
import { Random } from './random.ts'

/** When a show was different, and how that difference is drawn. */
export interface Touch {
  /** The step of the history at which the show changes, counted from 1. */
  readonly first: number
  /** The steps at which new episodes of a series come out, the first one included. */
  readonly steps: readonly number[]
  readonly seed: number
}

type Item = ShowRecord | FeedSeason | FeedEpisode

const EXTRA_EPISODES = 12

/** Makes shows as they were: before an offer came, while another was still there, when fewer episodes were out. */
export class PastVersions {
  private readonly markets: ReadonlyMap<string, Market>
  private readonly random = new Random()
  /** The instant of each step; the first is that of the snapshot. */
  private readonly instants: readonly number[]

  constructor(markets: readonly Market[], instants: readonly number[]) {
    this.markets = new Map(markets.map((market) => [market.code, market]))
    this.instants = instants
  }

  /** Whether the show changes at a step. */
  changesAt(show: ShowRecord, touch: Touch, step: number): boolean {
    return step === touch.first || (kindOf(show, touch) === 'episodes' && touch.steps.includes(step))
  }

  /**
   * The show as of a step, made from its present version, which is altered in place. Undefined while it was not in
   * the catalog. As of the last step it is what it is now, but for the time at which offers were first seen.
   */
  asOf(show: ShowRecord, touch: Touch | undefined, step: number): ShowRecord | undefined {
    if (touch === undefined) return this.seenAt(show, step)
    this.random.reseed(touch.seed, 7)
    const before = step < touch.first
    const since = this.instants[touch.first] as number
    switch (kindOf(show, touch)) {
      case 'premiere':
        if (before) return undefined
        for (const item of itemsOf(show)) setSince(item.streamingOptions, since)
        break
      case 'episodes':
        this.episodes(show, touch, step)
        break
      case 'arrival':
        this.arrival(show, before, since)
        break
      case 'departure':
        if (before) this.departure(show, this.random.chance(0.5) ? since : undefined)
        break
      case 'alteration':
        if (before) this.alteration(show)
    }
    return this.seenAt(show, step)
  }

  /** An offer that ends soon as seen today may not have ended soon as seen then. */
  private seenAt(show: ShowRecord, step: number): ShowRecord {
    const soon = (this.instants[step] as number) + CHANGE_WINDOW_DAYS * SECONDS_PER_DAY
    if (step < this.instants.length - 1) {
      for (const item of itemsOf(show)) {
        for (const option of optionsOf(item.streamingOptions)) {
          if (option.expiresOn !== undefined) option.expiresSoon = option.expiresOn <= soon
        }
      }
    }
    return show
  }

  /** The newest episodes come out one step at a time. */
  private episodes(show: ShowRecord, touch: Touch, step: number): void {
    const season = show.seasons?.at(-1)
    if (season === undefined) return
    const late = Math.min(touch.steps.length, season.episodes.length - 1)
    let missing = 0
    for (let i = 0; i < late; i++) {
      const out = touch.steps[i] as number
      if (out > step) missing++
      else setSince((season.episodes.at(i - late) as FeedEpisode).streamingOptions, this.instants[out] as number)
    }
    season.episodes.length -= missing
    show.episodeCount = (show.episodeCount as number) - missing
  }

  /** A service of some countries had nothing of the show yet. */
  private arrival(show: ShowRecord, before: boolean, since: number): void {
    for (const country of this.someCountries(show, 3)) {
      const service = show.streamingOptions[country]?.[0]?.service
      for (const item of itemsOf(show)) {
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
  private departure(show: ShowRecord, endsBy: number | undefined): void {
    const offered: Offered = {
      id: show.id,
      segment: titleSegment(show.title),
      year: 0,
      originalLanguage: show.originalLanguage,
    }
    for (const country of this.someCountries(show, 3)) {
      const options = show.streamingOptions[country] ?? []
      const like = options[0]
      const shelf = this.markets
        .get(country)
        ?.shelves.find((shelf) => isOpen(shelf) && options.every((option) => option.service !== shelf.service))
      if (like === undefined || shelf === undefined) continue
      const extra = extraOption(shelf, like, offered, endsBy)
      options.push(extra)
      const season = show.seasons?.[0]
      if (season === undefined) continue
      push(season.streamingOptions, country, partOption(extra, offered, 's1'))
      for (const [e, episode] of season.episodes.slice(0, EXTRA_EPISODES).entries()) {
        push(episode.streamingOptions, country, partOption(extra, offered, `s1e${e + 1}`))
      }
    }
  }

  /** Prices, quality and subtitles were others. */
  private alteration(show: ShowRecord): void {
    const { random } = this
    for (const country of this.someCountries(show, 4)) {
      const market = this.markets.get(country)
      for (const item of itemsOf(show)) {
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

  private someCountries(show: ShowRecord, most: number): string[] {
    const countries = Object.keys(show.streamingOptions)
    const first = this.random.int(Math.max(1, countries.length))
    const count = Math.min(countries.length, 1 + this.random.int(most))
    return Array.from({ length: count }, (_, i) => countries[(first + i) % countries.length] as string)
  }
}

type TouchKind = 'premiere' | 'episodes' | 'arrival' | 'departure' | 'alteration'

/** What happens to the show: series mostly get new episodes. */
function kindOf(show: ShowRecord, touch: Touch): TouchKind {
  const u = touch.seed % 100
  if (u < 8) return 'premiere'
  if (u < 38 && show.seasons !== undefined) return 'episodes'
  if (u < 50) return 'arrival'
  return u < 75 ? 'departure' : 'alteration'
}

function itemsOf(show: ShowRecord): Item[] {
  const items: Item[] = [show]
  for (const season of show.seasons ?? []) items.push(season, ...season.episodes)
  return items
}

function* optionsOf(options: FeedOptions): Generator<FeedOption> {
  for (const country in options) yield* options[country] ?? []
}

function setSince(options: FeedOptions, instant: number): void {
  for (const option of optionsOf(options)) option.availableSince = instant
}

function push(options: FeedOptions, country: string, option: FeedOption): void {
  const list = options[country]
  if (list === undefined) options[country] = [option]
  else list.push(option)
}

function isOpen(shelf: Shelf): boolean {
  return shelf.types.includes('subscription') || shelf.types.includes('free')
}

function extraOption(shelf: Shelf, like: FeedOption, show: Offered, endsBy: number | undefined): FeedOption {
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
