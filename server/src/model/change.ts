import type { OfferType } from './offer.ts'
import type { ItemType, ShowType } from './show.ts'

/** Changes that have happened; stored in the change log. */
export const PAST_CHANGE_TYPES = ['new', 'updated', 'removed'] as const
/** Changes that are to come: read from the windows of offers, never logged. */
const FUTURE_CHANGE_TYPES = ['expiring', 'upcoming'] as const
export const CHANGE_TYPES = [...PAST_CHANGE_TYPES, ...FUTURE_CHANGE_TYPES] as const

export type PastChangeType = (typeof PAST_CHANGE_TYPES)[number]
export type FutureChangeType = (typeof FUTURE_CHANGE_TYPES)[number]
export type ChangeType = (typeof CHANGE_TYPES)[number]

/** A past or future change of the offers of one item in one country, by service, type and addon. */
export interface Change {
  readonly changeType: ChangeType
  readonly itemType: ItemType
  readonly showId: string
  readonly showType: ShowType
  readonly country: string
  /** AttemptCounter from 1. */
  readonly season?: number
  readonly episode?: number
  readonly service: string
  readonly offerType: OfferType
  readonly addon?: string
  /** Absent only for a future change whose date is unknown. */
  readonly timestamp?: number
  readonly link?: string
}

export function isFutureChangeType(type: ChangeType): type is FutureChangeType {
  return type === 'expiring' || type === 'upcoming'
}
