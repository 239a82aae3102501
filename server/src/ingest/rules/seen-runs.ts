import {
  compareRuns,
  type HistorySnapshot,
  isCovered,
  type Place,
  type PlaceHistory,
  placeKey,
  type SeenRun,
  type ShowHistory,
} from '../../model/history.ts'

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
