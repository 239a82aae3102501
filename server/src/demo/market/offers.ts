import { type OfferType, type Quality, UNKNOWN_START } from '../../model/offer.ts'
import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../../model/time.ts'
import type { FeedOption, FeedPrice } from '../feed-records.ts'
import type { Random } from '../random.ts'
import type { Market, MarketService } from './markets.ts'
import { type Tracks, typicalTracks } from './tracks.ts'

/** The show that offers are generated for. */
export interface OfferSubject {
  readonly id: string
  /** The title as a path segment of links. */
  readonly segment: string
  readonly year: number
  readonly originalLanguage: string
}

/** The end date that services give to offers without an end. */
const FAR_FUTURE = 253_368_063_900
const SECONDS_PER_YEAR = 31_556_952
/** Offers are older than the change window, so that the demo's history alone decides what changed in it. */
const MIN_OFFER_AGE_DAYS = CHANGE_WINDOW_DAYS + 2

const WEIGHTED_QUALITIES: readonly Quality[] = ['hd', 'hd', 'hd', 'hd', 'hd', 'uhd', 'uhd', 'uhd', 'sd', 'qhd']

/** Generates offers. Tracks, quality, price and window have the distributions of real catalogs. */
export class OfferGenerator {
  private readonly random: Random
  private readonly at: number

  constructor(random: Random, at: number) {
    this.random = random
    this.at = at
  }

  /** Generates one offer. Rentals and purchases get a price unless `priced` is false. */
  generate(
    show: OfferSubject,
    market: Market,
    service: MarketService,
    type: OfferType,
    quality?: Quality,
    priced = true,
  ): FeedOption {
    const { random } = this
    const tracks: Tracks = random.pick(typicalTracks(show.originalLanguage, market.country))
    const option = { service: service.id, type } as FeedOption
    if (type === 'addon') option.addon = random.pickEarly(service.addons)
    option.link = `${service.linkPrefix}${show.id}/${show.segment}`
    if (random.chance(0.3)) option.videoLink = `${option.link}/play`
    const best = quality ?? random.pick(WEIGHTED_QUALITIES)
    if (quality !== undefined || random.chance(0.97)) option.quality = best
    option.audios = tracks.audios
    option.subtitles = tracks.subtitles
    const price = priced ? this.pickPrice(market, type, best) : undefined
    if (price !== undefined) option.price = price
    this.setWindow(option, service, show.year)
    return option
  }

  /** Picks a usual price for the type and quality; undefined for types without a price. */
  private pickPrice(market: Market, type: OfferType, quality: Quality): FeedPrice | undefined {
    if (type === 'rent') return this.random.pick(market.rent[quality])
    if (type === 'buy') return this.random.pick(market.buy[quality])
    return undefined
  }

  private setWindow(option: FeedOption, service: MarketService, year: number): void {
    const { random } = this
    option.expiresSoon = false
    if (random.chance(service.hasUpcoming ? 0.062 : 0.006)) {
      option.availableSince = this.at - this.pickDays(MIN_OFFER_AGE_DAYS, 60)
      const u = random.next()
      if (u < 0.15) {
        option.startsOn = UNKNOWN_START
        if (random.chance(0.5)) {
          option.link = ''
          delete option.videoLink
        }
      } else if (u < 0.7) option.startsOn = this.at + this.pickDays(1, CHANGE_WINDOW_DAYS - 1)
      else option.startsOn = this.at + this.pickDays(CHANGE_WINDOW_DAYS + 2, 180)
      return
    }
    const u = random.next()
    if (u < 0.084) {
      option.expiresSoon = true
      option.expiresOn = this.at + this.pickDays(1, CHANGE_WINDOW_DAYS - 1)
    } else if (u < 0.0945) option.expiresSoon = true
    else if (u < 0.17) option.expiresOn = this.at + this.pickDays(CHANGE_WINDOW_DAYS + 2, 900)
    else if (u < 0.174) option.expiresOn = FAR_FUTURE
    option.availableSince = this.pickStart(year)
  }

  /** Picks a start between the show's first year and `MIN_OFFER_AGE_DAYS` ago. Late starts are more likely. */
  private pickStart(year: number): number {
    const latest = this.at - MIN_OFFER_AGE_DAYS * SECONDS_PER_DAY
    const earliest = Math.min(latest - 30 * SECONDS_PER_DAY, (year - 1970) * SECONDS_PER_YEAR)
    const u = this.random.next()
    const age = Math.min(Math.floor(u * u * 1_600) * SECONDS_PER_DAY, latest - earliest)
    return latest - age - this.random.int(SECONDS_PER_DAY)
  }

  private pickDays(min: number, max: number): number {
    return min * SECONDS_PER_DAY + this.random.int((max - min) * SECONDS_PER_DAY)
  }
}

/** Copies an offer for a season or an episode, with the link and the price of that part. */
export function copyOfferForPart(option: FeedOption, show: OfferSubject, part: string, price?: FeedPrice): FeedOption {
  const { link } = option
  const partLink = link === '' ? '' : `${link.slice(0, link.length - show.segment.length)}${part}/${show.segment}`
  const copy = { service: option.service, type: option.type } as FeedOption
  if (option.addon !== undefined) copy.addon = option.addon
  copy.link = partLink
  if (option.videoLink !== undefined) copy.videoLink = `${partLink}/play`
  if (option.quality !== undefined) copy.quality = option.quality
  copy.audios = option.audios
  copy.subtitles = option.subtitles
  if (price !== undefined) copy.price = price
  copy.expiresSoon = option.expiresSoon
  if (option.expiresOn !== undefined) copy.expiresOn = option.expiresOn
  copy.availableSince = option.availableSince
  if (option.startsOn !== undefined) copy.startsOn = option.startsOn
  return copy
}

/** The price of a whole season. */
export function seasonPrice(market: Market): FeedPrice | undefined {
  return market.buy.hd[3]
}

/** The price of a single episode. */
export function episodePrice(market: Market): FeedPrice | undefined {
  return market.rent.sd[1]
}
