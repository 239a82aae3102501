import { PAST_CHANGE_TYPES } from '../model/change.ts'
import { isCountryCode, normalizeCountryCode } from '../model/country.ts'
import { MAX_TIMESTAMP, OFFER_TYPES } from '../model/offer.ts'
import { isServiceId } from '../model/service.ts'
import { ITEM_TYPES, type ItemType, isShowId, SHOW_TYPES, type ShowType } from '../model/show.ts'
import { type Fields, shown } from './fields.ts'
import type { ReferenceBuilder } from './reference-builder.ts'
import type { ChangeStatement } from './statement.ts'

/** The most seasons of a series, and episodes of a season, that a change can be of. */
const MOST_PARTS = 65_535

/** Reads a past change as exported feeds state it, or notes why it cannot be taken. */
export function readChange(fields: Fields, reference: ReferenceBuilder): ChangeStatement | undefined {
  const changeType = fields.requiredWord('changeType', PAST_CHANGE_TYPES)
  const itemType = fields.requiredWord('itemType', ITEM_TYPES)
  const showType = fields.requiredWord('showType', SHOW_TYPES)
  const offerType = fields.requiredWord('streamingOptionType', OFFER_TYPES)
  const showId = readShowId(fields)
  const country = readCountry(fields)
  const service = fields.requiredText('service')
  const timestamp = requiredNumber(fields, 'timestamp', MAX_TIMESTAMP)
  if (changeType === undefined || itemType === undefined || showType === undefined || offerType === undefined) return
  if (showId === undefined || country === undefined || service === undefined || timestamp === undefined) return
  if (!reference.useService(service, country)) {
    return fields.note('unknown_service', `The service ${shown(service)} is not known in ${country}`)
  }
  const part = readPart(fields, itemType, showType)
  if (part === undefined) return
  const addon = fields.text('addon')
  // An addon may have ceased to be since, so it need not be known; it has the form of one, though.
  if (offerType === 'addon' ? addon === undefined : addon !== undefined) {
    return fields.note('invalid_field', `"addon" is ${shown(addon)} in a change of type ${offerType}`)
  }
  if (addon !== undefined && !isServiceId(addon)) {
    return fields.note('invalid_field', `"addon" is ${shown(addon)}; letters, digits, "-" and "_" are needed`)
  }
  const link = fields.text('link')
  return {
    kind: 'change',
    line: fields.place.line,
    change: {
      changeType,
      itemType,
      showId,
      showType,
      country,
      ...part,
      service,
      offerType,
      ...(addon !== undefined && { addon }),
      timestamp,
      ...(link !== undefined && { link }),
    },
  }
}

function readShowId(fields: Fields): string | undefined {
  const id = fields.requiredText('showId')
  if (id === undefined || isShowId(id)) return id
  return fields.note('invalid_field', `"showId" is ${shown(id)}; a decimal number of up to 15 digits is needed`)
}

function readCountry(fields: Fields): string | undefined {
  const stated = fields.requiredText('country')
  if (stated === undefined) return undefined
  const country = normalizeCountryCode(stated)
  if (isCountryCode(country)) return country
  return fields.note('invalid_field', `"country" is ${shown(stated)}; two letters are needed`)
}

/** Which season or episode a change is of; undefined where that cannot be read. */
function readPart(
  fields: Fields,
  itemType: ItemType,
  showType: ShowType,
): { readonly season?: number; readonly episode?: number } | undefined {
  if (itemType === 'show') return {}
  if (showType === 'movie') return fields.note('invalid_field', `"itemType" is "${itemType}", which no movie has`)
  const season = requiredNumber(fields, 'season', MOST_PARTS)
  const episode = itemType === 'episode' ? requiredNumber(fields, 'episode', MOST_PARTS) : undefined
  if (season === undefined || (itemType === 'episode' && episode === undefined)) return undefined
  return { season, ...(episode !== undefined && { episode }) }
}

/** A whole number from 1 up that the change cannot do without. */
function requiredNumber(fields: Fields, name: string, most: number): number | undefined {
  const value = fields.value[name]
  if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most) return value as number
  const code = fields.has(name) ? 'invalid_field' : 'missing_field'
  return fields.note(code, `"${name}" is ${shown(value)}; a whole number from 1 to ${most} is needed`)
}
