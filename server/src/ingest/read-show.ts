import type { Mutable } from '../lib/objects.ts'
import { isCountryCode, normalizeCountryCode } from '../model/country.ts'
import { emptyUrls, SHOW_IMAGE_KINDS, type ShowImageSet } from '../model/image.ts'
import { DEFAULT_LANGUAGE, isLanguageCode } from '../model/language.ts'
import {
  isImdbId,
  isShowId,
  isTmdbId,
  POPULARITY_WINDOWS,
  type Popularity,
  type PopularityWindow,
  type Ratings,
  SHOW_TYPES,
  type Translation,
} from '../model/show.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../model/source.ts'
import { Fields, isObject, type Place, shown, withoutNegativeZero } from './fields.ts'
import { type OfferReading, readOffer } from './read-offer.ts'
import type { TrackReader } from './read-tracks.ts'
import type { ReferenceBuilder } from './reference-builder.ts'
import type { ShowStatement, StatedEpisode, StatedOffer, StatedOffers, StatedSeason } from './statement.ts'

const LATEST_YEAR = 9999

/** The longest title of a film has some two hundred characters. */
const LONGEST_TITLE = 300

/** In what kind of feed a show stands. */
export interface ShowReading {
  /** Without a kind it speaks only of the countries that it names: answers are often cut to one. */
  readonly bare: boolean
  /** Exported feeds name the sources of offers, and tell what became of shows. */
  readonly exported: boolean
}

/** Reads a show as answers print it, with what a feed may add, or notes why it cannot be taken. */
export class ShowReader {
  private readonly reference: ReferenceBuilder
  private readonly tracks: TrackReader
  /** Whether an offer of the show being read had to be skipped. */
  private flawed = false
  private exported = false
  private readonly countries = new Set<string>()

  constructor(reference: ReferenceBuilder, tracks: TrackReader) {
    this.reference = reference
    this.tracks = tracks
  }

  read(
    value: Readonly<Record<string, unknown>>,
    place: Place,
    { bare, exported }: ShowReading,
  ): ShowStatement | undefined {
    this.flawed = false
    this.exported = exported
    this.countries.clear()
    const fields = new Fields(value, place)
    if (!exported) noteExportedOnly(fields, ['formerIds', 'withdrawn', 'mergedInto', 'ratings'])
    const showType = fields.requiredWord('showType', SHOW_TYPES)
    const title = readTitle(fields)
    if (showType === undefined || title === undefined) return undefined
    const movie = showType === 'movie'
    const id = this.readId(fields)
    const partial = fields.boolean('partial') === true
    const imageSet = readImageSet(fields)
    if (imageSet === undefined && !partial) fields.note('missing_images', 'The show has no posters')
    const offers = this.readOffers(fields)
    const seasons = movie ? undefined : this.readSeasons(fields)
    if (!movie && fields.has('seasons') && seasons === undefined) this.flawed = true
    const translations = readTranslations(fields, title, imageSet)
    const popularity = readPopularity(fields)
    const originalLanguage = readOriginalLanguage(fields)
    const show: Mutable<ShowStatement> = {
      kind: 'show',
      line: place.line,
      showType,
      imdbId: readExternalId(fields, 'imdbId', isImdbId, 'tt0068646'),
      tmdbId: readExternalId(fields, 'tmdbId', (text) => isTmdbId(text, showType), movie ? 'movie/238' : 'tv/1396'),
      title,
      offers,
      flawed: this.flawed,
    }
    // What is not said is left out, key and all: shows are compared with what is stored.
    const set = <K extends keyof ShowStatement>(key: K, value: ShowStatement[K] | undefined) => {
      if (value !== undefined) show[key] = value
    }
    set('id', id)
    set('partial', partial ? true : undefined)
    set('overview', fields.text('overview'))
    set('imageSet', imageSet)
    set('originalTitle', withinBounds('originalTitle', fields.text('originalTitle'), fields))
    set('genres', fields.has('genres') ? this.readGenres(fields) : undefined)
    set('cast', fields.texts('cast'))
    set('rating', readRating(fields.value.rating, fields))
    set('originalLanguage', originalLanguage)
    set('translations', translations)
    set('popularity', popularity)
    if (movie) {
      set('year', fields.wholeNumber('releaseYear', 0, LATEST_YEAR))
      set('directors', fields.texts('directors'))
      set('runtime', fields.wholeNumber('runtime', 0, 100_000))
    } else {
      set('year', fields.wholeNumber('firstAirYear', 0, LATEST_YEAR))
      set('lastAirYear', fields.wholeNumber('lastAirYear', 0, LATEST_YEAR))
      set('creators', fields.texts('creators'))
      set('seasonCount', fields.wholeNumber('seasonCount', 0, 100_000))
      set('episodeCount', fields.wholeNumber('episodeCount', 0, 1_000_000))
      set('seasons', seasons)
    }
    if (exported) {
      set('ratings', readRatings(fields))
      set('formerIds', fields.texts('formerIds')?.filter(isShowId))
      set('deleted', value.withdrawn === true ? true : undefined)
      set('mergedInto', fields.text('mergedInto'))
    }
    if (bare) set('countries', new Set(this.countries))
    return show
  }

  private readGenres(fields: Fields): string[] {
    const genres: string[] = []
    for (const one of fields.list('genres') ?? []) {
      const genre = this.reference.learnGenre(one, fields)
      if (genre !== undefined && !genres.includes(genre)) genres.push(genre)
    }
    return genres
  }

  private readId(fields: Fields): string | undefined {
    const id = fields.text('id')
    if (id === undefined || isShowId(id)) return id
    return fields.note('ignored_field', `"id" is ${shown(id)}; a decimal number of up to 15 digits is needed`)
  }

  private readOffers(fields: Fields): StatedOffers {
    const byCountry = fields.object('streamingOptions') ?? {}
    if (fields.has('streamingOptions') && !isObject(fields.value.streamingOptions)) this.flawed = true
    const { reference, tracks, exported } = this
    const reading: OfferReading = { reference, tracks, place: fields.place, exported }
    const offers: Record<string, StatedOffer[]> = {}
    for (const code of Object.keys(byCountry)) {
      const country = normalizeCountryCode(code)
      const list = byCountry[code]
      if (!isCountryCode(country) || !Array.isArray(list)) {
        fields.note(
          'ignored_field',
          `"streamingOptions" holds ${shown({ [code]: list })}; a country and a list are needed`,
        )
        this.flawed = true
        continue
      }
      this.countries.add(country)
      const read: StatedOffer[] = []
      for (const item of list) {
        const offer = readOffer(item, country, reading)
        if (offer === undefined) this.flawed = true
        else read.push(offer)
      }
      if (read.length > 0) offers[country] = [...(offers[country] ?? []), ...read]
    }
    return offers
  }

  private readSeasons(fields: Fields): StatedSeason[] | undefined {
    return fields.list('seasons')?.map((value, s): StatedSeason => {
      const season = this.inside(value, fields, `seasons[${s + 1}]`)
      const title = season.text('title')
      const firstAirYear = season.wholeNumber('firstAirYear', 0, LATEST_YEAR)
      const lastAirYear = season.wholeNumber('lastAirYear', 0, LATEST_YEAR)
      const episodes = season.list('episodes')?.map((value, e) => this.readEpisode(value, season, s, e))
      return {
        offers: this.readOffers(season),
        ...(title !== undefined && { title }),
        ...(firstAirYear !== undefined && { firstAirYear }),
        ...(lastAirYear !== undefined && { lastAirYear }),
        ...(episodes !== undefined && { episodes }),
      }
    })
  }

  /** The fields of a season or an episode; something else in its place says nothing, and so removes nothing. */
  private inside(value: unknown, fields: Fields, path: string): Fields {
    if (!isObject(value)) {
      this.flawed = true
      fields.note('ignored_field', `"${path}" is ${shown(value)}; an object is needed`)
    }
    return new Fields(isObject(value) ? value : {}, fields.place, `${path}.`)
  }

  private readEpisode(value: unknown, season: Fields, s: number, e: number): StatedEpisode {
    const episode = this.inside(value, season, `seasons[${s + 1}].episodes[${e + 1}]`)
    const title = episode.text('title')
    const overview = episode.text('overview')
    const airYear = episode.wholeNumber('airYear', 0, LATEST_YEAR)
    return {
      offers: this.readOffers(episode),
      ...(title !== undefined && { title }),
      ...(overview !== undefined && { overview }),
      ...(airYear !== undefined && { airYear }),
    }
  }
}

function noteExportedOnly(fields: Fields, names: readonly string[]): void {
  for (const name of names) {
    if (fields.has(name)) fields.note('ignored_field', `"${name}" is only taken from exported feeds`)
  }
}

/** The title of a show; the original one stands in for one of no letters. */
function readTitle(fields: Fields): string | undefined {
  const title = fields.requiredText('title')
  const shown = title?.trim() === '' ? (fields.text('originalTitle') ?? title) : title
  return withinBounds('title', shown, fields)
}

function withinBounds(name: string, title: string | undefined, fields: Fields): string | undefined {
  if (title === undefined || title.length <= LONGEST_TITLE) return title
  fields.note('title_too_long', `"${name}" has ${title.length} characters; the first ${LONGEST_TITLE} are taken`)
  return title.slice(0, LONGEST_TITLE).replace(/[\ud800-\udbff]$/, '')
}

/** Images as stated; of the kinds that are not, those of the other set. */
function readImageSet(fields: Fields, others?: ShowImageSet): ShowImageSet | undefined {
  const images = fields.inside('imageSet')
  if (images === undefined) return undefined
  const kinds = SHOW_IMAGE_KINDS.flatMap(({ kind, widths, required }) => {
    const urls = images.inside(kind)
    if (urls === undefined) {
      const other = others?.[kind] ?? (required ? emptyUrls(widths) : undefined)
      return other === undefined ? [] : [[kind, other]]
    }
    return [[kind, Object.fromEntries(widths.map((width) => [width, urls.text(width) ?? '']))]]
  })
  return Object.fromEntries(kinds) as ShowImageSet
}

function readExternalId(fields: Fields, name: string, isValid: (id: string) => boolean, example: string): string {
  const id = fields.text(name)
  if (id === undefined || id === '' || isValid(id)) return id ?? ''
  fields.note('ignored_field', `"${name}" is ${shown(id)}; an id such as "${example}" is needed`)
  return ''
}

/** What every source says of a show, in an exported feed. */
function readRatings(fields: Fields): Ratings | undefined {
  const ratings = fields.object('ratings')
  if (ratings === undefined) return undefined
  return Object.fromEntries(
    Object.entries(ratings).flatMap(([source, value]) => {
      if (!isSourceName(source)) {
        fields.note('ignored_field', `"ratings" names ${shown(source)}; ${SOURCE_NAME_RULE} is needed`)
        return []
      }
      const rating = readRating(value, fields) ?? 0
      return rating === 0 ? [] : [[source, rating]]
    }),
  )
}

function readRating(rating: unknown, fields: Fields): number | undefined {
  if (rating === undefined || rating === null) return undefined
  if (Number.isSafeInteger(rating) && (rating as number) >= 0 && (rating as number) <= 100) {
    return withoutNegativeZero(rating as number)
  }
  fields.note('invalid_rating', `"rating" is ${shown(rating)}; a whole number from 0 to 100 is needed`)
  return 0
}

function readOriginalLanguage(fields: Fields): string | undefined {
  const language = fields.text('originalLanguage')
  if (language === undefined || isLanguageCode(language)) return language
  return fields.note('ignored_field', `"originalLanguage" is ${shown(language)}; a code such as "en" is needed`)
}

/** What a show is in other languages; what is not said of a language is as in English. */
function readTranslations(
  fields: Fields,
  english: string,
  images: ShowImageSet | undefined,
): Record<string, Translation> | undefined {
  const all = fields.inside('translations')
  if (all === undefined) return undefined
  const translations: Record<string, Translation> = {}
  for (const language of Object.keys(all.value)) {
    const one = all.inside(language)
    const title = withinBounds(`translations.${language}.title`, one?.text('title'), fields)
    if (one === undefined || title === undefined || !isLanguageCode(language)) {
      fields.note(
        'ignored_field',
        `"translations" holds ${shown({ [language]: all.value[language] })}; a language with a title is needed`,
      )
      continue
    }
    // What a show is called in English stands in the show itself.
    if (language === DEFAULT_LANGUAGE) continue
    const imageSet = readImageSet(one, images)
    translations[language] = {
      title: title.trim() === '' ? english : title,
      overview: one.text('overview') ?? '',
      ...(imageSet !== undefined && { imageSet }),
    }
  }
  return translations
}

function readPopularity(fields: Fields): Record<string, Popularity> | undefined {
  const all = fields.inside('popularity')
  if (all === undefined) return undefined
  const popularity: Record<string, Popularity> = {}
  for (const code of Object.keys(all.value)) {
    const windows = all.inside(code)?.value ?? {}
    const values: Partial<Record<PopularityWindow, number>> = {}
    for (const window of POPULARITY_WINDOWS) {
      const value = windows[window]
      if (value === undefined || value === null) continue
      if (typeof value === 'number' && Number.isFinite(value) && value >= 0) values[window] = withoutNegativeZero(value)
      else fields.note('ignored_field', `"popularity" holds ${shown(value)}; a number from 0 up is needed`)
    }
    if (isCountryCode(normalizeCountryCode(code))) popularity[normalizeCountryCode(code)] = values
  }
  return popularity
}
