import type { Database } from 'lmdb'
import { CHANGE_TYPES, type Change, type ChangeType } from '../model/change.ts'
import type { OfferType } from '../model/offer.ts'
import { ITEM_TYPES, type ItemType } from '../model/show.ts'

/*
 * Changes are stored under keys that sort as they are told: country, change type and item type; then the time
 * (0 where it is unknown); then show, season, episode, service, option type and addon. Numbers are big-endian.
 */
const PREFIX = 4
const TIME = 6
const SHOW = 7
const TIME_AT = PREFIX
const SHOW_AT = TIME_AT + TIME
const SEASON_AT = SHOW_AT + SHOW
const EPISODE_AT = SEASON_AT + 2
const GROUP_AT = EPISODE_AT + 2

/** A stored change, with the document of its show. */
export interface StoredChange {
  readonly change: Change
  readonly doc: number
}

/** Which changes are walked through. */
export interface ChangeRange {
  readonly country: string
  readonly changeType: ChangeType
  readonly itemType: ItemType
}

/** The key of a change: its range and its place in it. */
export function changeKey(change: Change): Buffer {
  const group = `${change.service}\0${change.offerType}\0${change.addon ?? ''}`
  const key = Buffer.alloc(GROUP_AT + Buffer.byteLength(group))
  writePrefix(key, change)
  key.writeUIntBE(change.timestamp ?? 0, TIME_AT, TIME)
  writeShowId(key, Number(change.showId))
  key.writeUInt16BE(change.season ?? 0, SEASON_AT)
  key.writeUInt16BE(change.episode ?? 0, EPISODE_AT)
  key.write(group, GROUP_AT)
  return key
}

/** The key before all changes of a range from an instant on. */
export function instantKey(range: ChangeRange, instant: number): Buffer {
  const key = Buffer.alloc(SHOW_AT)
  writePrefix(key, range)
  key.writeUIntBE(Math.max(instant, 0), TIME_AT, TIME)
  return key
}

/** The instant of a key; 0 for an unknown one. */
export function keyInstant(key: Buffer): number {
  return key.readUIntBE(TIME_AT, TIME)
}

function writePrefix(key: Buffer, { country, changeType, itemType }: ChangeRange): void {
  key.write(country, 0, 'latin1')
  key[2] = CHANGE_TYPES.indexOf(changeType)
  key[3] = ITEM_TYPES.indexOf(itemType)
}

/** Show ids have up to 15 digits: more than the six bytes that Node writes at once. */
function writeShowId(key: Buffer, id: number): void {
  key[SHOW_AT] = Math.floor(id / 2 ** 48)
  key.writeUIntBE(id % 2 ** 48, SHOW_AT + 1, 6)
}

function encodeValue(doc: number, change: Change): Buffer {
  const link = change.link ?? ''
  const value = Buffer.alloc(5 + Buffer.byteLength(link))
  value.writeUInt32LE(doc, 0)
  value[4] = (change.showType === 'series' ? 1 : 0) | (change.link === undefined ? 0 : 2)
  value.write(link, 5)
  return value
}

export function decodeChange(key: Buffer, value: Buffer): StoredChange {
  const [service, offerType, addon] = key.toString('utf8', GROUP_AT).split('\0') as [string, OfferType, string]
  const timestamp = keyInstant(key)
  const season = key.readUInt16BE(SEASON_AT)
  const episode = key.readUInt16BE(EPISODE_AT)
  const flags = value[4] as number
  return {
    doc: value.readUInt32LE(0),
    change: {
      changeType: CHANGE_TYPES[key[2] as number] as ChangeType,
      itemType: ITEM_TYPES[key[3] as number] as ItemType,
      showId: String((key[SHOW_AT] as number) * 2 ** 48 + key.readUIntBE(SHOW_AT + 1, 6)),
      showType: (flags & 1) !== 0 ? 'series' : 'movie',
      country: key.toString('latin1', 0, 2),
      ...(season > 0 && { season }),
      ...(episode > 0 && { episode }),
      service,
      offerType,
      ...(addon !== '' && { addon }),
      ...(timestamp > 0 && { timestamp }),
      ...((flags & 2) !== 0 && { link: value.toString('utf8', 5) }),
    },
  }
}

/** Past changes, or the windows of offers as changes to come: both are walked in the order in which they are told. */
export class ChangeLog {
  private readonly table: Database<Buffer, Buffer>

  constructor(table: Database<Buffer, Buffer>) {
    this.table = table
  }

  put(doc: number, change: Change): void {
    this.table.putSync(changeKey(change), encodeValue(doc, change))
  }

  has(change: Change): boolean {
    return this.table.doesExist(changeKey(change))
  }

  remove(change: Change): void {
    this.table.removeSync(changeKey(change))
  }

  /** Stored changes with keys from `start` up to, but without, `end`. */
  *ascending(start: Buffer, end: Buffer): Iterable<StoredChange> {
    for (const { key, value } of this.table.getRange({ start, end })) yield decodeChange(key, value)
  }

  /** The same from the latest instant to the earliest; changes of one instant stay in ascending order. */
  *descending(range: ChangeRange, start: Buffer, end: Buffer, from?: Buffer): Iterable<StoredChange> {
    let upper = end
    if (from !== undefined) {
      upper = instantKey(range, keyInstant(from))
      const groupEnd = smaller(instantKey(range, keyInstant(from) + 1), end)
      yield* this.ascending(from, groupEnd)
    }
    for (;;) {
      const last = this.lastBefore(start, upper)
      if (last === undefined) return
      const groupStart = instantKey(range, keyInstant(last))
      yield* this.ascending(larger(groupStart, start), upper)
      upper = groupStart
    }
  }

  /** Drops changes of a range that are older than an instant. */
  forgetBefore(range: ChangeRange, instant: number): number {
    let forgotten = 0
    for (const key of [...this.table.getKeys({ start: instantKey(range, 0), end: instantKey(range, instant) })]) {
      this.table.removeSync(key)
      forgotten++
    }
    return forgotten
  }

  private lastBefore(start: Buffer, end: Buffer): Buffer | undefined {
    if (Buffer.compare(start, end) >= 0) return undefined
    // Walking back, LMDB begins at the first key that is not past the start it is given.
    for (const key of this.table.getKeys({ start: end, end: start, reverse: true, limit: 2 })) {
      if (Buffer.compare(key, end) < 0 && Buffer.compare(key, start) >= 0) return Buffer.from(key)
    }
    return this.table.doesExist(start) ? start : undefined
  }
}

function smaller(a: Buffer, b: Buffer): Buffer {
  return Buffer.compare(a, b) <= 0 ? a : b
}

function larger(a: Buffer, b: Buffer): Buffer {
  return Buffer.compare(a, b) >= 0 ? a : b
}
