import {
  appendSegment,
  combineSegments,
  groupSegments,
  type HistorySnapshot,
  isCovered,
  OPEN,
  type Place,
  type PlaceHistory,
  type PlaceState,
  placeKey,
  type SeenRun,
  type Segment,
  type ShowHistory,
} from './history.ts'
import { SECONDS_PER_DAY } from './time.ts'

/** What is known of a source's imports. */
interface SourceImports {
  /** The time of its first import. */
  readonly recordedSince?: number
  /** Its old snapshots, by time. */
  readonly snapshots?: readonly HistorySnapshot[]
}

/** When sources were looked at, each source read once. */
export class SnapshotTimes {
  private readonly read: (source: string) => SourceImports | undefined
  private readonly sources = new Map<string, SourceImports | undefined>()

  constructor(read: (source: string) => SourceImports | undefined) {
    this.read = read
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

  private find(source: string): SourceImports | undefined {
    if (!this.sources.has(source)) this.sources.set(source, this.read(source))
    return this.sources.get(source)
  }
}

/**
 * The segments of a place from all that is known of it: its stored past, its live offers for what has not changed since it
 * was first seen, and the runs of old snapshots.
 */
export function resolveSegments(
  place: Place,
  known: PlaceHistory | undefined,
  state: PlaceState | undefined,
  times: SnapshotTimes,
): readonly Segment[] {
  return addSeenRuns(recordedSegments(known?.segments ?? [], state), place, known?.seen ?? [], times)
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
  times: SnapshotTimes,
): readonly Segment[] {
  let segments = recorded
  for (const [source, first, last, prices] of seen) {
    const recordedSince = times.recordedSince(source)
    const end = times.nextAfter(source, last, place)
    const before: Segment[] = []
    const after: Segment[] = []
    appendSegment(before, [first, Math.min(end, recordedSince), prices])
    appendSegment(after, [Math.max(first, recordedSince), end, prices])
    segments = combineSegments(segments, before, (stated, snapshot) => snapshot ?? stated)
    segments = combineSegments(segments, after, (own, snapshot) => own ?? snapshot)
  }
  return segments
}

/** Whether segments without a break between them go on, or ended at an instant or later. */
export function isKept(run: readonly Segment[], since: number): boolean {
  const to = run.at(-1)?.[1] ?? OPEN
  return to === OPEN || to >= since
}

/**
 * Whether a stored segment or a run of old snapshots ended before an instant. The span that it belongs to may go on:
 * `trimHistory` knows, which needs the live offers.
 */
export function endsBefore(history: ShowHistory, instant: number, times: SnapshotTimes): boolean {
  return history.some(
    (place) =>
      place.segments.some(([, to]) => to !== OPEN && to < instant) ||
      place.seen?.some(([source, , last]) => times.nextAfter(source, last, place) < instant) === true,
  )
}

/**
 * A history without the spans that ended before an instant; undefined if nothing is left, the same object if nothing goes.
 * A span that goes on keeps all that it was put together from, its former prices and the runs of old snapshots included.
 * @param states those of the live places of the show, by key
 */
export function trimHistory(
  history: ShowHistory,
  before: number,
  states: ReadonlyMap<string, PlaceState>,
  times: SnapshotTimes,
): ShowHistory | undefined {
  let isTrimmed = false
  const kept = history.flatMap((known): PlaceHistory[] => {
    const spans = groupSegments(resolveSegments(known, known, states.get(placeKey(known)), times))
    const ended = spans.filter((span) => !isKept(span, before))
    if (ended.length === 0) return [known]
    const hasEnded = (instant: number) =>
      ended.some((span) => (span[0] as Segment)[0] <= instant && instant < (span.at(-1) as Segment)[1])
    const { seen = [], ...rest } = known
    const segments = known.segments.filter(([from, to]) => to === OPEN || !hasEnded(from))
    const runs = seen.filter(([, first]) => !hasEnded(first))
    if (segments.length === known.segments.length && runs.length === seen.length) return [known]
    isTrimmed = true
    if (segments.length + runs.length === 0) return []
    return [{ ...rest, segments, ...(runs.length > 0 && { seen: runs }) }]
  })
  if (!isTrimmed) return history
  return kept.length === 0 ? undefined : kept
}
