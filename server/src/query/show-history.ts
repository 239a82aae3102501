import type { Catalog } from '../catalog/catalog.ts'
import type { SourceRecord } from '../catalog/storage/meta.ts'
import {
  appendSegment,
  combineSegments,
  groupSegments,
  isCovered,
  livePlaces,
  OPEN,
  type Place,
  type PlaceHistory,
  type PlaceState,
  parsePrices,
  placeKey,
  type QualityPrice,
  type SeenRun,
  type Segment,
  type ShowHistory,
  toPlace,
  trimHistory,
} from '../model/history.ts'
import type { Granularity } from '../model/show.ts'
import { SECONDS_PER_DAY } from '../model/time.ts'

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
  /** What ended before this instant is left out, stored or not. */
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
  const sources = new SnapshotTimes(catalog)
  const past = groupByItem(trimHistory(catalog.documents.history(doc) ?? [], keptSince) ?? [], country, granularity)
  const pastItems = [...past.keys()].sort((a, b) => a - b)
  let nextPast = 0
  for (const [item, offers] of catalog.documents.offersByItem(doc, country, granularity)) {
    const number = itemNumber(item)
    // Items that the show no longer has.
    for (; (pastItems[nextPast] as number) < number; nextPast++) {
      yield* toPlaceSpans(past.get(pastItems[nextPast] as number) ?? [], new Map(), sources)
    }
    if (pastItems[nextPast] === number) nextPast++
    const live = new Map(
      [...livePlaces(offers).values()].map((state) => {
        const place = toPlace(item, country, state.offer)
        return [placeKey(place), { place, state }]
      }),
    )
    yield* toPlaceSpans(past.get(number) ?? [], live, sources)
  }
  for (; nextPast < pastItems.length; nextPast++) {
    yield* toPlaceSpans(past.get(pastItems[nextPast] as number) ?? [], new Map(), sources)
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
  sources: SnapshotTimes,
): PlaceSpans[] {
  const places = new Map<string, { place: Place; known?: PlaceHistory; state?: PlaceState }>()
  for (const known of past) places.set(placeKey(known), { place: known, known })
  for (const [key, { place, state }] of live) places.set(key, { ...(places.get(key) ?? { place }), state })
  return [...places.values()]
    .map(({ place, known, state }) => {
      const recorded = recordedSegments(known?.segments ?? [], state)
      const segments = addSeenRuns(recorded, place, known?.seen ?? [], sources)
      return { place, spans: toSpans(segments) }
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

/** The recorded segments with the one that the live offers stand for, if none is stored. */
function recordedSegments(known: readonly Segment[], state: PlaceState | undefined): Segment[] {
  const closed = known.filter(([, to]) => to !== OPEN)
  // Without a live offer, an older program has ended the place without recording it.
  if (state === undefined) return closed
  const open = known.find(([, to]) => to === OPEN)
  appendSegment(closed, open ?? [Math.max(state.since, closed.at(-1)?.[1] ?? 0), OPEN, state.prices])
  return closed
}

/**
 * Adds what old snapshots have shown. Before a source's first import they say more than its offers, which may state any
 * past date; afterwards, what was recorded goes first.
 */
function addSeenRuns(
  recorded: readonly Segment[],
  place: Place,
  seen: readonly SeenRun[],
  sources: SnapshotTimes,
): readonly Segment[] {
  let segments = recorded
  for (const [source, first, last, prices] of seen) {
    const recordedSince = sources.recordedSince(source)
    const end = sources.nextAfter(source, last, place)
    const before: Segment[] = []
    const after: Segment[] = []
    appendSegment(before, [first, Math.min(end, recordedSince), prices])
    appendSegment(after, [Math.max(first, recordedSince), end, prices])
    segments = combineSegments(segments, before, (stated, snapshot) => snapshot ?? stated)
    segments = combineSegments(segments, after, (own, snapshot) => own ?? snapshot)
  }
  return segments
}

/** When old snapshots of sources were taken, each source read once. */
class SnapshotTimes {
  private readonly catalog: Pick<Catalog, 'source'>
  private readonly records = new Map<string, SourceRecord | undefined>()

  constructor(catalog: Pick<Catalog, 'source'>) {
    this.catalog = catalog
  }

  recordedSince(source: string): number {
    return this.find(source)?.recordedSince ?? Number.POSITIVE_INFINITY
  }

  /**
   * The first time after another at which the source was looked at for a place: that of a snapshot, or of its first
   * import. Where there is none, the place counts as live for the day on which it was last seen.
   */
  nextAfter(source: string, instant: number, place: Place): number {
    const times = (this.find(source)?.snapshots ?? []).filter((one) => isCovered(one, place)).map(({ at }) => at)
    const next = Math.min(...[...times, this.recordedSince(source)].filter((at) => at > instant))
    return next === Number.POSITIVE_INFINITY ? instant + SECONDS_PER_DAY : next
  }

  private find(source: string): SourceRecord | undefined {
    if (!this.records.has(source)) this.records.set(source, this.catalog.source(source))
    return this.records.get(source)
  }
}

/** Joins segments without a break between them to spans, and separates their prices. */
function toSpans(segments: readonly Segment[]): Span[] {
  return groupSegments(segments).map((run) => {
    const [from] = run[0] as Segment
    const [, to] = run.at(-1) as Segment
    return { from, ...toEnd(to), prices: toPriceSpans(run) }
  })
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
