import type { ShowType, Translation } from '../../model/show.ts'
import { encodeTitleSegment, showImages } from '../artwork-url.ts'
import type { DemoOptions, FeedOption, FeedOptions, FeedPrice, FeedSeason, ShowRecord } from '../feed-records.ts'
import type { Market, MarketService } from '../market/markets.ts'
import { copyOfferForPart, episodePrice, OfferGenerator, type OfferSubject, seasonPrice } from '../market/offers.ts'
import { Random } from '../random.ts'
import { generatePopularity, randomZipf } from './popularity.ts'
import {
  type GeneratedTitle,
  generateEnglishPlot,
  generateEnglishTitle,
  generateEpisodeTitle,
  generateForeignPlot,
  generatePeople,
  generatePlace,
  generateTranslatedTitle,
  hasPlots,
} from './texts.ts'

const MAX_YEAR = 2026
const MIN_YEAR = 1930
const MOVIE_SHARE = 0.78
const MIN_SEASON_EPISODES = 4
const MAX_SEASON_EPISODES = 11
const TRANSLATED_SHARE = 0.4
const TRANSLATION_LANGUAGES = ['es', 'fr', 'tr'] as const
const FOREIGN_LANGUAGES = ['es', 'es', 'fr', 'fr', 'ja', 'ja', 'ko', 'ko', 'tr', 'de', 'de'] as const

/** A generated show is in at most this many countries; real titles are in nearly all. */
const MAX_COUNTRIES = 24

/** The episodes of long series have offers in the first countries of their series only. */
const MAX_LONG_SERIES_COUNTRIES = 8

const FIRST_SHOW_ID = 100_000
const FIRST_IMDB_ID = 90_000_000
const FIRST_TMDB_ID = 5_000_000

/** Generates shows. Show i depends only on the options and on i, so any part of a catalog can be generated alone. */
export class ShowGenerator {
  private readonly random = new Random()
  private readonly offerGenerator: OfferGenerator
  private readonly chosen: Uint8Array
  private readonly options: DemoOptions
  private readonly markets: readonly Market[]
  /** The mean number of seasons that gives the episodes that the options ask for. */
  private readonly meanSeasons: number | undefined

  constructor(options: DemoOptions, markets: readonly Market[]) {
    this.options = options
    this.markets = markets
    this.offerGenerator = new OfferGenerator(this.random, options.at)
    this.chosen = new Uint8Array(markets.length)
    if (options.episodes !== undefined) {
      const series = options.shows * (1 - MOVIE_SHARE)
      this.meanSeasons = options.episodes / series / ((MIN_SEASON_EPISODES + MAX_SEASON_EPISODES) / 2)
    }
  }

  /** Generates the show at an index, counted from 0. */
  show(index: number): ShowRecord {
    const { random } = this
    random.reseed(this.options.seed, index)
    const showType: ShowType = random.chance(MOVIE_SHARE) ? 'movie' : 'series'
    const span = random.next() ** 1.75
    const year = MAX_YEAR - Math.floor(span * (MAX_YEAR - MIN_YEAR + 1))
    const foreign = random.chance(0.22)
    const originalLanguage = foreign ? random.pick(FOREIGN_LANGUAGES) : 'en'
    const place = generatePlace(random)
    const translated = random.chance(TRANSLATED_SHARE)
    const title =
      foreign || (translated && random.chance(0.35))
        ? generateTranslatedTitle(random, originalLanguage, place)
        : generateEnglishTitle(random, place)
    const scattered = scatterId(index)
    const id = String(FIRST_SHOW_ID + scattered)
    const genres = pickGenres(random, showType)
    const segment = encodeTitleSegment(title.english)
    const show = {
      kind: 'show',
      itemType: 'show',
      showType,
      id,
      imdbId: random.chance(0.04) ? '' : `tt${FIRST_IMDB_ID + scattered}`,
      tmdbId: (showType === 'movie' ? 'movie/' : 'tv/') + (FIRST_TMDB_ID + scattered),
      title: title.english,
      overview: generateEnglishPlot(random, place),
    } as ShowRecord
    const subject: OfferSubject = { id, segment, year, originalLanguage }
    const streamingOptions = this.offers(subject, showType)
    const seasons = showType === 'series' ? this.seasons(subject, streamingOptions) : undefined

    if (seasons === undefined) show.releaseYear = year
    else {
      show.firstAirYear = year
      show.lastAirYear = seasons.at(-1)?.lastAirYear ?? year
    }
    show.originalTitle = title.original
    show.genres = genres
    if (seasons === undefined) show.directors = generatePeople(random, random.chance(0.1) ? 2 : 1)
    else show.creators = generatePeople(random, 1 + random.int(3))
    show.cast = generatePeople(random, 4 + random.int(5))
    show.rating = random.chance(0.03) ? 0 : randomRating(random)
    if (seasons === undefined) show.runtime = 70 + random.int(40) + random.int(50)
    else {
      show.seasonCount = seasons.length
      show.episodeCount = seasons.reduce((sum, season) => sum + season.episodes.length, 0)
    }
    show.imageSet = showImages(this.options.baseUrl, id, genres[0] as string, segment, random.chance(0.9))
    show.streamingOptions = streamingOptions
    if (seasons !== undefined) show.seasons = seasons
    show.originalLanguage = originalLanguage
    show.translations = this.translations(title, originalLanguage, place, translated)
    const recent = Math.max(0.05, 1 - span * 1.2)
    show.popularity = generatePopularity(
      random,
      Object.keys(streamingOptions),
      randomZipf(random, 3_000, 600_000),
      recent,
    )
    return show
  }

  private translations(title: GeneratedTitle, originalLanguage: string, place: string, translated: boolean) {
    const { random } = this
    const translations: Record<string, Translation> = {}
    if (translated) {
      for (const language of TRANSLATION_LANGUAGES) {
        translations[language] = { title: title.in(language), overview: generateForeignPlot(random, language, place) }
      }
    }
    if (translations[originalLanguage] === undefined && hasPlots(originalLanguage)) {
      translations[originalLanguage] = {
        title: title.original,
        overview: generateForeignPlot(random, originalLanguage, place),
      }
    }
    return translations
  }

  /** Generates offers in a few countries. The first countries are more likely. */
  private offers(show: OfferSubject, showType: ShowType): FeedOptions {
    const { random, markets, chosen } = this
    const offers: FeedOptions = {}
    if (random.chance(0.03)) return offers
    const share = showType === 'movie' ? random.next() ** 5 : random.next() ** 17
    const most = Math.min(markets.length, MAX_COUNTRIES)
    let left = Math.min(most, 1 + Math.floor(share * most))
    chosen.fill(0)
    while (left-- > 0) {
      let i = Math.floor(random.next() ** 1.4 * markets.length)
      while (chosen[i] === 1) i = (i + 1) % markets.length
      chosen[i] = 1
    }
    for (let i = 0; i < markets.length; i++) {
      if (chosen[i] === 0) continue
      const market = markets[i] as Market
      offers[market.code] = showType === 'movie' ? this.movieOffers(show, market) : this.seriesOffers(show, market)
    }
    return offers
  }

  private movieOffers(show: OfferSubject, market: Market): FeedOption[] {
    const { random, offerGenerator } = this
    const offers: FeedOption[] = []
    const services = random.chance(0.6) ? 2 : 1
    let last: MarketService | undefined
    for (let i = 0; i < services; i++) {
      const service = random.pickEarly(market.services)
      if (service === last) continue
      last = service
      const type = random.pick(service.types)
      if (type !== 'rent' && type !== 'buy') {
        offers.push(offerGenerator.generate(show, market, service, type))
        continue
      }
      const uhd = random.chance(0.3)
      if (service.types.includes('rent')) {
        offers.push(offerGenerator.generate(show, market, service, 'rent', 'hd'))
        if (uhd) offers.push(offerGenerator.generate(show, market, service, 'rent', 'uhd'))
      }
      if (service.types.includes('buy')) {
        offers.push(offerGenerator.generate(show, market, service, 'buy', 'hd'))
        if (uhd) offers.push(offerGenerator.generate(show, market, service, 'buy', 'uhd'))
      }
      if (random.chance(0.2) && offers.length < 8)
        offers.push(offerGenerator.generate(show, market, service, type, 'sd'))
    }
    return offers
  }

  private seriesOffers(show: OfferSubject, market: Market): FeedOption[] {
    const { random, offerGenerator } = this
    const offers: FeedOption[] = []
    const services = random.chance(0.3) ? 2 : 1
    let last: MarketService | undefined
    for (let i = 0; i < services; i++) {
      const service = random.pickEarly(market.services)
      if (service === last) continue
      last = service
      const drawn = random.pickEarly(service.types)
      const type = drawn === 'rent' ? (service.types[0] === 'rent' ? 'buy' : (service.types[0] ?? 'buy')) : drawn
      // A series is bought by the season or the episode, so its own offer has no price.
      offers.push(offerGenerator.generate(show, market, service, type, undefined, false))
    }
    return offers
  }

  /** Generates seasons and episodes. Each has one offer for each country: a copy of the show's first one. */
  private seasons(show: OfferSubject, offers: FeedOptions): FeedSeason[] {
    const { random } = this
    const wholes: SeriesOffer[] = []
    for (const market of this.markets) {
      const option = offers[market.code]?.[0]
      if (option !== undefined) wholes.push({ market, option })
    }
    // A line of a feed has a limit, which hundreds of episodes in all countries would exceed.
    if (this.meanSeasons !== undefined) wholes.splice(MAX_LONG_SERIES_COUNTRIES)
    const count = this.drawSeasonCount()
    const seasons: FeedSeason[] = []
    for (let s = 1; s <= count; s++) {
      const year = Math.min(show.year + s - 1, MAX_YEAR)
      const season: FeedSeason = {
        itemType: 'season',
        title: `Season ${s}`,
        firstAirYear: year,
        lastAirYear: Math.min(MAX_YEAR, random.chance(0.15) ? year + 1 : year),
        streamingOptions: generatePartOffers(show, wholes, `s${s}`, seasonPrice),
        episodes: [],
      }
      const episodes = MIN_SEASON_EPISODES + random.int(MAX_SEASON_EPISODES - MIN_SEASON_EPISODES + 1)
      for (let e = 1; e <= episodes; e++) {
        season.episodes.push({
          itemType: 'episode',
          title: generateEpisodeTitle(random, e),
          airYear: year,
          streamingOptions: generatePartOffers(show, wholes, `s${s}e${e}`, episodePrice),
        })
      }
      seasons.push(season)
    }
    return seasons
  }

  private drawSeasonCount(): number {
    const { random, meanSeasons } = this
    if (meanSeasons !== undefined) return Math.max(1, Math.round(meanSeasons * (0.5 + random.next())))
    return random.chance(0.82) ? 1 : random.chance(0.8) ? 2 : 3 + random.int(3)
  }
}

/** The series' first offer in a country, which its seasons and episodes copy. */
interface SeriesOffer {
  readonly market: Market
  readonly option: FeedOption
}

function generatePartOffers(
  show: OfferSubject,
  wholes: readonly SeriesOffer[],
  part: string,
  price: (market: Market) => FeedPrice | undefined,
): FeedOptions {
  const parts: FeedOptions = {}
  for (const { market, option } of wholes) {
    parts[market.code] = [copyOfferForPart(option, show, part, option.type === 'buy' ? price(market) : undefined)]
  }
  return parts
}

/** Maps an index to a unique id: a permutation within blocks of 1,024, then 3 n plus a hash of 0 to 2. */
function scatterId(index: number): number {
  const block = index & ~1023
  const within = (Math.imul(index & 1023, 613) + 97) & 1023
  return (block + within) * 3 + ((Math.imul(index, 0x9e3779b1) >>> 8) % 3)
}

function randomRating(random: Random): number {
  const sum = random.next() + random.next() + random.next() + random.next()
  return Math.max(1, Math.min(100, Math.round(62 + (sum - 2) * 22)))
}

const GENRE_MIX_COUNT = 400

/** Genres, repeated by frequency. */
const MOVIE_GENRES = (
  'drama drama drama drama drama comedy comedy comedy comedy thriller thriller thriller action action action romance romance horror ' +
  'horror crime crime documentary documentary adventure family scifi fantasy mystery animation history music war western'
).split(' ')
const SERIES_GENRES = (
  'drama drama drama drama drama comedy comedy comedy crime crime documentary documentary animation animation reality reality mystery ' +
  'thriller action adventure scifi fantasy family romance history talk news horror music war'
).split(' ')

const genreMixes = { movie: generateGenreMixes(MOVIE_GENRES, 11), series: generateGenreMixes(SERIES_GENRES, 12) }

/** Picks one to three genres. Shows share the lists, which are generated once. */
function pickGenres(random: Random, showType: ShowType): readonly string[] {
  return random.pick(genreMixes[showType])
}

function generateGenreMixes(genres: readonly string[], stream: number): readonly (readonly string[])[] {
  const random = new Random(GENRE_MIX_COUNT, stream)
  return Array.from({ length: GENRE_MIX_COUNT }, () => {
    const mix = new Set([random.pick(genres)])
    if (random.chance(0.7)) mix.add(random.pick(genres))
    if (random.chance(0.3)) mix.add(random.pick(genres))
    return [...mix]
  })
}
