import type { Catalog } from '../catalog/catalog.ts'
import {
  groupSegments,
  livePlaces,
  OPEN,
  type Place,
  type PlaceHistory,
  type PlaceState,
  parsePrices,
  placeKey,
  type QualityPrice,
  type Segment,
  type ShowHistory,
  toPlace,
} from '../model/history.ts'
import { isKept, resolveSegments, SnapshotTimes } from '../model/place-segments.ts'
import type { Granularity } from '../model/show.ts'

/** A price, and when it held. */
export interface PriceSpan extends QualityPrice {
  readonly from: number
  /** Absent while it holds. */
  readonly to?: number
}

/** A time in which a place was live without a break. */
export interface Span {
  readonly from: number
  /** Absent while it is live. */
  readonly to?: number
  /** By the start; empty for a place without prices. */
  readonly prices: readonly PriceSpan[]
}

/** A place of a show, and when it was live. */
export interface PlaceSpans {
  readonly place: Place
  readonly spans: readonly Span[]
}

export interface HistoryOptions {
  readonly country: string
  /** Whether seasons and episodes count, too. */
  readonly granularity: Granularity
  /** Spans that ended before this instant are left out, stored or not. */
  readonly keptSince: number
}

/**
 * The spans in which each place of a show was live in a country, by season, episode, service, type and addon. They come
 * from three sources: segments that were recorded as they ended, the live offers for what has not changed since it was
 * first seen, and runs of old snapshots that were imported later. Each item is read when it is asked for, since a series may
 * have thousands; all of it has to be read in one turn of the event loop, or from a snapshot.
 */
export function* readShowHistory(
  catalog: Pick<Catalog, 'documents' | 'source'>,
  doc: number,
  { country, granularity, keptSince }: HistoryOptions,
): Generator<PlaceSpans> {
  const times = new SnapshotTimes((source) => catalog.source(source))
  const past = groupByItem(catalog.documents.history(doc) ?? [], country, granularity)
  const pastItems = [...past.keys()].sort((a, b) => a - b)
  let nextPast = 0
  for (const [item, offers] of catalog.documents.offersByItem(doc, country, granularity)) {
    const number = itemNumber(item)
    // Items that the show no longer has.
    for (; (pastItems[nextPast] as number) < number; nextPast++) {
      yield* toPlaceSpans(past.get(pastItems[nextPast] as number) ?? [], new Map(), times, keptSince)
    }
    if (pastItems[nextPast] === number) nextPast++
    const live = new Map(
      [...livePlaces(offers).values()].map((state) => {
        const place = toPlace(item, country, state.offer)
        return [placeKey(place), { place, state }]
      }),
    )
    yield* toPlaceSpans(past.get(number) ?? [], live, times, keptSince)
  }
  for (; nextPast < pastItems.length; nextPast++) {
    yield* toPlaceSpans(past.get(pastItems[nextPast] as number) ?? [], new Map(), times, keptSince)
  }
}

/** The past places of a country by item. */
function groupByItem(history: ShowHistory, country: string, granularity: Granularity): Map<number, PlaceHistory[]> {
  const items = new Map<number, PlaceHistory[]>()
  for (const place of history) {
    if (place.country !== country || !isWithin(place, granularity)) continue
    const number = itemNumber(place)
    const item = items.get(number)
    if (item === undefined) items.set(number, [place])
    else item.push(place)
  }
  return items
}

/** A number by which items are in their order: the show, then each season before its episodes. */
function itemNumber({ season = 0, episode = 0 }: Pick<Place, 'season' | 'episode'>): number {
  return season * 2 ** 26 + episode
}

/** The places of one item, past and live ones. */
function toPlaceSpans(
  past: readonly PlaceHistory[],
  live: ReadonlyMap<string, { readonly place: Place; readonly state: PlaceState }>,
  times: SnapshotTimes,
  keptSince: number,
): PlaceSpans[] {
  const places = new Map<string, { place: Place; known?: PlaceHistory; state?: PlaceState }>()
  for (const known of past) {
    const { segments: _, seen: _seen, ...place } = known
    places.set(placeKey(known), { place, known })
  }
  for (const [key, { place, state }] of live) places.set(key, { ...(places.get(key) ?? { place }), state })
  return [...places.values()]
    .map(({ place, known, state }) => {
      const runs = groupSegments(resolveSegments(place, known, state, times))
      return { place, spans: runs.filter((run) => isKept(run, keptSince)).map(toSpan) }
    })
    .filter(({ spans }) => spans.length > 0)
    .sort((a, b) => comparePlaces(a.place, b.place))
}

/** The countries in which a show is live, or was. */
export function historyCountries(catalog: Pick<Catalog, 'documents'>, doc: number): string[] {
  const past = (catalog.documents.history(doc) ?? []).map(({ country }) => country)
  const live = (['offers', 'seasonOffers'] as const).flatMap((table) =>
    catalog.documents.offersByCountry(table, doc).map(([country]) => country),
  )
  return [...new Set([...past, ...live])].sort()
}

function isWithin({ season, episode }: Place, granularity: Granularity): boolean {
  return granularity === 'episode' || (granularity === 'season' ? episode : season) === undefined
}

/** Joins segments without a break between them to a span, and separates their prices. */
function toSpan(run: readonly Segment[]): Span {
  const [from] = run[0] as Segment
  const [, to] = run.at(-1) as Segment
  return { from, ...toEnd(to), prices: toPriceSpans(run) }
}

function toPriceSpans(segments: readonly Segment[]): PriceSpan[] {
  const open = new Map<string, { from: number; to: number; price: QualityPrice }>()
  const all: { from: number; to: number; price: QualityPrice }[] = []
  for (const [from, to, prices] of segments) {
    for (const price of parsePrices(prices) ?? []) {
      const key = JSON.stringify(price)
      const known = open.get(key)
      if (known?.to === from) known.to = to
      else {
        const span = { from, to, price }
        open.set(key, span)
        all.push(span)
      }
    }
  }
  return all.map(({ from, to, price }) => ({ from, ...toEnd(to), ...price }))
}

function toEnd(to: number): { to?: number } {
  return to === OPEN ? {} : { to }
}

/** Orders the places of one item. */
function comparePlaces(a: Place, b: Place): number {
  return (
    compareTexts(a.service, b.service) || compareTexts(a.type, b.type) || compareTexts(a.addon ?? '', b.addon ?? '')
  )
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
