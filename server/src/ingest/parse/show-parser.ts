import type { Mutable } from '../../lib/objects.ts'
import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { DEFAULT_LANGUAGE, isLanguageCode } from '../../model/language.ts'
import {
  emptyUrls,
  isImdbId,
  isShowId,
  isTmdbId,
  POPULARITY_WINDOWS,
  type Popularity,
  type PopularityWindow,
  type Ratings,
  SHOW_IMAGE_KINDS,
  SHOW_TYPES,
  type ShowImageSet,
  type Translation,
} from '../../model/show.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../../model/source-ranks.ts'
import type { ParsedEpisode, ParsedOffer, ParsedOffers, ParsedSeason, ShowRecord } from './feed-record.ts'
import { Fields, formatValue, isObject, type JsonObject, normalizeZero, type RecordLocation } from './fields.ts'
import { parseHistory } from './parse-history.ts'
import {
  parseAnyIds,
  parseDecisions,
  parseFieldSharers,
  parseFieldSources,
  parseRecordId,
  parseRecords,
} from './parse-identity.ts'
import { type OfferContext, parseOffer, type TrackParser } from './parse-offer.ts'
import type { ReferenceBuilder } from './reference-builder.ts'

const MAX_YEAR = 9999

/** Fields that say how a catalog came about, which only an export of it can know. */
const EXPORT_ONLY_FIELDS = [
  'formerIds',
  'withdrawn',
  'mergedInto',
  'ratings',
  'mergedIds',
  'records',
  'decisions',
  'fieldSources',
  'fieldSharers',
] as const

/** The longest title of a real film has about two hundred characters. */
const MAX_TITLE_CHARS = 300

/** Film databases list up to about a hundred titles of a film, most of them in translations already. */
const MAX_ALIASES = 100

/** The kind of feed that a show stands in. */
interface ShowContext {
  /** The record has no `kind`: it is a response body of the API, and covers only the countries that it names. */
  readonly isBare: boolean
  /** Exports name the sources of offers, and hold tombstones and merged shows. */
  readonly isExport: boolean
}

/** Parses shows in the format of API responses, with the fields that feeds add. */
export class ShowParser {
  private readonly reference: ReferenceBuilder
  private readonly tracks: TrackParser
  /** Whether a part of the current show could not be parsed. */
  private isFlawed = false
  private isExport = false
  /** Countries that the current show names. */
  private readonly countries = new Set<string>()

  constructor(reference: ReferenceBuilder, tracks: TrackParser) {
    this.reference = reference
    this.tracks = tracks
  }

  /** Parses a show; undefined, with notices, if the record is invalid. */
  parse(value: JsonObject, location: RecordLocation, { isBare, isExport }: ShowContext): ShowRecord | undefined {
    this.isFlawed = false
    this.isExport = isExport
    this.countries.clear()
    const fields = new Fields(value, location)
    if (!isExport) rejectExportOnlyFields(fields, EXPORT_ONLY_FIELDS)
    const showType = fields.requiredEnum('showType', SHOW_TYPES)
    const title = parseTitle(fields)
    if (showType === undefined || title === undefined) return undefined
    const isMovie = showType === 'movie'
    const id = this.parseId(fields)
    const partial = fields.boolean('partial') === true
    const imageSet = parseImageSet(fields)
    if (imageSet === undefined && !partial) fields.addNotice('missing_images', 'The show has no posters')
    const offers = this.parseOffers(fields)
    const seasons = isMovie ? undefined : this.parseSeasons(fields)
    if (!isMovie && fields.has('seasons') && seasons === undefined) this.isFlawed = true
    const translations = parseTranslations(fields, title, imageSet)
    const popularity = parsePopularity(fields)
    const originalLanguage = parseOriginalLanguage(fields)
    const show: Mutable<ShowRecord> = {
      kind: 'show',
      line: location.line,
      showType,
      imdbId: parseExternalId(fields, 'imdbId', isImdbId, 'tt0068646'),
      tmdbId: parseExternalId(fields, 'tmdbId', (text) => isTmdbId(text, showType), isMovie ? 'movie/238' : 'tv/1396'),
      title,
      offers,
      isFlawed: this.isFlawed,
    }
    // Absent fields are left out, not set to undefined: shows are compared with stored ones.
    const set = <K extends keyof ShowRecord>(key: K, value: ShowRecord[K] | undefined) => {
      if (value !== undefined) show[key] = value
    }
    set('id', id)
    set('recordId', parseRecordId(fields))
    set('partial', partial ? true : undefined)
    set('overview', fields.text('overview'))
    set('imageSet', imageSet)
    set('originalTitle', truncateTitle('originalTitle', fields.text('originalTitle'), fields))
    set('genres', fields.has('genres') ? this.parseGenres(fields) : undefined)
    set('cast', fields.textList('cast'))
    set('rating', parseRating(fields.value.rating, fields))
    set('originalLanguage', originalLanguage)
    set('translations', translations)
    set('aliases', parseAliases(fields))
    set('popularity', popularity)
    if (isMovie) {
      set('year', fields.integer('releaseYear', 0, MAX_YEAR))
      set('directors', fields.textList('directors'))
      set('runtime', fields.integer('runtime', 0, 100_000))
    } else {
      set('year', fields.integer('firstAirYear', 0, MAX_YEAR))
      set('lastAirYear', fields.integer('lastAirYear', 0, MAX_YEAR))
      set('creators', fields.textList('creators'))
      set('seasonCount', fields.integer('seasonCount', 0, 100_000))
      set('episodeCount', fields.integer('episodeCount', 0, 1_000_000))
      set('link', fields.text('link'))
      set('seasons', seasons)
    }
    if (isExport) {
      set('ratings', parseRatings(fields))
      set('formerIds', parseAnyIds(fields, 'formerIds'))
      set('mergedIds', parseAnyIds(fields, 'mergedIds'))
      set('records', parseRecords(fields))
      set('decisions', parseDecisions(fields))
      set('fieldSources', parseFieldSources(fields))
      set('fieldSharers', parseFieldSharers(fields))
      set('history', parseHistory(fields))
      set('deleted', value.withdrawn === true ? true : undefined)
      set('mergedInto', fields.text('mergedInto'))
    }
    if (isBare) set('countries', new Set(this.countries))
    return show
  }

  private parseGenres(fields: Fields): string[] {
    const genres: string[] = []
    for (const one of fields.list('genres') ?? []) {
      const genre = this.reference.resolveGenre(one, fields)
      if (genre !== undefined && !genres.includes(genre)) genres.push(genre)
    }
    return genres
  }

  private parseId(fields: Fields): string | undefined {
    const id = fields.text('id')
    if (id === undefined || isShowId(id)) return id
    return fields.addNotice(
      'ignored_field',
      `"id" is ${formatValue(id)}; a decimal number of up to 15 digits is needed`,
    )
  }

  private parseOffers(fields: Fields): ParsedOffers {
    const byCountry = fields.object('streamingOptions') ?? {}
    if (fields.has('streamingOptions') && !isObject(fields.value.streamingOptions)) this.isFlawed = true
    const { reference, tracks, isExport } = this
    const context: OfferContext = { reference, tracks, location: fields.location, isExport }
    const offers: Record<string, ParsedOffer[]> = {}
    for (const code of Object.keys(byCountry)) {
      const country = normalizeCountryCode(code)
      const list = byCountry[code]
      if (!isCountryCode(country) || !Array.isArray(list)) {
        fields.addNotice(
          'ignored_field',
          `"streamingOptions" holds ${formatValue({ [code]: list })}; a country and a list are needed`,
        )
        this.isFlawed = true
        continue
      }
      this.countries.add(country)
      const read: ParsedOffer[] = []
      for (const item of list) {
        const offer = parseOffer(item, country, context)
        if (offer === undefined) this.isFlawed = true
        else read.push(offer)
      }
      if (read.length > 0) offers[country] = [...(offers[country] ?? []), ...read]
    }
    return offers
  }

  private parseSeasons(fields: Fields): ParsedSeason[] | undefined {
    return fields.list('seasons')?.map((value, s): ParsedSeason => {
      const season = this.nestedFields(value, fields, `seasons[${s + 1}]`)
      const title = season.text('title')
      const firstAirYear = season.integer('firstAirYear', 0, MAX_YEAR)
      const lastAirYear = season.integer('lastAirYear', 0, MAX_YEAR)
      const link = season.text('link')
      const episodes = season.list('episodes')?.map((value, e) => this.parseEpisode(value, season, s, e))
      return {
        offers: this.parseOffers(season),
        ...(title !== undefined && { title }),
        ...(firstAirYear !== undefined && { firstAirYear }),
        ...(lastAirYear !== undefined && { lastAirYear }),
        ...(link !== undefined && { link }),
        ...(episodes !== undefined && { episodes }),
      }
    })
  }

  /** The fields of a season or an episode; a value that is not an object counts as empty and removes nothing. */
  private nestedFields(value: unknown, fields: Fields, path: string): Fields {
    if (!isObject(value)) {
      this.isFlawed = true
      fields.addNotice('ignored_field', `"${path}" is ${formatValue(value)}; an object is needed`)
    }
    return new Fields(isObject(value) ? value : {}, fields.location, `${path}.`)
  }

  private parseEpisode(value: unknown, season: Fields, s: number, e: number): ParsedEpisode {
    const episode = this.nestedFields(value, season, `seasons[${s + 1}].episodes[${e + 1}]`)
    const title = episode.text('title')
    const overview = episode.text('overview')
    const airYear = episode.integer('airYear', 0, MAX_YEAR)
    return {
      offers: this.parseOffers(episode),
      ...(title !== undefined && { title }),
      ...(overview !== undefined && { overview }),
      ...(airYear !== undefined && { airYear }),
    }
  }
}

function rejectExportOnlyFields(fields: Fields, names: readonly string[]): void {
  for (const name of names) {
    if (fields.has(name)) fields.addNotice('ignored_field', `"${name}" is only taken from exported feeds`)
  }
}

/** The title of a show; a blank one is replaced by the original title. */
function parseTitle(fields: Fields): string | undefined {
  const title = fields.requiredText('title')
  const visible = title?.trim() === '' ? (fields.text('originalTitle') ?? title) : title
  return truncateTitle('title', visible, fields)
}

function truncateTitle(name: string, title: string | undefined, fields: Fields): string | undefined {
  if (title === undefined || title.length <= MAX_TITLE_CHARS) return title
  fields.addNotice('title_too_long', `"${name}" has ${title.length} characters; the first ${MAX_TITLE_CHARS} are taken`)
  return title.slice(0, MAX_TITLE_CHARS).replace(/[\ud800-\udbff]$/, '')
}

/** The image set of a show; kinds that are absent are taken from the other set. */
function parseImageSet(fields: Fields, others?: ShowImageSet): ShowImageSet | undefined {
  const images = fields.nested('imageSet')
  if (images === undefined) return undefined
  const kinds = SHOW_IMAGE_KINDS.flatMap(({ kind, widths, required }) => {
    const urls = images.nested(kind)
    if (urls === undefined) {
      const other = others?.[kind] ?? (required ? emptyUrls(widths) : undefined)
      return other === undefined ? [] : [[kind, other]]
    }
    return [[kind, Object.fromEntries(widths.map((width) => [width, urls.link(width) ?? '']))]]
  })
  return Object.fromEntries(kinds) as ShowImageSet
}

function parseExternalId(fields: Fields, name: string, isValid: (id: string) => boolean, example: string): string {
  const id = fields.text(name)
  if (id === undefined || id === '' || isValid(id)) return id ?? ''
  fields.addNotice('ignored_field', `"${name}" is ${formatValue(id)}; an id such as "${example}" is needed`)
  return ''
}

/** The ratings of a show by source, in an export. */
function parseRatings(fields: Fields): Ratings | undefined {
  const ratings = fields.object('ratings')
  if (ratings === undefined) return undefined
  return Object.fromEntries(
    Object.entries(ratings).flatMap(([source, value]) => {
      if (!isSourceName(source)) {
        fields.addNotice('ignored_field', `"ratings" names ${formatValue(source)}; ${SOURCE_NAME_RULE} is needed`)
        return []
      }
      const rating = parseRating(value, fields) ?? 0
      return rating === 0 ? [] : [[source, rating]]
    }),
  )
}

function parseRating(rating: unknown, fields: Fields): number | undefined {
  if (rating === undefined || rating === null) return undefined
  if (Number.isSafeInteger(rating) && (rating as number) >= 0 && (rating as number) <= 100) {
    return normalizeZero(rating as number)
  }
  fields.addNotice('invalid_rating', `"rating" is ${formatValue(rating)}; a whole number from 0 to 100 is needed`)
  return 0
}

function parseOriginalLanguage(fields: Fields): string | undefined {
  const language = fields.text('originalLanguage')
  if (language === undefined || isLanguageCode(language)) return language
  return fields.addNotice(
    'ignored_field',
    `"originalLanguage" is ${formatValue(language)}; a code such as "en" is needed`,
  )
}

/** Titles, overviews and images in other languages; what is absent is taken from English. */
function parseTranslations(
  fields: Fields,
  english: string,
  images: ShowImageSet | undefined,
): Record<string, Translation> | undefined {
  const all = fields.nested('translations')
  if (all === undefined) return undefined
  const translations: Record<string, Translation> = {}
  for (const language of Object.keys(all.value)) {
    const one = all.nested(language)
    const title = truncateTitle(`translations.${language}.title`, one?.text('title'), fields)
    if (one === undefined || title === undefined || !isLanguageCode(language)) {
      fields.addNotice(
        'ignored_field',
        `"translations" holds ${formatValue({ [language]: all.value[language] })}; a language with a title is needed`,
      )
      continue
    }
    // The English title is the show's own.
    if (language === DEFAULT_LANGUAGE) continue
    const imageSet = parseImageSet(one, images)
    translations[language] = {
      title: title.trim() === '' ? english : title,
      overview: one.text('overview') ?? '',
      ...(imageSet !== undefined && { imageSet }),
    }
  }
  return translations
}

/** Alternative titles without blanks and repeats; an empty list removes the known ones. */
function parseAliases(fields: Fields): string[] | undefined {
  const stated = fields.textList('aliases')
  if (stated === undefined) return undefined
  const aliases = new Set(stated.map((alias) => truncateTitle('aliases', alias.trim(), fields) ?? ''))
  aliases.delete('')
  if (aliases.size <= MAX_ALIASES) return [...aliases]
  fields.addNotice('ignored_field', `"aliases" has ${aliases.size} titles; the first ${MAX_ALIASES} are taken`)
  return [...aliases].slice(0, MAX_ALIASES)
}

function parsePopularity(fields: Fields): Record<string, Popularity> | undefined {
  const all = fields.nested('popularity')
  if (all === undefined) return undefined
  const popularity: Record<string, Popularity> = {}
  for (const code of Object.keys(all.value)) {
    const windows = all.nested(code)?.value ?? {}
    const values: Partial<Record<PopularityWindow, number>> = {}
    for (const window of POPULARITY_WINDOWS) {
      const value = windows[window]
      if (value === undefined || value === null) continue
      if (typeof value === 'number' && Number.isFinite(value) && value >= 0) values[window] = normalizeZero(value)
      else fields.addNotice('ignored_field', `"popularity" holds ${formatValue(value)}; a number from 0 up is needed`)
    }
    if (isCountryCode(normalizeCountryCode(code))) popularity[normalizeCountryCode(code)] = values
  }
  return popularity
}
