import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { toObjects, toText, toTexts } from '../records/json-fields.ts'
import { fillTemplate, type LINK_PLACEHOLDERS } from '../records/link-template.ts'
import { parseCountry } from '../records/locales.ts'
import { addOption, emptyOptions, type OptionsByCountry } from '../records/streaming-options.ts'
import { parseQuality, parseUnixSeconds, toPrice } from '../records/values.ts'

/** What is known of a page before its play options are read. */
interface PlayOptionContext {
  /** The `service` of the options. */
  readonly service: object
  readonly linkTemplate: string
  /** The countries of play options that name none. */
  readonly countries: readonly string[]
}

/** Offer types by license. */
const OFFER_TYPES: ReadonlyMap<string, string> = new Map([
  ['free', 'free'],
  ['subscription', 'subscription'],
  ['rental', 'rent'],
  ['purchase', 'buy'],
])

/** The currency of a price that names none, by the format's rules. */
const DEFAULT_CURRENCY = 'USD'

/** The options of an asset, and the reasons why play options were skipped. */
interface PlayOptions {
  readonly options: OptionsByCountry
  readonly skipped: readonly string[]
}

/** Converts the play options of an asset. Invalid values are passed through: the importer reports them. */
export function readPlayOptions(asset: JsonObject, values: LinkValues, context: PlayOptionContext): PlayOptions {
  const options = emptyOptions()
  const skipped: string[] = []
  const { playOptions } = isObject(asset.content) ? asset.content : {}
  for (const play of toObjects(playOptions)) {
    const license = toText(play.license ?? '').toLowerCase()
    const type = OFFER_TYPES.get(license) ?? play.license
    const hasPrice = (type === 'rent' || type === 'buy') && play.price !== undefined && play.price !== null
    const playId = typeof play.playId === 'string' || typeof play.playId === 'number' ? play.playId : values.id
    const countries = readCountries(play, context)
    if (countries.size === 0) skipped.push('a play option names no country, and none is known: give --countries')
    addOption(options, countries, {
      service: context.service,
      type,
      link: fillLinkTemplate(context.linkTemplate, { ...values, playId }),
      quality:
        typeof play.quality === 'string' ? (parseQuality(play.quality) ?? play.quality.toLowerCase()) : play.quality,
      price: hasPrice ? toPrice(play.price, play.currency ?? DEFAULT_CURRENCY) : undefined,
      startsOn: parsePlayTime(play.availabilityStartTime, play.availabilityStartTimeStamp),
      expiresOn: parsePlayTime(play.availabilityEndTime, play.availabilityEndTimeStamp),
    })
  }
  return { options, skipped }
}

function readCountries({ availabilityInfo }: JsonObject, { countries }: PlayOptionContext): ReadonlySet<string> {
  const codes = isObject(availabilityInfo) ? toTexts(availabilityInfo.country) : []
  // An invalid code is passed through: the importer reports it.
  return new Set(codes.length === 0 ? countries : codes.map((code) => parseCountry(code) ?? code))
}

/** Unix seconds of an ISO 8601 time, or of a timestamp in milliseconds. */
function parsePlayTime(time: unknown, timestamp: unknown): unknown {
  if (time !== undefined && time !== null) return parseUnixSeconds(time)
  const milliseconds = typeof timestamp === 'string' && timestamp.trim() !== '' ? Number(timestamp) : timestamp
  return typeof milliseconds === 'number' ? Math.floor(milliseconds / 1000) : undefined
}

/** The values of the placeholders for an asset. */
export type LinkValues = Partial<
  Record<(typeof LINK_PLACEHOLDERS)['tv-search-feed'][number], string | number | undefined>
>

/** Fills a template; missing values become empty. */
export function fillLinkTemplate(template: string, values: LinkValues): string {
  return fillTemplate(template, (name) => toText(values[name as keyof LinkValues] ?? ''))
}
