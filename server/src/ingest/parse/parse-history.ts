import { isCountryCode } from '../../model/country.ts'
import {
  type HistorySnapshot,
  OPEN,
  type PlaceHistory,
  parsePrices,
  placeKey,
  type SeenRun,
  type Segment,
  type ShowHistory,
} from '../../model/history.ts'
import { MAX_TIMESTAMP, OFFER_TYPES, type OfferType } from '../../model/offer.ts'
import { isServiceId } from '../../model/service.ts'
import { isSourceName } from '../../model/source-ranks.ts'
import { type Fields, formatValue, isObject, type JsonObject } from './fields.ts'

/** The past of a show, in an export. Places that are invalid are left out, with a notice. */
export function parseHistory(fields: Fields): ShowHistory | undefined {
  const places = fields.list('history')?.flatMap((value) => {
    const place = isObject(value) ? parsePlace(value) : undefined
    if (place !== undefined) return [place]
    fields.addNotice('ignored_field', `"history" holds ${formatValue(value)}`)
    return []
  })
  if (places === undefined || places.length === 0) return undefined
  const byKey = new Map(places.map((place) => [placeKey(place), place]))
  return [...byKey.keys()].sort().map((key) => byKey.get(key) as PlaceHistory)
}

function parsePlace(value: JsonObject): PlaceHistory | undefined {
  const { country, season, episode, service, type, addon, segments, seen } = value
  const isValid =
    typeof country === 'string' &&
    isCountryCode(country) &&
    typeof service === 'string' &&
    isServiceId(service) &&
    OFFER_TYPES.includes(type as OfferType) &&
    (addon === undefined || typeof addon === 'string') &&
    (season === undefined ? episode === undefined : isCount(season) && (episode === undefined || isCount(episode))) &&
    isSegments(segments) &&
    (seen === undefined || (Array.isArray(seen) && seen.every(isSeenRun)))
  if (!isValid) return undefined
  return {
    country,
    ...(season !== undefined && { season: season as number }),
    ...(episode !== undefined && { episode: episode as number }),
    service,
    type: type as OfferType,
    ...(addon !== undefined && { addon }),
    segments,
    ...(seen !== undefined && { seen: seen as SeenRun[] }),
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < 1_000_000
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TIMESTAMP
}

function isPrices(value: unknown): boolean {
  return typeof value === 'string' && parsePrices(value) !== undefined
}

/** Segments are in order, and only the last one may be open. */
function isSegments(value: unknown): value is Segment[] {
  if (!Array.isArray(value)) return false
  let end = 0
  return value.every((segment, i) => {
    if (!Array.isArray(segment) || segment.length !== 3) return false
    const [from, to, prices] = segment
    const isOpen = to === OPEN && i === value.length - 1
    const isValid = isTime(from) && from >= end && isPrices(prices) && (isOpen || (isTime(to) && to > from))
    end = isValid ? (to as number) : 0
    return isValid
  })
}

function isSeenRun(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [source, first, last, prices] = value
  return (
    typeof source === 'string' &&
    isSourceName(source) &&
    isTime(first) &&
    isTime(last) &&
    first <= last &&
    isPrices(prices)
  )
}

/** What a source's history was filled from, and since when its feeds are recorded. */
export interface SourceHistory {
  readonly source: string
  readonly recordedSince?: number
  readonly snapshots: readonly HistorySnapshot[]
}

/** The old snapshots that the history of an export was filled from, by source. */
export function parseSourceHistories(fields: Fields): SourceHistory[] | undefined {
  const bySource = fields.object('histories')
  return (
    bySource &&
    Object.entries(bySource).flatMap(([source, value]) => {
      const { recordedSince, snapshots } = isObject(value) ? value : {}
      if (isSourceName(source) && Array.isArray(snapshots) && snapshots.every(isSnapshot)) {
        return [{ source, ...(isTime(recordedSince) && { recordedSince }), snapshots }]
      }
      fields.addNotice('ignored_field', `"histories" holds ${formatValue({ [source]: value })}`)
      return []
    })
  )
}

function isSnapshot(value: unknown): value is HistorySnapshot {
  const isList = (list: unknown) =>
    list === undefined || (Array.isArray(list) && list.every((id) => typeof id === 'string'))
  return isObject(value) && isTime(value.at) && isList(value.countries) && isList(value.services)
}
