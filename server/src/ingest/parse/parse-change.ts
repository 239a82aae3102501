import { PAST_CHANGE_TYPES } from '../../model/change.ts'
import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { MAX_TIMESTAMP, OFFER_TYPES } from '../../model/offer.ts'
import { isAddonId } from '../../model/service.ts'
import { ITEM_TYPES, type ItemType, isShowId, SHOW_TYPES, type ShowType } from '../../model/show.ts'
import type { ChangeRecord } from './feed-record.ts'
import { type Fields, formatValue } from './fields.ts'
import type { ReferenceBuilder } from './reference-builder.ts'

/** The highest season or episode number of a change. */
const MAX_PART_NUMBER = 65_535

/** Parses a past change of an export; undefined, with a notice, if it is invalid. */
export function parseChange(fields: Fields, reference: ReferenceBuilder): ChangeRecord | undefined {
  const changeType = fields.requiredEnum('changeType', PAST_CHANGE_TYPES)
  const itemType = fields.requiredEnum('itemType', ITEM_TYPES)
  const showType = fields.requiredEnum('showType', SHOW_TYPES)
  const offerType = fields.requiredEnum('streamingOptionType', OFFER_TYPES)
  const showId = parseShowId(fields)
  const country = parseCountry(fields)
  const service = fields.requiredText('service')
  const timestamp = requiredInteger(fields, 'timestamp', MAX_TIMESTAMP)
  if (changeType === undefined || itemType === undefined || showType === undefined || offerType === undefined) return
  if (showId === undefined || country === undefined || service === undefined || timestamp === undefined) return
  if (!reference.ensureService(service, country)) {
    return fields.addNotice('unknown_service', `The service ${formatValue(service)} is not known in ${country}`)
  }
  const part = parsePart(fields, itemType, showType)
  if (part === undefined) return
  const addon = fields.text('addon')
  // The addon may no longer exist, so only its form is checked.
  if (offerType === 'addon' ? addon === undefined : addon !== undefined) {
    return fields.addNotice('invalid_field', `"addon" is ${formatValue(addon)} in a change of type ${offerType}`)
  }
  if (addon !== undefined && !isAddonId(addon)) {
    return fields.addNotice(
      'invalid_field',
      `"addon" is ${formatValue(addon)}; letters, digits, "-", "_" and, inside, dots are needed`,
    )
  }
  const link = fields.link('link')
  return {
    kind: 'change',
    line: fields.location.line,
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

function parseShowId(fields: Fields): string | undefined {
  const id = fields.requiredText('showId')
  if (id === undefined || isShowId(id)) return id
  return fields.addNotice(
    'invalid_field',
    `"showId" is ${formatValue(id)}; a decimal number of up to 15 digits is needed`,
  )
}

function parseCountry(fields: Fields): string | undefined {
  const code = fields.requiredText('country')
  if (code === undefined) return undefined
  const country = normalizeCountryCode(code)
  if (isCountryCode(country)) return country
  return fields.addNotice('invalid_field', `"country" is ${formatValue(code)}; two letters are needed`)
}

/** The season or episode of a change; undefined, with a notice, if it is invalid. */
function parsePart(
  fields: Fields,
  itemType: ItemType,
  showType: ShowType,
): { readonly season?: number; readonly episode?: number } | undefined {
  if (itemType === 'show') return {}
  if (showType === 'movie') return fields.addNotice('invalid_field', `"itemType" is "${itemType}", which no movie has`)
  const season = requiredInteger(fields, 'season', MAX_PART_NUMBER)
  const episode = itemType === 'episode' ? requiredInteger(fields, 'episode', MAX_PART_NUMBER) : undefined
  if (season === undefined || (itemType === 'episode' && episode === undefined)) return undefined
  return { season, ...(episode !== undefined && { episode }) }
}

/** A whole number from 1 up, without which the change is invalid. */
function requiredInteger(fields: Fields, name: string, max: number): number | undefined {
  const value = fields.value[name]
  if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max) return value as number
  const code = fields.has(name) ? 'invalid_field' : 'missing_field'
  return fields.addNotice(code, `"${name}" is ${formatValue(value)}; a whole number from 1 to ${max} is needed`)
}
