import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { parseCountry } from '../records/locales.ts'
import { addOption, emptyOptions, type OptionsByCountry } from '../records/streaming-options.ts'
import { parseUnixSeconds, toPrice } from '../records/values.ts'
import { toObjects, toTexts } from './assets.ts'

/** What play options are read by. */
export interface PlayOptionContext {
  /** The service as options name it. */
  readonly service: object
  readonly linkTemplate: string
  /** Where the play options of a page can be played unless they say otherwise. */
  readonly countries: readonly string[]
}

const OFFER_TYPES: ReadonlyMap<string, string> = new Map([
  ['free', 'free'],
  ['subscription', 'subscription'],
  ['rental', 'rent'],
  ['purchase', 'buy'],
])

/** The contract knows one word for all that is between standard definition and 1440 lines. */
const QUALITIES: ReadonlyMap<string, string> = new Map([
  ['sd', 'sd'],
  ['hd', 'hd'],
  ['hd+', 'hd'],
  ['fhd', 'hd'],
  ['uhd', 'uhd'],
])

/** OptionsByCountry of an asset, and what could not be used of them. */
export interface PlayOptions {
  readonly options: OptionsByCountry
  readonly skipped: readonly string[]
}

/** The options of an asset, by country. What the importer can refuse by name is passed on as it is. */
export function readPlayOptions(asset: JsonObject, values: LinkValues, reading: PlayOptionContext): PlayOptions {
  const options = emptyOptions()
  const leftOut: string[] = []
  const { playOptions } = isObject(asset.content) ? asset.content : {}
  for (const play of toObjects(playOptions)) {
    const license = String(play.license ?? '').toLowerCase()
    const quality = typeof play.quality === 'string' ? play.quality.toLowerCase() : play.quality
    const type = OFFER_TYPES.get(license) ?? play.license
    const priced = (type === 'rent' || type === 'buy') && play.price !== undefined && play.price !== null
    const playId = typeof play.playId === 'string' || typeof play.playId === 'number' ? play.playId : values.id
    const countries = readCountries(play, reading)
    if (countries.size === 0) leftOut.push('a play option names no country, and none is known: give --countries')
    addOption(options, countries, {
      service: reading.service,
      type,
      link: fillLinkTemplate(reading.linkTemplate, { ...values, playId }),
      quality: QUALITIES.get(String(quality)) ?? quality,
      price: priced ? toPrice(play.price, play.currency) : undefined,
      startsOn: parsePlayTime(play.availabilityStartTime, play.availabilityStartTimeStamp),
      expiresOn: parsePlayTime(play.availabilityEndTime, play.availabilityEndTimeStamp),
    })
  }
  return { options, skipped: leftOut }
}

function readCountries({ availabilityInfo }: JsonObject, { countries }: PlayOptionContext): ReadonlySet<string> {
  const stated = isObject(availabilityInfo) ? toTexts(availabilityInfo.country) : []
  // A country that cannot be read stays as it is: the importer names it.
  return new Set(stated.length === 0 ? countries : stated.map((code) => parseCountry(code) ?? code))
}

/** Unix seconds, of a time or of a stamp in milliseconds. */
function parsePlayTime(time: unknown, stamp: unknown): unknown {
  if (time !== undefined && time !== null) return parseUnixSeconds(time)
  const milliseconds = typeof stamp === 'string' && stamp.trim() !== '' ? Number(stamp) : stamp
  return typeof milliseconds === 'number' ? Math.floor(milliseconds / 1000) : undefined
}

/** What a link template can be filled with. */
const PLACEHOLDERS = ['id', 'playId', 'type', 'seriesId', 'season', 'episode'] as const

/** The values of an asset that its link is made of. */
export type LinkValues = Partial<Record<(typeof PLACEHOLDERS)[number], string | number | undefined>>

/** What a template must be, if it is not. */
export function validateLinkTemplate(template: string): string | undefined {
  const needed = `a web address with ${PLACEHOLDERS.map((place) => `{${place}}`).join(', ')} where they belong`
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
  const known = names.length > 0 && names.every((name) => PLACEHOLDERS.includes(name as (typeof PLACEHOLDERS)[number]))
  // A link that is the same for everything leads nowhere.
  const isAddress = /^https?:\/\/[^/]/.test(template) && URL.canParse(template.replace(/[{}]/g, ''))
  return known && isAddress && (names.includes('id') || names.includes('playId')) ? undefined : needed
}

/** The link of an asset; what it lacks is left empty. */
export function fillLinkTemplate(template: string, values: LinkValues): string {
  return template.replace(/\{(\w+)\}/g, (_, name: keyof LinkValues) => encodeURIComponent(String(values[name] ?? '')))
}
