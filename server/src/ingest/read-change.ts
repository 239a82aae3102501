import { PAST_CHANGE_TYPES } from '../model/change.ts'
import { isCountryCode } from '../model/country.ts'
import { LATEST_TIMESTAMP, OFFER_TYPES } from '../model/offer.ts'
import { ITEM_TYPES, isShowId, SHOW_TYPES } from '../model/show.ts'
import { type Fields, shown } from './fields.ts'
import type { ChangeStatement } from './statement.ts'

/** Reads a past change as exported feeds state it. */
export function readChange(fields: Fields): ChangeStatement | undefined {
  const changeType = fields.requiredWord('changeType', PAST_CHANGE_TYPES)
  const itemType = fields.requiredWord('itemType', ITEM_TYPES)
  const showType = fields.requiredWord('showType', SHOW_TYPES)
  const offerType = fields.requiredWord('streamingOptionType', OFFER_TYPES)
  const showId = fields.requiredText('showId')
  const country = fields.requiredText('country')
  const service = fields.requiredText('service')
  const timestamp = fields.wholeNumber('timestamp', 1, LATEST_TIMESTAMP)
  if (changeType === undefined || itemType === undefined || showType === undefined || offerType === undefined) return
  if (showId === undefined || country === undefined || service === undefined) return
  if (timestamp === undefined) return fields.note('missing_field', '"timestamp" is missing; Unix seconds are needed')
  if (!isShowId(showId) || !isCountryCode(country)) {
    return fields.note('invalid_field', `The change is of show ${shown(showId)} in ${shown(country)}; ids are needed`)
  }
  const season = itemType === 'show' ? undefined : fields.wholeNumber('season', 1, 65_535)
  const episode = itemType === 'episode' ? fields.wholeNumber('episode', 1, 65_535) : undefined
  const addon = fields.text('addon')
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
      ...(season !== undefined && { season }),
      ...(episode !== undefined && { episode }),
      service,
      offerType,
      ...(addon !== undefined && { addon }),
      timestamp,
      ...(link !== undefined && { link }),
    },
  }
}
