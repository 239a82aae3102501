import { OPEN, type PlaceHistory, type SeenRun, type Segment, type ShowHistory } from '../../model/history.ts'
import { OFFER_TYPES, type OfferType } from '../../model/offer.ts'
import type { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'

/*
 * The history of a show. Places are sorted, so those of one country, service, type and addon come one after the other and
 * name these once; the episodes of a season mostly have the same segments as the one before, which takes one bit. Times
 * are differences, and texts are numbers of the dictionary.
 */

/** Flags of a place. */
const SAME_GROUP = 1
const SAME_SEGMENTS = 2
const HAS_SEEN = 4

/** Encodes the history of a show. Only within a write transaction, since texts are interned. */
export function encodeHistory(out: ByteWriter, history: ShowHistory, dictionary: Dictionary): void {
  out.varint(history.length)
  let last: PlaceHistory | undefined
  for (const place of history) {
    const { season = 0, episode = 0, segments, seen } = place
    const isSameGroup = last !== undefined && isInGroup(place, last)
    const isSameSegments = last !== undefined && isSameSegmentList(segments, last.segments)
    out.byte((isSameGroup ? SAME_GROUP : 0) | (isSameSegments ? SAME_SEGMENTS : 0) | (seen ? HAS_SEEN : 0))
    if (!isSameGroup) {
      out.varint(dictionary.intern(place.country))
      out.varint(dictionary.intern(place.service))
      out.byte(OFFER_TYPES.indexOf(place.type))
      out.varint(place.addon === undefined ? 0 : dictionary.intern(place.addon) + 1)
    }
    out.varint(season)
    if (season > 0) out.varint(episode)
    if (!isSameSegments) encodeSegments(out, segments, last?.segments[0]?.[0] ?? 0, dictionary)
    if (seen !== undefined) encodeSeen(out, seen, dictionary)
    last = place
  }
}

/** Decodes the history of a show. Throws what the reader or the dictionary throws on damaged bytes. */
export function decodeHistory(input: ByteReader, dictionary: Dictionary): ShowHistory {
  const history: PlaceHistory[] = []
  let group: Pick<PlaceHistory, 'country' | 'service' | 'type' | 'addon'> | undefined
  for (let left = input.varint(); left > 0; left--) {
    const flags = input.byte()
    if ((flags & SAME_GROUP) === 0) {
      const [country, service] = [dictionary.text(input.varint()), dictionary.text(input.varint())]
      const type = OFFER_TYPES[input.byte()] as OfferType
      const addon = input.varint()
      group = { country, service, type, ...(addon > 0 && { addon: dictionary.text(addon - 1) }) }
    }
    const { country, ...offer } = group as NonNullable<typeof group>
    const season = input.varint()
    const episode = season > 0 ? input.varint() : 0
    const before = history.at(-1)?.segments ?? NO_SEGMENTS
    const isSame = (flags & SAME_SEGMENTS) !== 0
    history.push({
      country,
      ...(season > 0 && { season }),
      ...(episode > 0 && { episode }),
      ...offer,
      segments: isSame ? before : decodeSegments(input, before[0]?.[0] ?? 0, dictionary),
      ...((flags & HAS_SEEN) !== 0 && { seen: decodeSeen(input, dictionary) }),
    })
  }
  return history
}

const NO_SEGMENTS: readonly Segment[] = []

function encodeSegments(out: ByteWriter, segments: readonly Segment[], base: number, dictionary: Dictionary): void {
  out.varint(segments.length)
  let last = base
  segments.forEach(([from, to, prices], i) => {
    out.varint(i === 0 ? zigzag(from - base) : from - last)
    // An interval has at least one second, so that 0 is free for one without an end.
    out.varint(to === OPEN ? 0 : to - from)
    encodePrices(out, prices, dictionary)
    last = to
  })
}

function decodeSegments(input: ByteReader, base: number, dictionary: Dictionary): Segment[] {
  const segments: Segment[] = []
  let last = base
  for (let left = input.varint(); left > 0; left--) {
    const difference = input.varint()
    const from = last + (segments.length === 0 ? unzigzag(difference) : difference)
    const length = input.varint()
    last = from + length
    segments.push([from, length === 0 ? OPEN : last, decodePrices(input, dictionary)])
  }
  return segments
}

function encodeSeen(out: ByteWriter, seen: readonly SeenRun[], dictionary: Dictionary): void {
  out.varint(seen.length)
  for (const [source, first, last, prices] of seen) {
    out.varint(dictionary.intern(source))
    out.varint(first)
    out.varint(last - first)
    encodePrices(out, prices, dictionary)
  }
}

function decodeSeen(input: ByteReader, dictionary: Dictionary): SeenRun[] {
  return Array.from({ length: input.varint() }, () => {
    const source = dictionary.text(input.varint())
    const first = input.varint()
    return [source, first, first + input.varint(), decodePrices(input, dictionary)]
  })
}

function encodePrices(out: ByteWriter, prices: string, dictionary: Dictionary): void {
  out.varint(prices === '' ? 0 : dictionary.intern(prices) + 1)
}

function decodePrices(input: ByteReader, dictionary: Dictionary): string {
  const number = input.varint()
  return number === 0 ? '' : dictionary.text(number - 1)
}

function isInGroup(place: PlaceHistory, last: PlaceHistory): boolean {
  return (
    place.country === last.country &&
    place.service === last.service &&
    place.type === last.type &&
    place.addon === last.addon
  )
}

function isSameSegmentList(a: readonly Segment[], b: readonly Segment[]): boolean {
  return (
    a.length === b.length &&
    a.every(([from, to, prices], i) => {
      const other = b[i] as Segment
      return from === other[0] && to === other[1] && prices === other[2]
    })
  )
}

/** Maps integers to natural numbers, small ones to small ones. */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
