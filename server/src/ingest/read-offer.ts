import type { Mutable } from '../lib/objects.ts'
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
} from '../model/offer.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../model/source.ts'
import { Fields, isObject, type JsonObject, type Place, shown } from './fields.ts'
import type { TrackReader } from './read-tracks.ts'
import type { ReferenceBuilder } from './reference-builder.ts'
import type { StatedOffer } from './statement.ts'

/** What an option is read by. */
export interface OfferReading {
  readonly reference: ReferenceBuilder
  readonly tracks: TrackReader
  readonly place: Place
  /** Exported feeds name the sources of offers. */
  readonly exported: boolean
}

/** Reads an option as a feed states it, or notes why it cannot be taken. */
export function readOffer(
  value: unknown,
  country: string,
  { reference, tracks, place, exported }: OfferReading,
): StatedOffer | undefined {
  if (!isObject(value)) {
    place.notices.add('invalid_offer', `An option in ${country} is ${shown(value)}; an object is needed`, place)
    return undefined
  }
  const fields = new Fields(value, place, `${country}: `)
  const type = value.type as OfferType
  if (!OFFER_TYPES.includes(type)) {
    return fields.note(
      'invalid_offer',
      `An option in ${country} has type ${shown(value.type)}; one of ${OFFER_TYPES.join(', ')} is needed`,
    )
  }
  const service = readService(value, type, country, reference, fields)
  if (service === undefined) return undefined
  const addon = type === 'addon' ? readAddon(value, service, country, reference, fields) : undefined
  if (type === 'addon' && addon === undefined) return undefined
  const startsOn = readStart(value, fields)
  const link = value.link ?? (startsOn === undefined ? undefined : '')
  if (typeof link !== 'string' || (link === '' && startsOn === undefined && !exported)) {
    return fields.note('invalid_offer', `An option on ${service} in ${country} has no link`)
  }
  const expiresOn = fields.wholeNumber('expiresOn', 1, MAX_TIMESTAMP)
  if (typeof startsOn === 'number' && expiresOn !== undefined && expiresOn <= startsOn) {
    return fields.note(
      'end_before_start',
      `An option on ${service} in ${country} starts on ${startsOn} and ends on ${expiresOn}`,
    )
  }
  const videoLink = fields.text('videoLink')
  const quality = readQuality(value, fields)
  const price = readPrice(type, service, country, fields)
  const availableSince = fields.wholeNumber('availableSince', 0, MAX_TIMESTAMP)
  const source = exported ? readSource(fields) : undefined
  if (!exported && fields.has('source')) fields.note('ignored_field', '"source" is only taken from exported feeds')
  const offer: Mutable<StatedOffer> = {
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
  return offer
}

function readSource(fields: Fields): string | undefined {
  const source = fields.text('source')
  if (source === undefined || isSourceName(source)) return source
  return fields.note('ignored_field', `"source" is ${shown(source)}; ${SOURCE_NAME_RULE} is needed`)
}

function readService(
  value: JsonObject,
  type: OfferType,
  country: string,
  reference: ReferenceBuilder,
  fields: Fields,
): string | undefined {
  if (isObject(value.service)) return reference.learnService(value.service, type, country, fields)
  if (typeof value.service !== 'string') {
    return fields.note('invalid_offer', `An option in ${country} has service ${shown(value.service)}; an id is needed`)
  }
  if (reference.useService(value.service, country)) return value.service
  return fields.note('unknown_service', `The service ${shown(value.service)} is not known in ${country}`)
}

function readAddon(
  value: JsonObject,
  service: string,
  country: string,
  reference: ReferenceBuilder,
  fields: Fields,
): string | undefined {
  if (isObject(value.addon)) return reference.learnAddon(value.addon, service, country, fields)
  if (typeof value.addon !== 'string') {
    return fields.note('invalid_offer', `An option of type addon on ${service} in ${country} names no addon`)
  }
  if (reference.hasAddon(service, value.addon, country)) return value.addon
  return fields.note('unknown_addon', `The addon ${shown(value.addon)} is not known on ${service} in ${country}`)
}

function readStart(value: JsonObject, fields: Fields): number | typeof UNKNOWN_START | undefined {
  return value.startsOn === UNKNOWN_START ? UNKNOWN_START : fields.wholeNumber('startsOn', 1, MAX_TIMESTAMP)
}

function readQuality(value: JsonObject, fields: Fields): Quality | undefined {
  if (value.quality === undefined || value.quality === null) return undefined
  if (QUALITIES.includes(value.quality as Quality)) return value.quality as Quality
  return fields.note('ignored_field', `"quality" is ${shown(value.quality)}; one of ${QUALITIES.join(', ')} is needed`)
}

function readPrice(type: OfferType, service: string, country: string, fields: Fields): Price | undefined {
  const inside = fields.inside('price')
  if (inside === undefined) return undefined
  if (type !== 'rent' && type !== 'buy') {
    return fields.note('price_not_allowed', `An option of type ${type} on ${service} in ${country} has a price`)
  }
  const { amount, currency } = inside.value
  if (typeof amount !== 'string' || !isAmount(amount)) {
    return fields.note('invalid_price', `The amount is ${shown(amount)}; a text such as "2.99" is needed`)
  }
  if (typeof currency !== 'string' || !isCurrency(currency)) {
    return fields.note('unknown_currency', `The currency is ${shown(currency)}; a code such as "EUR" is needed`)
  }
  return { amount, currency }
}
