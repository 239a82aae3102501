import type { Translation } from '../../model/show.ts'
import { encodeTitleSegment, showImages } from '../artwork-url.ts'
import movies from '../data/movies.json' with { type: 'json' }
import series from '../data/series.json' with { type: 'json' }
import type { DemoOptions, FeedOption, FeedOptions, FeedSeason, ShowRecord } from '../feed-records.ts'
import { DEMO_ADDONS, type Market, type MarketService } from '../market/markets.ts'
import { copyOfferForPart, episodePrice, OfferGenerator, type OfferSubject, seasonPrice } from '../market/offers.ts'
import { Random } from '../random.ts'
import { generatePopularity } from './popularity.ts'

/** A title and an overview in one language. */
export type LocalText = readonly [title: string, overview: string]

/** The facts about a real movie or series. Its availability is invented, so it is not part of the data. */
interface RealTitle {
  readonly imdb: string
  readonly tmdb: number
  /** The title in English. */
  readonly title: string
  /** The original title, if it differs. */
  readonly original?: string
  /** The original language, ISO 639-1. */
  readonly language: string
  readonly genres: readonly string[]
  readonly cast: readonly string[]
  /** 0 to 100. */
  readonly rating: number
  readonly overview: string
  readonly es: LocalText
  readonly fr: LocalText
  readonly tr: LocalText
  /** Titles in further output languages. */
  readonly titles?: Readonly<Record<string, string>>
  /** The service that is most likely to offer it. */
  readonly home?: string
}

/** A real movie: an entry of `data/movies.json`. */
export interface RealMovie extends RealTitle {
  readonly year: number
  /** In minutes. */
  readonly runtime: number
  readonly directors: readonly string[]
}

/** A season: its first year, its number of episodes, and its last year if that is a later one. */
type RealSeason = readonly [year: number, episodes: number, lastYear?: number]

/** A real series: an entry of `data/series.json`. */
export interface RealSeries extends RealTitle {
  readonly creators: readonly string[]
  readonly seasons: readonly RealSeason[]
}

/** A real title with the show id that the demo assigns to it. */
interface RealEntry {
  readonly id: string
  readonly title: RealMovie | RealSeries
}

const FIRST_MOVIE_ID = 1001
const FIRST_SERIES_ID = 5001

/** All real titles. Movies and series are interleaved, so that a small demo has some of both. */
export const REAL_TITLES: readonly RealEntry[] = interleave(
  movies as unknown as readonly RealMovie[],
  series as unknown as readonly RealSeries[],
)

/** Ids follow from the positions in the JSON files, so a new title goes to the end of its file. */
function interleave(movies: readonly RealMovie[], series: readonly RealSeries[]): RealEntry[] {
  const entries = [
    ...movies.map((title, i) => ({ id: String(FIRST_MOVIE_ID + i), title, rank: (i + 0.5) / movies.length })),
    ...series.map((title, i) => ({ id: String(FIRST_SERIES_ID + i), title, rank: (i + 0.5) / series.length })),
  ]
  return entries.sort((a, b) => a.rank - b.rank || Number(a.id) - Number(b.id)).map(({ id, title }) => ({ id, title }))
}

const MAX_OPTIONS = 8
/** The first countries, which have nearly all real titles; the others have about half of them. */
const MAJOR_MARKETS = 20
/** Episodes have offers in the first countries of their series: in so many that a series has about 480, and in 6 at least. */
const TARGET_EPISODE_OFFERS = 480
const MIN_EPISODE_COUNTRIES = 6
/** Random streams of generated shows count up from 0; those of real titles start here. */
const FIRST_STREAM = 0x40000000

const MAJOR_SERVICES = ['netflix', 'prime', 'disney', 'hbo', 'paramount', 'now', 'hulu', 'canalplus', 'hotstar', 'mubi']

/** Generates the shows of the real titles: true facts with invented offers. */
export class RealShowGenerator {
  private readonly random = new Random()
  private readonly offerGenerator: OfferGenerator
  private readonly options: DemoOptions
  private readonly markets: readonly Market[]

  constructor(options: DemoOptions, markets: readonly Market[]) {
    this.options = options
    this.markets = markets
    this.offerGenerator = new OfferGenerator(this.random, options.at)
  }

  /** The number of real titles. */
  static readonly count = REAL_TITLES.length

  /** Generates the show at an index, counted from 0. */
  show(index: number): ShowRecord {
    const entry = REAL_TITLES[index]
    if (entry === undefined) throw new RangeError(`There is no real title at index ${index}.`)
    const { id, title } = entry
    const { random } = this
    random.reseed(this.options.seed, FIRST_STREAM + Number(id))
    const isMovie = 'runtime' in title
    const year = isMovie ? title.year : (title.seasons[0]?.[0] ?? 0)
    const segment = encodeTitleSegment(title.title)
    const subject: OfferSubject = { id, segment, year, originalLanguage: title.language }
    const streamingOptions = this.offers(subject, title)
    const images = (text: string) => showImages(this.options.baseUrl, id, title.genres[0] ?? 'drama', text, true)
    const show = {
      kind: 'show',
      itemType: 'show',
      showType: isMovie ? 'movie' : 'series',
      id,
      imdbId: title.imdb,
      tmdbId: `${isMovie ? 'movie' : 'tv'}/${title.tmdb}`,
      title: title.title,
      overview: title.overview,
    } as ShowRecord
    if (isMovie) show.releaseYear = title.year
    else {
      const last = title.seasons.at(-1)
      show.firstAirYear = year
      show.lastAirYear = last?.[2] ?? last?.[0] ?? year
    }
    show.originalTitle = title.original ?? title.title
    show.genres = title.genres
    if (isMovie) show.directors = title.directors
    else show.creators = title.creators
    show.cast = title.cast
    show.rating = title.rating
    if (isMovie) show.runtime = title.runtime
    else {
      show.seasonCount = title.seasons.length
      show.episodeCount = title.seasons.reduce((sum, [, episodes]) => sum + episodes, 0)
    }
    show.imageSet = images(segment)
    show.streamingOptions = streamingOptions
    if (!isMovie) show.seasons = this.seasons(subject, title, streamingOptions)
    show.originalLanguage = title.language
    show.translations = createTranslations(title, (text) => images(encodeTitleSegment(text)))
    const fame = 150_000 + 2_500_000 * random.next() ** 3 + title.rating * 4_000
    show.popularity = generatePopularity(
      random,
      Object.keys(streamingOptions),
      fame,
      Math.max(0.15, 1 - (2026 - year) * 0.02),
    )
    return show
  }

  private offers(show: OfferSubject, title: RealMovie | RealSeries): FeedOptions {
    const { random } = this
    const first = random.int(MAJOR_SERVICES.length)
    const favourites = MAJOR_SERVICES.map((_, i) => MAJOR_SERVICES[(first + i) % MAJOR_SERVICES.length] as string)
    if (title.home !== undefined) favourites.unshift(title.home)
    const offers: FeedOptions = {}
    for (const [i, market] of this.markets.entries()) {
      if (i > 0 && !random.chance(i < MAJOR_MARKETS ? 0.9 : 0.55)) continue
      const options =
        'runtime' in title ? this.movieOffers(show, market, favourites) : this.seriesOffers(show, market, favourites)
      if (options.length > 0) offers[market.code] = options.slice(0, MAX_OPTIONS)
    }
    return offers
  }

  private movieOffers(show: OfferSubject, market: Market, favourites: readonly string[]): FeedOption[] {
    const { random, offerGenerator } = this
    const options: FeedOption[] = []
    const put = (service: MarketService | undefined, type: FeedOption['type'], quality?: FeedOption['quality']) => {
      if (service?.types.includes(type)) options.push(offerGenerator.generate(show, market, service, type, quality))
    }
    const apple = findService(market, 'apple')
    const prime = findService(market, 'prime')
    const favourite = findFavourite(market, favourites)
    if (favourite !== undefined) put(favourite, includedType(favourite))
    options.push(...this.addonOffers(show, market, favourites[0]))
    if (random.chance(0.2)) put(prime, 'addon')
    if (random.chance(0.12))
      put(
        market.services.find((service) => service.types[0] === 'free'),
        'free',
      )
    if (random.chance(0.65)) {
      put(apple, 'rent', 'hd')
      if (random.chance(0.4)) put(apple, 'rent', 'uhd')
      put(apple, 'buy', random.chance(0.5) ? 'uhd' : 'hd')
    }
    if (random.chance(0.45)) {
      put(prime, 'rent', 'sd')
      if (random.chance(0.6)) put(prime, 'rent', 'hd')
      if (random.chance(0.3)) put(prime, 'rent', 'uhd')
      put(prime, 'buy', 'hd')
    }
    return options
  }

  private seriesOffers(show: OfferSubject, market: Market, favourites: readonly string[]): FeedOption[] {
    const { random, offerGenerator } = this
    const options: FeedOption[] = []
    const favourite = findFavourite(market, favourites)
    if (favourite !== undefined) {
      options.push(offerGenerator.generate(show, market, favourite, includedType(favourite)))
    }
    options.push(...this.addonOffers(show, market, favourites[0]))
    if (random.chance(0.2)) {
      const other = random.pickEarly(market.services)
      if (other !== favourite)
        options.push(
          offerGenerator.generate(
            show,
            market,
            other,
            other.types[0] === 'rent' ? 'buy' : (other.types[0] ?? 'buy'),
            undefined,
            false,
          ),
        )
    }
    for (const store of ['apple', 'prime']) {
      const service = findService(market, store)
      // A series is bought by the season or the episode, so its own offer has no price.
      if (service?.types.includes('buy') && random.chance(0.3)) {
        options.push(offerGenerator.generate(show, market, service, 'buy', random.chance(0.2) ? 'uhd' : 'hd', false))
      }
    }
    return options
  }

  /** Some addons have the catalog of another service: what is on that service is often offered through them as well. */
  private addonOffers(show: OfferSubject, market: Market, home: string | undefined): FeedOption[] {
    const options: FeedOption[] = []
    for (const service of market.services) {
      const addon = service.addons.find((id) => DEMO_ADDONS.get(id)?.sells === home)
      if (addon === undefined || !service.types.includes('addon') || !this.random.chance(0.6)) continue
      options.push({ ...this.offerGenerator.generate(show, market, service, 'addon'), addon })
    }
    return options
  }

  private seasons(show: OfferSubject, title: RealSeries, offers: FeedOptions): FeedSeason[] {
    const total = title.seasons.reduce((sum, [, episodes]) => sum + episodes, 0)
    const withOffers = this.markets.filter((market) => offers[market.code] !== undefined)
    const byEpisode = withOffers.slice(0, Math.max(MIN_EPISODE_COUNTRIES, Math.floor(TARGET_EPISODE_OFFERS / total)))
    return title.seasons.map(([year, count, lastYear = year], i) => ({
      itemType: 'season',
      title: `Season ${i + 1}`,
      firstAirYear: year,
      lastAirYear: lastYear,
      streamingOptions: copyPartOffers(show, offers, withOffers, `s${i + 1}`, seasonPrice, MAX_OPTIONS),
      episodes: Array.from({ length: count }, (_, e) => ({
        itemType: 'episode',
        title: `Episode ${e + 1}`,
        airYear: Math.min(lastYear, year + Math.floor(((e + 0.5) * (lastYear - year + 1)) / count)),
        streamingOptions: copyPartOffers(show, offers, byEpisode, `s${i + 1}e${e + 1}`, episodePrice, 2),
      })),
    }))
  }
}

/** Copies the show's offers for a part: up to `maxOffers` in the first country, one in every other. */
function copyPartOffers(
  show: OfferSubject,
  offers: FeedOptions,
  markets: readonly Market[],
  part: string,
  price: (market: Market) => FeedOption['price'],
  maxOffers: number,
): FeedOptions {
  const parts: FeedOptions = {}
  for (const [i, market] of markets.entries()) {
    const wholes = offers[market.code] ?? []
    parts[market.code] = wholes
      .slice(0, i === 0 ? maxOffers : 1)
      .map((whole) => copyOfferForPart(whole, show, part, whole.type === 'buy' ? price(market) : undefined))
  }
  return parts
}

function findService(market: Market, id: string): MarketService | undefined {
  return market.services.find((service) => service.id === id)
}

function findFavourite(market: Market, favourites: readonly string[]): MarketService | undefined {
  for (const id of favourites) {
    const service = findService(market, id)
    if (service !== undefined) return service
  }
  return undefined
}

/** The type of what a service includes without a further price. */
function includedType({ types }: MarketService): FeedOption['type'] {
  return types.includes('subscription') ? 'subscription' : 'free'
}

function createTranslations(
  title: RealMovie | RealSeries,
  images: (text: string) => NonNullable<Translation['imageSet']>,
): Record<string, Translation> {
  const translations: Record<string, Translation> = {}
  const put = (language: string, [text, overview]: LocalText) => {
    translations[language] =
      text === title.title ? { title: text, overview } : { title: text, overview, imageSet: images(text) }
  }
  put('es', title.es)
  put('fr', title.fr)
  put('tr', title.tr)
  for (const [language, text] of Object.entries(title.titles ?? {})) put(language, [text, title.overview])
  return translations
}
