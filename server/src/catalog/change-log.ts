import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Change, ChangeType } from '../model/change.ts'
import { OFFER_TYPES, type OfferType } from '../model/offer.ts'
import type { ItemType, ShowType } from '../model/show.ts'
import type { ByteReader } from './codec/byte-reader.ts'
import type { ByteWriter } from './codec/byte-writer.ts'
import { LinkReader, LinkWriter } from './codec/link-codec.ts'
import type { Dictionary } from './dictionary.ts'
import { type BlockFormat, SortedBlocks } from './sorted-blocks.ts'

/** Which changes are walked through. */
export interface ChangeRange {
  readonly country: string
  readonly changeType: ChangeType
  readonly itemType: ItemType
}

/** Where a change stands among those of its range, in the order in which they are told. */
export interface ChangePlace {
  /** 0 where the time is unknown. */
  readonly timestamp: number
  readonly showId: number
  /** 0 where there is none. */
  readonly season: number
  readonly episode: number
  readonly service: string
  readonly offerType: string
  /** Empty where there is none. */
  readonly addon: string
}

/** A stored change, with the document of its show. */
export class StoredChange implements ChangePlace {
  readonly range: ChangeRange
  readonly doc: number
  readonly timestamp: number
  readonly showId: number
  readonly showType: ShowType
  readonly season: number
  readonly episode: number
  readonly service: string
  readonly offerType: OfferType
  readonly addon: string
  readonly link: string | undefined

  constructor(
    range: ChangeRange,
    doc: number,
    timestamp: number,
    showId: number,
    showType: ShowType,
    season: number,
    episode: number,
    service: string,
    offerType: OfferType,
    addon: string,
    link: string | undefined,
  ) {
    this.range = range
    this.doc = doc
    this.timestamp = timestamp
    this.showId = showId
    this.showType = showType
    this.season = season
    this.episode = episode
    this.service = service
    this.offerType = offerType
    this.addon = addon
    this.link = link
  }

  static of(doc: number, change: Change): StoredChange {
    const { timestamp = 0, showId, showType, season = 0, episode = 0, service, offerType, addon = '', link } = change
    const id = Number(showId)
    return new StoredChange(change, doc, timestamp, id, showType, season, episode, service, offerType, addon, link)
  }

  /** The change as the model knows it. */
  get change(): Change {
    const { changeType, itemType, country } = this.range
    return {
      changeType,
      itemType,
      showId: String(this.showId),
      showType: this.showType,
      country,
      ...(this.season > 0 && { season: this.season }),
      ...(this.episode > 0 && { episode: this.episode }),
      service: this.service,
      offerType: this.offerType,
      ...(this.addon !== '' && { addon: this.addon }),
      ...(this.timestamp > 0 && { timestamp: this.timestamp }),
      ...(this.link !== undefined && { link: this.link }),
    }
  }
}

export function compareChanges(a: ChangePlace, b: ChangePlace): number {
  return (
    a.timestamp - b.timestamp ||
    a.showId - b.showId ||
    a.season - b.season ||
    a.episode - b.episode ||
    compareText(a.service, b.service) ||
    compareText(a.offerType, b.offerType) ||
    compareText(a.addon, b.addon)
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function placeOf(change: Change): ChangePlace {
  return {
    timestamp: change.timestamp ?? 0,
    showId: Number(change.showId),
    season: change.season ?? 0,
    episode: change.episode ?? 0,
    service: change.service,
    offerType: change.offerType,
    addon: change.addon ?? '',
  }
}

/** The place before all changes of an instant. */
export function instantPlace(timestamp: number): ChangePlace {
  return { timestamp, showId: -1, season: 0, episode: 0, service: '', offerType: '', addon: '' }
}

/** The name of the list that holds the changes of a range. */
export function listOf({ country, changeType, itemType }: ChangeRange): string {
  return `${country}/${changeType}/${itemType}`
}

function rangeOf(list: string): ChangeRange {
  const [country, changeType, itemType] = list.split('/') as [string, ChangeType, ItemType]
  return { country, changeType, itemType }
}

type Tables = ConstructorParameters<typeof SortedBlocks<ChangePlace, StoredChange, readonly StoredChange[]>>[1]

/**
 * Past changes, and the windows of offers as changes to come. Those of each country, change type and item type are
 * one list, kept in the order in which they are told.
 */
export class ChangeLog {
  private readonly lists: SortedBlocks<ChangePlace, StoredChange, readonly StoredChange[]>

  constructor(tables: Tables, dictionary: Dictionary, mostWaiting: number) {
    this.lists = new SortedBlocks(changeFormat(dictionary, mostWaiting), tables, 48 * 1024 * 1024)
  }

  /** All ranges that hold something. */
  ranges(): ChangeRange[] {
    return this.lists.names().map(rangeOf)
  }

  /** Takes changes out of a list and puts others in. Only within a write transaction. */
  update(list: string, removed: readonly ChangePlace[], added: readonly StoredChange[], version: number): void {
    this.lists.update(list, removed, added, version)
  }

  /** Drops the changes of a range that are older than an instant. Only within a write transaction. */
  dropBefore(range: ChangeRange, instant: number, version: number): void {
    this.lists.dropBefore(listOf(range), instantPlace(instant), version)
  }

  has(change: Change, version: number): boolean {
    const place = placeOf(change)
    for (const found of this.ascending(change, version, place)) return compareChanges(found, place) === 0
    return false
  }

  /** How many changes a range holds. */
  count(range: ChangeRange, version: number): number {
    return this.lists.directory(listOf(range), version).blocks.reduce((sum, { count }) => sum + count, 0)
  }

  /** The stored changes of a range from one place up to, but without, another one. */
  *ascending(
    range: ChangeRange,
    version: number,
    from: ChangePlace = instantPlace(0),
    end?: ChangePlace,
  ): Iterable<StoredChange> {
    const walk = new ChangeWalk(this.lists, listOf(range), version)
    for (walk.seek(from); walk.current !== undefined; walk.forward()) {
      if (end !== undefined && compareChanges(walk.current, end) >= 0) return
      yield walk.current
    }
  }

  /**
   * The stored changes of a range from the latest instant before an end to the earliest from a start on; those of one
   * instant stay in ascending order. `from` names where in that order to begin.
   */
  *descending(
    range: ChangeRange,
    version: number,
    start: ChangePlace,
    end: ChangePlace,
    from?: ChangePlace,
  ): Iterable<StoredChange> {
    const walk = new ChangeWalk(this.lists, listOf(range), version)
    let upper = end
    if (from !== undefined) {
      upper = instantPlace(from.timestamp)
      yield* this.ascending(range, version, from, smaller(instantPlace(from.timestamp + 1), end))
    }
    for (;;) {
      walk.seek(upper)
      walk.back()
      if (walk.current === undefined || compareChanges(walk.current, start) < 0) return
      const instant = instantPlace(walk.current.timestamp)
      yield* this.ascending(range, version, instant, upper)
      upper = instant
    }
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  forget(): void {
    this.lists.forget()
  }
}

function smaller(a: ChangePlace, b: ChangePlace): ChangePlace {
  return compareChanges(a, b) <= 0 ? a : b
}

/** A place in a list of changes that can move by one. */
class ChangeWalk {
  current: StoredChange | undefined
  private readonly lists: SortedBlocks<ChangePlace, StoredChange, readonly StoredChange[]>
  private readonly list: string
  private readonly version: number
  private blockAt = 0
  private block: readonly StoredChange[] = []
  private at = 0

  constructor(lists: SortedBlocks<ChangePlace, StoredChange, readonly StoredChange[]>, list: string, version: number) {
    this.lists = lists
    this.list = list
    this.version = version
  }

  /** Moves to the first change at or after a place. */
  seek(place: ChangePlace): void {
    const { blocks } = this.directory
    let low = 0
    let high = blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareChanges((blocks[middle] as { first: ChangePlace }).first, place) <= 0) low = middle + 1
      else high = middle
    }
    this.enter(Math.max(low - 1, 0))
    let start = 0
    let end = this.block.length
    while (start < end) {
      const middle = (start + end) >>> 1
      if (compareChanges(this.block[middle] as StoredChange, place) < 0) start = middle + 1
      else end = middle
    }
    this.at = start
    if (start === this.block.length && this.blockAt + 1 < blocks.length) this.enter(this.blockAt + 1)
    this.current = this.block[this.at]
  }

  forward(): void {
    this.at++
    if (this.at === this.block.length) this.enter(this.blockAt + 1)
    this.current = this.block[this.at]
  }

  back(): void {
    if (this.at === 0 && this.blockAt > 0) {
      this.enter(this.blockAt - 1)
      this.at = this.block.length
    }
    this.at--
    this.current = this.block[this.at]
  }

  private enter(blockAt: number): void {
    const info = this.directory.blocks[blockAt]
    this.blockAt = blockAt
    this.block = info === undefined ? [] : this.lists.block(this.list, info)
    this.at = 0
  }

  private get directory() {
    return this.lists.directory(this.list, this.version)
  }
}

/*
 * A change on disk, behind the one before it:
 *   varint  time since the one before
 *   varint  show id: since the one before if the time is the same, else whole
 *   varint  document: difference to the one before, lowest bit for the sign
 *   byte    option type (3 bits), is a series, has a link, has an addon
 *   varint  season unless it is of shows, episode if it is of episodes
 *   varint  service, [addon]                                          dictionary numbers
 *   [link]                                                            see link-codec.ts
 */
const SERIES = 0x08
const HAS_LINK = 0x10
const HAS_ADDON = 0x20

function changeFormat(
  dictionary: Dictionary,
  mostWaiting: number,
): BlockFormat<ChangePlace, StoredChange, readonly StoredChange[]> {
  const linkWriter = new LinkWriter()
  const linkReader = new LinkReader()
  return {
    compare: compareChanges,
    count: (block) => block.length,
    first: (block) => block[0] as StoredChange,
    entries: (block) => [...block],
    size: (block) => 200 + block.length * 250,
    merge,
    slice: (block, start, end) => block.slice(start, end),
    mostWaiting,
    encode(out, block, list) {
      const { country, itemType } = rangeOf(list)
      linkWriter.reset()
      out.varint(block.length)
      let [time, id, previousDoc] = [0, 0, 0]
      for (const { timestamp, showId, season, episode, service, offerType, addon, doc, showType, link } of block) {
        out.varint(timestamp - time)
        out.varint(timestamp === time ? showId - id : showId)
        writeSigned(out, doc - previousDoc)
        ;[time, id, previousDoc] = [timestamp, showId, doc]
        out.byte(
          OFFER_TYPES.indexOf(offerType) |
            (showType === 'series' ? SERIES : 0) |
            (link === undefined ? 0 : HAS_LINK) |
            (addon === '' ? 0 : HAS_ADDON),
        )
        if (itemType !== 'show') out.varint(season)
        if (itemType === 'episode') out.varint(episode)
        out.varint(dictionary.intern(service))
        if (addon !== '') out.varint(dictionary.intern(addon))
        if (link !== undefined) linkWriter.write(out, link, service, country, dictionary)
      }
    },
    decode(input, list) {
      const range = rangeOf(list)
      linkReader.reset()
      let [time, id, doc] = [0, 0, 0]
      return Array.from({ length: input.varint() }, () => {
        const since = input.varint()
        const idPart = input.varint()
        time += since
        id = since === 0 ? id + idPart : idPart
        doc += readSigned(input)
        const flags = input.byte()
        const season = range.itemType === 'show' ? 0 : input.varint()
        const episode = range.itemType === 'episode' ? input.varint() : 0
        const service = dictionary.text(input.varint())
        const addon = (flags & HAS_ADDON) === 0 ? '' : dictionary.text(input.varint())
        const hasLink = (flags & HAS_LINK) !== 0
        if (hasLink) linkReader.read(input, dictionary)
        const offerType = OFFER_TYPES[flags & 0x07] as OfferType
        const showType = (flags & SERIES) !== 0 ? 'series' : 'movie'
        const link = hasLink ? linkReader.text() : undefined
        return new StoredChange(range, doc, time, id, showType, season, episode, service, offerType, addon, link)
      })
    },
    // What one change repeats of the one before goes without saying; what it repeats of others is two thirds of the rest.
    pack: (bytes) => deflateRawSync(bytes, { level: 1 }),
    unpack: (packed) => inflateRawSync(packed),
    encodePlace(out, { timestamp, showId, season, episode, service, offerType, addon }) {
      for (const number of [timestamp, showId, season, episode]) out.varint(number)
      for (const text of [service, offerType, addon]) out.sizedText(text)
    },
    decodePlace(input) {
      const [timestamp, showId, season, episode] = [input.varint(), input.varint(), input.varint(), input.varint()]
      const [service, offerType, addon] = [input.sizedText(), input.sizedText(), input.sizedText()]
      return { timestamp, showId, season, episode, service, offerType, addon }
    },
  }
}

function merge(
  block: readonly StoredChange[] = [],
  removed: readonly ChangePlace[],
  added: readonly StoredChange[],
): readonly StoredChange[] {
  const merged: StoredChange[] = []
  let a = 0
  let r = 0
  const put = (entry: StoredChange) => {
    // Of changes at one place the last one counts.
    const last = merged.at(-1)
    if (last !== undefined && compareChanges(last, entry) === 0) merged.pop()
    merged.push(entry)
  }
  for (const entry of block) {
    while (a < added.length && compareChanges(added[a] as StoredChange, entry) < 0) put(added[a++] as StoredChange)
    while (r < removed.length && compareChanges(removed[r] as ChangePlace, entry) < 0) r++
    const gone = r < removed.length && compareChanges(removed[r] as ChangePlace, entry) === 0
    if (!gone) put(entry)
  }
  while (a < added.length) put(added[a++] as StoredChange)
  return merged
}

function writeSigned(out: ByteWriter, value: number): void {
  out.varint(value < 0 ? -value * 2 - 1 : value * 2)
}

function readSigned(input: ByteReader): number {
  const value = input.varint()
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
