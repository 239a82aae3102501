import { type Locale, normalizeAudios, normalizeSubtitles, type Subtitle } from '../../model/language.ts'
import { type OfferType, type Quality, UNKNOWN_START } from '../../model/offer.ts'
import { CHANGE_WINDOW_DAYS, SECONDS_PER_DAY } from '../../model/time.ts'
import type { FeedOption, FeedPrice } from '../feed-records.ts'
import { mixText, Random } from '../random.ts'
import type { DemoCountry, Market, MarketService } from './markets.ts'

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

/** The audio and subtitle tracks of an offer. Offers share these objects, so they are never changed. */
export interface Tracks {
  readonly audios: readonly Locale[]
  readonly subtitles: readonly Subtitle[]
}

const TRACK_VARIANTS = 12

/** ISO 639-1 to 639-2/3, for the original languages of the demo's shows. */
const ISO_639_3_CODES: Readonly<Record<string, string>> = {
  en: 'eng',
  es: 'spa',
  fr: 'fra',
  tr: 'tur',
  de: 'deu',
  it: 'ita',
  pt: 'por',
  nl: 'nld',
  pl: 'pol',
  sv: 'swe',
  ja: 'jpn',
  ko: 'kor',
  hi: 'hin',
  zh: 'zho',
  cn: 'yue',
  da: 'dan',
  no: 'nor',
  nb: 'nor',
  ru: 'rus',
  fa: 'fas',
  ar: 'ara',
  he: 'heb',
  te: 'tel',
}

/** Dub and subtitle locales, most common first. */
const DUB_LOCALES: readonly Locale[] =
  'eng spa-419 fra deu spa por-BRA ita jpn pol tur kor hin tha ces hun por rus ukr tam tel ind fil zho cat'
    .split(' ')
    .map(parseLocale)

const SUBTITLE_LOCALES: readonly Locale[] =
  'eng spa-419 fra spa por-BRA deu ita nld pol swe dan nor fin tur por ara kor jpn zho-CHN zho-TWN ron ces hun ell heb tha vie ind msa hrv ukr rus bul eus cat glg fil hin'
    .split(' ')
    .map(parseLocale)

const tracksByLanguage = new Map<string, readonly Tracks[]>()

/** Gets the track variants for an original language in a country. They are generated once for each pair. */
function typicalTracks(originalLanguage: string, country: DemoCountry): readonly Tracks[] {
  const local = country.region === undefined ? country.language : `${country.language}-${country.region}`
  const key = `${originalLanguage}/${local}`
  let variants = tracksByLanguage.get(key)
  if (variants === undefined) {
    const random = new Random(mixText(key), 1)
    variants = Array.from({ length: TRACK_VARIANTS }, () =>
      generateTracks(random, originalLanguage, parseLocale(local)),
    )
    tracksByLanguage.set(key, variants)
  }
  return variants
}

function generateTracks(random: Random, originalLanguage: string, local: Locale): Tracks {
  const original = parseLocale(ISO_639_3_CODES[originalLanguage] ?? 'eng')
  const audios = [original]
  if (local.language !== original.language && random.chance(0.65)) audios.push(local)
  if (local.region !== undefined && local.language === original.language && random.chance(0.6)) audios.push(local)
  const dubs = Math.floor(random.next() ** 2.4 * 18)
  for (let i = 0; i < dubs; i++) audios.push(random.pickEarly(DUB_LOCALES))

  const subtitles: Subtitle[] = []
  if (random.chance(0.7)) subtitles.push({ closedCaptions: true, locale: original })
  if (random.chance(0.9)) subtitles.push({ closedCaptions: random.chance(0.35), locale: local })
  const count = Math.floor(random.next() ** 2.6 * 42)
  for (let i = 0; i < count; i++) {
    subtitles.push({ closedCaptions: random.chance(0.15), locale: random.pickEarly(SUBTITLE_LOCALES) })
  }
  return { audios: normalizeAudios(audios), subtitles: normalizeSubtitles(subtitles) }
}

function parseLocale(text: string): Locale {
  const [language = 'eng', region] = text.split('-')
  return region === undefined ? { language } : { language, region }
}
