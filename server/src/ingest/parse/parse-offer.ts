import type { Mutable } from '../../lib/objects.ts'
import { isLocale, type Locale, normalizeAudios, normalizeSubtitles, type Subtitle } from '../../model/language.ts'
import {
  isAmount,
  isCurrency,
  MAX_TIMESTAMP,
  OFFER_TYPES,
  type OfferType,
  type Price,
  QUALITIES,
  type Quality,
  UNKNOWN_START,
} from '../../model/offer.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../../model/source-ranks.ts'
import { formatTime } from '../../model/time.ts'
import type { ParsedOffer } from './feed-record.ts'
import { Fields, formatValue, isObject, isUnsafeLink, type JsonObject, type RecordLocation } from './fields.ts'
import type { JsonParser } from './json-parser.ts'
import type { ReferenceBuilder } from './reference-builder.ts'

/** What parsing an offer needs beside its value. */
export interface OfferContext {
  readonly reference: ReferenceBuilder
  readonly tracks: TrackParser
  readonly location: RecordLocation
  /** Exports name the source of each offer. */
  readonly isExport: boolean
}

/** Parses a streaming option; undefined, with a notice, if it is invalid. */
export function parseOffer(
  value: unknown,
  country: string,
  { reference, tracks, location, isExport }: OfferContext,
): ParsedOffer | undefined {
  if (!isObject(value)) {
    location.notices.add(
      'invalid_offer',
      `An option in ${country} is ${formatValue(value)}; an object is needed`,
      location,
    )
    return undefined
  }
  const fields = new Fields(value, location, `${country}: `)
  const type = value.type as OfferType
  if (!OFFER_TYPES.includes(type)) {
    return fields.addNotice(
      'invalid_offer',
      `An option in ${country} has type ${formatValue(value.type)}; one of ${OFFER_TYPES.join(', ')} is needed`,
    )
  }
  const service = parseService(value, country, reference, fields)
  if (service === undefined) return undefined
  const addon = type === 'addon' ? parseAddon(value, service, country, reference, fields) : undefined
  if (type === 'addon' && addon === undefined) return undefined
  const startsOn = parseStart(value, fields)
  const link = value.link ?? (startsOn === undefined ? undefined : '')
  if (typeof link !== 'string' || (link === '' && startsOn === undefined && !isExport)) {
    return fields.addNotice('invalid_offer', `An option on ${service} in ${country} has no link`)
  }
  if (isUnsafeLink(link)) return fields.addUnsafeLink('link')
  const expiresOn = fields.integer('expiresOn', 1, MAX_TIMESTAMP)
  if (typeof startsOn === 'number' && expiresOn !== undefined && expiresOn <= startsOn) {
    return fields.addNotice(
      'end_before_start',
      `An option on ${service} in ${country} starts on ${formatTime(startsOn)} and ends on ${formatTime(expiresOn)}`,
    )
  }
  const videoLink = fields.link('videoLink')
  const quality = parseQuality(value, fields)
  const price = parsePrice(type, service, country, fields)
  const availableSince = fields.integer('availableSince', 0, MAX_TIMESTAMP)
  const source = isExport ? parseSource(fields) : undefined
  const rolledUp = isExport ? parseRolledUp(value) : undefined
  for (const name of isExport ? [] : ['source', 'rolledUp']) {
    if (fields.has(name)) fields.addNotice('ignored_field', `"${name}" is only taken from exported feeds`)
  }
  const offer: Mutable<ParsedOffer> = {
    service,
    type,
    link: link.toWellFormed(),
    audios: tracks.audios(fields),
    subtitles: tracks.subtitles(fields),
  }
  if (addon !== undefined) offer.addon = addon
  if (videoLink !== undefined) offer.videoLink = videoLink
  if (quality !== undefined) offer.quality = quality
  if (price !== undefined) offer.price = price
  if (startsOn !== undefined) offer.startsOn = startsOn
  if (expiresOn !== undefined) offer.expiresOn = expiresOn
  else if (value.expiresSoon === true) offer.imminent = true
  if (availableSince !== undefined) offer.availableSince = availableSince
  if (source !== undefined) offer.source = source
  if (rolledUp !== undefined) offer.rolledUp = rolledUp
  return offer
}

function parseSource(fields: Fields): string | undefined {
  const source = fields.text('source')
  if (source === undefined || isSourceName(source)) return source
  return fields.addNotice('ignored_field', `"source" is ${formatValue(source)}; ${SOURCE_NAME_RULE} is needed`)
}

function parseRolledUp({ rolledUp }: JsonObject): ParsedOffer['rolledUp'] {
  return rolledUp === 'part' || rolledUp === 'page' ? rolledUp : undefined
}

function parseService(
  value: JsonObject,
  country: string,
  reference: ReferenceBuilder,
  fields: Fields,
): string | undefined {
  if (isObject(value.service)) return reference.resolveService(value.service, country, fields)
  if (typeof value.service !== 'string') {
    return fields.addNotice(
      'invalid_offer',
      `An option in ${country} has service ${formatValue(value.service)}; an id is needed`,
    )
  }
  if (reference.ensureService(value.service, country)) return value.service
  return fields.addNotice('unknown_service', `The service ${formatValue(value.service)} is not known in ${country}`)
}

function parseAddon(
  value: JsonObject,
  service: string,
  country: string,
  reference: ReferenceBuilder,
  fields: Fields,
): string | undefined {
  if (isObject(value.addon)) return reference.resolveAddon(value.addon, service, country, fields)
  if (typeof value.addon !== 'string') {
    return fields.addNotice('invalid_offer', `An option of type addon on ${service} in ${country} names no addon`)
  }
  if (reference.hasAddon(service, value.addon, country)) return value.addon
  return fields.addNotice(
    'unknown_addon',
    `The addon ${formatValue(value.addon)} is not known on ${service} in ${country}`,
  )
}

function parseStart(value: JsonObject, fields: Fields): number | typeof UNKNOWN_START | undefined {
  return value.startsOn === UNKNOWN_START ? UNKNOWN_START : fields.integer('startsOn', 1, MAX_TIMESTAMP)
}

function parseQuality(value: JsonObject, fields: Fields): Quality | undefined {
  if (value.quality === undefined || value.quality === null) return undefined
  if (QUALITIES.includes(value.quality as Quality)) return value.quality as Quality
  return fields.addNotice(
    'ignored_field',
    `"quality" is ${formatValue(value.quality)}; one of ${QUALITIES.join(', ')} is needed`,
  )
}

function parsePrice(type: OfferType, service: string, country: string, fields: Fields): Price | undefined {
  const inside = fields.nested('price')
  if (inside === undefined) return undefined
  if (type !== 'rent' && type !== 'buy') {
    return fields.addNotice('price_not_allowed', `An option of type ${type} on ${service} in ${country} has a price`)
  }
  const { amount, currency } = inside.value
  if (typeof amount !== 'string' || !isAmount(amount)) {
    return fields.addNotice('invalid_price', `The amount is ${formatValue(amount)}; a text such as "2.99" is needed`)
  }
  if (typeof currency !== 'string' || !isCurrency(currency)) {
    return fields.addNotice(
      'unknown_currency',
      `The currency is ${formatValue(currency)}; a code such as "EUR" is needed`,
    )
  }
  return { amount, currency }
}

/** The intern tables are cleared beyond this many distinct lists. */
const MAX_TRACK_LISTS = 100_000

/** Parses the audio and subtitle languages of offers. Equal lists are interned, so that they compare by identity. */
export class TrackParser {
  private readonly parser: JsonParser
  private readonly audioLists = new InternedLists<Locale>((fields) =>
    normalizeAudios((fields.list('audios') ?? []).flatMap((item) => parseLocale(item, fields, 'audios'))),
  )
  private readonly subtitleLists = new InternedLists<Subtitle>((fields) =>
    normalizeSubtitles((fields.list('subtitles') ?? []).flatMap((item) => parseSubtitle(item, fields))),
  )

  constructor(parser: JsonParser) {
    this.parser = parser
  }

  audios(fields: Fields): readonly Locale[] {
    return this.audioLists.parse('audios', this.parser.resolveList(fields.value.audios), fields)
  }

  subtitles(fields: Fields): readonly Subtitle[] {
    return this.subtitleLists.parse('subtitles', this.parser.resolveList(fields.value.subtitles), fields)
  }
}

/** An intern table for the lists of one kind. */
class InternedLists<T> {
  private readonly parseList: (fields: Fields) => readonly T[]
  /** By the JSON value, if it was parsed without a notice. */
  private readonly byParsed = new Map<unknown, readonly T[]>()
  private readonly byJson = new Map<string, readonly T[]>()

  constructor(readList: (fields: Fields) => readonly T[]) {
    this.parseList = readList
  }

  parse(name: string, value: unknown, fields: Fields): readonly T[] {
    const known = this.byParsed.get(value)
    if (known !== undefined) return known
    const { location } = fields
    const noticesBefore = location.notices.total
    const list = this.intern(this.parseList(fields.withField(name, value)))
    if (location.notices.total === noticesBefore) {
      if (this.byParsed.size >= MAX_TRACK_LISTS) this.byParsed.clear()
      this.byParsed.set(value, list)
    }
    return list
  }

  private intern(list: readonly T[]): readonly T[] {
    const json = JSON.stringify(list)
    const known = this.byJson.get(json)
    if (known !== undefined) return known
    if (this.byJson.size >= MAX_TRACK_LISTS) this.byJson.clear()
    this.byJson.set(json, list)
    return list
  }
}

function parseLocale(value: unknown, fields: Fields, name: string): Locale | [] {
  if (isObject(value) && typeof value.language === 'string') {
    const { language, region } = value
    const locale = region === undefined || region === null ? { language } : { language, region: region as string }
    if ((region === undefined || region === null || typeof region === 'string') && isLocale(locale)) return locale
  }
  fields.addNotice(
    'ignored_field',
    `"${name}" holds ${formatValue(value)}; {"language":"eng","region":"USA"} or the like is needed`,
  )
  return []
}

function parseSubtitle(value: unknown, fields: Fields): Subtitle | [] {
  if (!isObject(value)) return parseLocale(value, fields, 'subtitles') as []
  const locale = parseLocale(value.locale, fields, 'subtitles')
  return Array.isArray(locale) ? [] : { closedCaptions: value.closedCaptions === true, locale }
}
