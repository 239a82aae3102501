import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { secondsOf } from '../iso-time.ts'
import { addOption, noOptions, type Options } from '../options.ts'
import { priceOf } from '../price-of.ts'
import { countryOf } from '../region-codes.ts'
import { fillTemplate, type LinkValues } from './link-template.ts'
import { objectsIn, textsIn } from './read-asset.ts'

/** What play options are read by. */
export interface PlayOptionReading {
  /** The service as options name it. */
  readonly service: object
  readonly linkTemplate: string
  /** Where the play options of a page can be played unless they say otherwise. */
  readonly countries: readonly string[]
}

const TYPES: ReadonlyMap<string, string> = new Map([
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

/** Options of an asset, and what could not be used of them. */
export interface ReadPlayOptions {
  readonly options: Options
  readonly leftOut: readonly string[]
}

/** The options of an asset, by country. What the importer can refuse by name is passed on as it is. */
export function readPlayOptions(asset: JsonObject, values: LinkValues, reading: PlayOptionReading): ReadPlayOptions {
  const options = noOptions()
  const leftOut: string[] = []
  const { playOptions } = isObject(asset.content) ? asset.content : {}
  for (const play of objectsIn(playOptions)) {
    const license = String(play.license ?? '').toLowerCase()
    const quality = typeof play.quality === 'string' ? play.quality.toLowerCase() : play.quality
    const type = TYPES.get(license) ?? play.license
    const priced = (type === 'rent' || type === 'buy') && play.price !== undefined && play.price !== null
    const playId = typeof play.playId === 'string' || typeof play.playId === 'number' ? play.playId : values.id
    const countries = countriesOf(play, reading)
    if (countries.size === 0) leftOut.push('a play option names no country, and none is known: give --countries')
    addOption(options, countries, {
      service: reading.service,
      type,
      link: fillTemplate(reading.linkTemplate, { ...values, playId }),
      quality: QUALITIES.get(String(quality)) ?? quality,
      price: priced ? priceOf(play.price, play.currency) : undefined,
      startsOn: timeOf(play.availabilityStartTime, play.availabilityStartTimeStamp),
      expiresOn: timeOf(play.availabilityEndTime, play.availabilityEndTimeStamp),
    })
  }
  return { options, leftOut }
}

function countriesOf({ availabilityInfo }: JsonObject, { countries }: PlayOptionReading): ReadonlySet<string> {
  const stated = isObject(availabilityInfo) ? textsIn(availabilityInfo.country) : []
  // A country that cannot be read stays as it is: the importer names it.
  return new Set(stated.length === 0 ? countries : stated.map((code) => countryOf(code) ?? code))
}

/** Unix seconds, of a time or of a stamp in milliseconds. */
function timeOf(time: unknown, stamp: unknown): unknown {
  if (time !== undefined && time !== null) return secondsOf(time)
  const milliseconds = typeof stamp === 'string' && stamp.trim() !== '' ? Number(stamp) : stamp
  return typeof milliseconds === 'number' ? Math.floor(milliseconds / 1000) : undefined
}
