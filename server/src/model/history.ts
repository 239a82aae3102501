import { isLive, type Offer, type OfferType, offerGroupKey, type Price, QUALITIES, type Quality } from './offer.ts'

/** What history is kept of: an item of a show in a country, by service, type and addon. */
export interface Place {
  readonly country: string
  /** Both absent for the show itself; counted from 1. */
  readonly season?: number
  readonly episode?: number
  readonly service: string
  readonly type: OfferType
  readonly addon?: string
}

/** The `to` of a segment that has not ended. */
export const OPEN = 0

/** An interval in which a place was live at the same prices: from its start up to its end, which is excluded. */
export type Segment = readonly [from: number, to: number, prices: string]

/**
 * Consecutive old snapshots of a source that all had a place at the same prices: the times of the first and of the last.
 * Up to when the place was live follows from the next snapshot of the source, which lacks it.
 */
export type SeenRun = readonly [source: string, first: number, last: number, prices: string]

/** The past of a place. A place that has been live without any change since it was first seen has none. */
export interface PlaceHistory extends Place {
  /** In order, without overlaps. The last one is open while the place is live. */
  readonly segments: readonly Segment[]
  /** From imports of old snapshots; by source, then by time. */
  readonly seen?: readonly SeenRun[]
}

/** The past of a show, sorted by place. */
export type ShowHistory = readonly PlaceHistory[]

/** An old snapshot that history was filled from: its time, and what it speaks of. */
export interface HistorySnapshot {
  readonly at: number
  readonly countries?: readonly string[]
  readonly services?: readonly string[]
}

/** The place of an offer of an item. */
export function toPlace(
  { season, episode }: { readonly season?: number; readonly episode?: number },
  country: string,
  { service, type, addon }: Offer,
): Place {
  return {
    country,
    ...(season !== undefined && { season }),
    ...(episode !== undefined && { episode }),
    service,
    type,
    ...(addon !== undefined && { addon }),
  }
}

/** Whether a snapshot speaks of a place. */
export function isCovered(
  { countries, services }: HistorySnapshot,
  { country, service }: Pick<Place, 'country' | 'service'>,
): boolean {
  return countries?.includes(country) !== false && services?.includes(service) !== false
}

/** The sort key of a place, which identifies it within a show. Items of one service lie side by side. */
export function placeKey({ country, season = 0, episode = 0, ...offer }: Place): string {
  return `${country} ${offerGroupKey(offer)} ${pad(season)}${pad(episode)}`
}

function pad(number: number): string {
  return String(number).padStart(6, '0')
}

/** The live offers of one place: since when there is one, and their prices as text. */
export interface PlaceState {
  readonly since: number
  readonly prices: string
}

/** The states of all live places among the offers of an item in a country, by group of offers. */
export function livePlaces(offers: readonly Offer[]): Map<string, PlaceState & { readonly offer: Offer }> {
  const groups = new Map<string, Offer[]>()
  for (const offer of offers) {
    if (!isLive(offer)) continue
    const key = offerGroupKey(offer)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [offer])
    else group.push(offer)
  }
  const states = new Map<string, PlaceState & { readonly offer: Offer }>()
  for (const [key, group] of groups) {
    const since = Math.min(...group.map(({ availableSince }) => availableSince))
    states.set(key, { since, prices: formatPrices(group), offer: group[0] as Offer })
  }
  return states
}

/** The distinct prices of offers as one text, which is the same for the same prices; empty if they have none. */
function formatPrices(offers: readonly Offer[]): string {
  const texts = offers.flatMap(({ quality = '', price }) =>
    price === undefined ? [] : [`${quality} ${price.amount} ${price.currency}`],
  )
  return texts.length < 2 ? texts.join() : [...new Set(texts)].sort().join('|')
}

/** A price in history, with the quality that it is for. */
export interface QualityPrice {
  readonly quality?: Quality
  readonly price: Price
}

/** The prices in a text of `formatPrices`; undefined if it is none. */
export function parsePrices(text: string): QualityPrice[] | undefined {
  if (text === '') return []
  const prices: QualityPrice[] = []
  for (const part of text.split('|')) {
    const [, quality, amount, currency] = /^([a-z]*) (\d{1,12}(?:\.\d{1,4})?) ([A-Z]{3})$/.exec(part) ?? []
    if (amount === undefined || currency === undefined) return undefined
    if (quality !== '' && !QUALITIES.includes(quality as Quality)) return undefined
    prices.push({ ...(quality !== '' && { quality: quality as Quality }), price: { amount, currency } })
  }
  return prices
}

/** The prices of two texts in one. */
export function joinPrices(a: string, b: string): string {
  if (a === b || b === '') return a
  return a === '' ? b : [...new Set([...a.split('|'), ...b.split('|')])].sort().join('|')
}

/**
 * Combines two lists of segments, instant by instant: `combine` gets the prices of either, undefined where it has no
 * segment, and returns those of the result.
 */
export function combineSegments(
  a: readonly Segment[],
  b: readonly Segment[],
  combine: (a: string | undefined, b: string | undefined) => string | undefined,
): Segment[] {
  const bounds = new Set<number>()
  for (const [from, to] of [...a, ...b]) bounds.add(from).add(to === OPEN ? Number.POSITIVE_INFINITY : to)
  const sorted = [...bounds].sort((x, y) => x - y)
  const combined: Segment[] = []
  for (let i = 0; i + 1 < sorted.length; i++) {
    const [from, to] = [sorted[i] as number, sorted[i + 1] as number]
    const prices = combine(pricesAt(a, from), pricesAt(b, from))
    if (prices !== undefined) appendSegment(combined, [from, to === Number.POSITIVE_INFINITY ? OPEN : to, prices])
  }
  return combined
}

function pricesAt(segments: readonly Segment[], instant: number): string | undefined {
  return segments.find(([from, to]) => from <= instant && (to === OPEN || instant < to))?.[2]
}

/** Appends a segment. One that continues the last at the same prices makes it longer; an empty one is left out. */
export function appendSegment(segments: Segment[], segment: Segment): void {
  const [from, to, prices] = segment
  if (to !== OPEN && to <= from) return
  const last = segments.at(-1)
  if (last !== undefined && last[1] === from && last[2] === prices)
    segments[segments.length - 1] = [last[0], to, prices]
  else segments.push(segment)
}

/** Groups segments that follow each other without a break. */
export function groupSegments(segments: readonly Segment[]): Segment[][] {
  const runs: Segment[][] = []
  for (const segment of segments) {
    const run = runs.at(-1)
    if (run?.at(-1)?.[1] === segment[0]) run.push(segment)
    else runs.push([segment])
  }
  return runs
}

/** The order of runs: by source, then by time. */
export function compareRuns(a: SeenRun, b: SeenRun): number {
  return a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? -1 : 1
}
