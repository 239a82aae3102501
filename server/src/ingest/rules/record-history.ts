import {
  appendSegment,
  combineSegments,
  compareRuns,
  type HistorySnapshot,
  isCovered,
  joinPrices,
  livePlaces,
  OPEN,
  type Place,
  type PlaceHistory,
  type PlaceState,
  placeKey,
  type SeenRun,
  type Segment,
  type ShowHistory,
  toPlace,
} from '../../model/history.ts'
import type { Offer, OffersByCountry } from '../../model/offer.ts'
import { type Item, type Show, showItems } from '../../model/show.ts'

/**
 * The second of two states of a show, with the history of what ended or changed its price between them. Only that is
 * stored: the span of a place that has not changed since it was first seen is read from its offers.
 */
export function recordHistory(before: Show | undefined, after: Show, at: number): Show {
  if (before === undefined) return after
  const recorder = new HistoryRecorder(after.history, at)
  for (const [item, old, now] of pairItems(before, after)) {
    for (const country of new Set([...Object.keys(old), ...Object.keys(now)])) {
      recorder.recordItem(item, country, old[country] ?? [], now[country] ?? [])
    }
  }
  return recorder.hasRecorded ? withHistory(after, recorder.history()) : after
}

/** A show with another history, or without one. */
export function withHistory(show: Show, history: ShowHistory | undefined): Show {
  const { history: _, ...rest } = show
  return history === undefined || history.length === 0 ? rest : { ...rest, history }
}

/** The history of two shows that become one: a place was live while it was on either. */
export function joinHistories(show: Show, other: Show): ShowHistory | undefined {
  if (show.history === undefined && other.history === undefined) return undefined
  const joined = new Map((show.history ?? []).map((place) => [placeKey(place), place]))
  const [ownStates, otherStates] = [placeStates(show), placeStates(other)]
  const others = new Map((other.history ?? []).map((place) => [placeKey(place), place]))
  for (const key of new Set([...joined.keys(), ...others.keys()])) {
    const [own, second] = [joined.get(key), others.get(key)]
    const place = (own ?? second) as PlaceHistory
    const segments = combineSegments(
      own?.segments ?? impliedSegments(ownStates.get(key)),
      second?.segments ?? impliedSegments(otherStates.get(key)),
      (a, b) => (a !== undefined && b !== undefined ? joinPrices(a, b) : (a ?? b)),
    )
    const seen = [...new Map([...(own?.seen ?? []), ...(second?.seen ?? [])].map((run) => [run.join(), run])).values()]
    seen.sort(compareRuns)
    joined.set(key, { ...place, segments, ...(seen.length > 0 && { seen }) })
  }
  return sortPlaces(joined)
}

/** The live places of a show, by key. */
export function placeStates(show: Show): Map<string, PlaceState> {
  const states = new Map<string, PlaceState>()
  for (const [item, byCountry] of showItems(show)) {
    for (const country in byCountry) {
      for (const state of livePlaces(byCountry[country] as readonly Offer[]).values()) {
        states.set(placeKey(toPlace(item, country, state.offer)), state)
      }
    }
  }
  return states
}

/** The segments of a place whose history is not stored. */
function impliedSegments(state: PlaceState | undefined): Segment[] {
  return state === undefined ? [] : [[state.since, OPEN, state.prices]]
}

/** Records the transitions of places, all at one instant. */
class HistoryRecorder {
  hasRecorded = false
  private readonly known: ShowHistory | undefined
  private readonly at: number
  /** The known places by key, made when the first one is needed. */
  private places: Map<string, PlaceHistory> | undefined

  constructor(known: ShowHistory | undefined, at: number) {
    this.known = known
    this.at = at
  }

  recordItem(item: Item, country: string, before: readonly Offer[], after: readonly Offer[]): void {
    if (isSamePlaces(before, after)) return
    const [old, now] = [livePlaces(before), livePlaces(after)]
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      const [from, to] = [old.get(key), now.get(key)]
      const { offer } = (to ?? from) as { offer: Offer }
      this.recordPlace(toPlace(item, country, offer), from, to)
    }
  }

  history(): ShowHistory {
    return sortPlaces(this.places ?? new Map())
  }

  private recordPlace(place: Place, before: PlaceState | undefined, after: PlaceState | undefined): void {
    this.places ??= new Map((this.known ?? []).map((one) => [placeKey(one), one]))
    const key = placeKey(place)
    const known = this.places.get(key)
    const segments = transition(known?.segments ?? [], before, after, this.at)
    if (segments === undefined) return
    this.hasRecorded = true
    this.places.set(key, { ...(known ?? place), segments })
  }
}

/** The segments after a place has gone from one state to another; undefined if they stay as they are. */
function transition(
  known: readonly Segment[],
  before: PlaceState | undefined,
  after: PlaceState | undefined,
  at: number,
): Segment[] | undefined {
  const closed = known.filter(([, to]) => to !== OPEN)
  const lastEnd = closed.at(-1)?.[1] ?? 0
  const stored = known.find(([, to]) => to === OPEN)
  const implied: Segment | undefined = before && [Math.max(Math.min(before.since, at), lastEnd), OPEN, before.prices]
  const open = stored ?? implied
  if (open !== undefined && after !== undefined && open[2] === after.prices) {
    // Stored where the offers no longer say since when.
    return stored === undefined && (known.length > 0 || open[0] < after.since) ? [...closed, open] : undefined
  }
  if (open !== undefined) appendSegment(closed, [open[0], at, open[2]])
  else if (closed.length === 0) return undefined
  if (after === undefined) return closed
  // What was seen to be gone is not live again before it is seen, unless a feed says since when in between.
  const from = open === undefined && after.since > lastEnd ? Math.min(after.since, at) : at
  appendSegment(closed, [from, OPEN, after.prices])
  return closed
}

/** Whether two lists of offers are the same places in the same states; told without grouping them. */
function isSamePlaces(before: readonly Offer[], after: readonly Offer[]): boolean {
  return (
    before.length === after.length &&
    before.every((offer, i) => {
      const other = after[i] as Offer
      return (
        offer.service === other.service &&
        offer.type === other.type &&
        offer.addon === other.addon &&
        offer.availableSince === other.availableSince &&
        (offer.startsOn === undefined) === (other.startsOn === undefined) &&
        offer.quality === other.quality &&
        offer.price?.amount === other.price?.amount &&
        offer.price?.currency === other.price?.currency
      )
    })
  )
}

/** The items of two states of a show side by side; an item that one lacks has no offers there. */
function* pairItems(
  before: Show,
  after: Show,
): Iterable<[item: Item, before: OffersByCountry, after: OffersByCountry]> {
  yield [{ itemType: 'show' }, before.offers, after.offers]
  const [old, now] = [before.seasons ?? [], after.seasons ?? []]
  for (let s = 0; s < Math.max(old.length, now.length); s++) {
    const season = s + 1
    yield [{ itemType: 'season', season }, old[s]?.offers ?? {}, now[s]?.offers ?? {}]
    const [oldEpisodes, newEpisodes] = [old[s]?.episodes ?? [], now[s]?.episodes ?? []]
    for (let e = 0; e < Math.max(oldEpisodes.length, newEpisodes.length); e++) {
      const item = { itemType: 'episode', season, episode: e + 1 } as const
      yield [item, oldEpisodes[e]?.offers ?? {}, newEpisodes[e]?.offers ?? {}]
    }
  }
}

function sortPlaces(places: ReadonlyMap<string, PlaceHistory>): ShowHistory {
  return [...places.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, place]) => place)
}

/** The live places of a show in an old snapshot, by key, with their prices. */
export type SeenPlaces = ReadonlyMap<string, { readonly place: Place; readonly prices: string }>

/** An old snapshot of a source, and all that there are of it, that one included. */
export interface SnapshotContext {
  readonly source: string
  readonly snapshot: HistorySnapshot
  readonly all: readonly HistorySnapshot[]
}

/**
 * The history of a show with what an old snapshot says of it. Runs are a normal form of all snapshots of a source: they
 * are the same in whichever order the snapshots come, and a snapshot that comes again changes nothing.
 */
export function observeSnapshot(
  history: ShowHistory | undefined,
  seen: SeenPlaces,
  context: SnapshotContext,
): ShowHistory | undefined {
  const { source, snapshot, all } = context
  const places = new Map((history ?? []).map((place) => [placeKey(place), place]))
  let isAltered = false
  for (const key of new Set([...places.keys(), ...seen.keys()])) {
    const known = places.get(key)
    const place = (known ?? seen.get(key)?.place) as Place
    if (!isCovered(snapshot, place)) continue
    const own = (known?.seen ?? []).filter(([name]) => name === source)
    const times = all.filter((one) => isCovered(one, place)).map(({ at }) => at)
    const runs = observe(own, source, snapshot.at, seen.get(key)?.prices, times)
    if (runs === own) continue
    isAltered = true
    const others = (known?.seen ?? []).filter(([name]) => name !== source)
    const merged = [...others, ...runs].sort(compareRuns)
    const { seen: _, ...rest } = known ?? { ...place, segments: [] }
    if (merged.length > 0) places.set(key, { ...rest, seen: merged })
    else if (rest.segments.length > 0) places.set(key, rest)
    else places.delete(key)
  }
  if (!isAltered) return history
  return [...places.keys()].sort().map((key) => places.get(key) as PlaceHistory)
}

/**
 * The runs of a place with one more observation: its prices in the snapshot of an instant, or undefined if that lacks it.
 * Two runs at the same prices are one if no snapshot lies between them.
 * @param times those of all snapshots that speak of the place
 */
function observe(
  runs: readonly SeenRun[],
  source: string,
  at: number,
  prices: string | undefined,
  times: readonly number[],
): readonly SeenRun[] {
  const around = runs.find(([, first, last]) => first <= at && at <= last)
  if (around === undefined ? prices === undefined : around[3] === prices) return runs
  const previous = Math.max(...times.filter((time) => time < at))
  const next = Math.min(...times.filter((time) => time > at))
  const kept: SeenRun[] = runs.filter((run) => run !== around)
  if (around !== undefined) {
    const [, first, last, others] = around
    // All snapshots within the run have the place, so its parts end at the neighbours.
    if (first < at) kept.push([source, first, previous, others])
    if (at < last) kept.push([source, next, last, others])
  }
  if (prices === undefined) return kept
  const before = kept.find((run) => run[2] === previous && run[3] === prices)
  const after = kept.find((run) => run[1] === next && run[3] === prices)
  const joined: SeenRun = [source, before?.[1] ?? at, after?.[2] ?? at, prices]
  return [...kept.filter((run) => run !== before && run !== after), joined]
}
