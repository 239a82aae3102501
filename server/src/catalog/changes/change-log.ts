import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { MeteredCache } from '../../lib/cache.ts'
import type { Change } from '../../model/change.ts'
import { OFFER_TYPES, type OfferType } from '../../model/offer.ts'
import { LinkReader, LinkWriter } from '../documents/url-codec.ts'
import { BlockStore, type BlockTables } from '../sorted/block-store.ts'
import type { BlockFormat } from '../sorted/block-table.ts'
import { BlockCursor } from '../sorted/column-cursor.ts'
import type { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import {
  type ChangeListId,
  type ChangeSortKey,
  changeListName,
  changeSortKey,
  compareChanges,
  instantSortKey,
  parseChangeListName,
  StoredChange,
} from './stored-change.ts'

const MEBIBYTE = 1024 * 1024

type ChangeCursor = BlockCursor<ChangeSortKey, StoredChange, readonly StoredChange[]>

export interface ChangeLogOptions {
  /** The prefix of its caches' names in the metrics. */
  readonly name: string
  /** See `BlockFormat`. */
  readonly maxDeltaEntries: number
  readonly growsAtEnd: boolean
}

/**
 * Changes in sorted lists, one for each country, change type and item type. A catalog has two such logs: past changes,
 * and the windows of offers as changes to come.
 */
export class ChangeLog {
  /** The lists themselves: for a verification, which reads them block by block. */
  readonly store: ChangeStore

  constructor(tables: BlockTables, dictionary: Dictionary, { name, ...layout }: ChangeLogOptions) {
    const cache = { name, blockBytes: 48 * MEBIBYTE, directoryBytes: 16 * MEBIBYTE }
    this.store = new BlockStore(createChangeFormat(dictionary, layout), tables, cache)
  }

  caches(): readonly MeteredCache[] {
    return this.store.caches()
  }

  /** All lists that hold changes. */
  listIds(): ChangeListId[] {
    return this.store.names().map(parseChangeListName)
  }

  /** Removes changes from a list and adds others. Only within a write transaction. */
  update(list: string, removed: readonly ChangeSortKey[], added: readonly StoredChange[], version: number): void {
    this.store.update(list, removed, added, version)
  }

  /** Deletes the changes of a list that are older than an instant. Only within a write transaction. */
  truncateBefore(list: ChangeListId, instant: number, version: number): void {
    this.store.truncateBefore(changeListName(list), instantSortKey(instant), version)
  }

  has(change: Change, version: number): boolean {
    return this.find(change, changeSortKey(change), version) !== undefined
  }

  /** The change of a list with exactly this key. */
  find(list: ChangeListId, key: ChangeSortKey, version: number): StoredChange | undefined {
    for (const found of this.scanAscending(list, version, key))
      return compareChanges(found, key) === 0 ? found : undefined
    return undefined
  }

  /** The count of changes in a list; exact only in a log without delta blocks. */
  count(list: ChangeListId, version: number): number {
    return this.store.directory(changeListName(list), version).blocks.reduce((sum, { count }) => sum + count, 0)
  }

  /** The time of the newest change of a list; 0 if it is empty. */
  newestTime(list: ChangeListId, version: number): number {
    const cursor = this.openCursor(list, version)
    cursor.seekEnd()
    return cursor.previous() ? (cursor.block?.[cursor.index]?.timestamp ?? 0) : 0
  }

  /** The changes of a list from a start key, included, to an end key, excluded, that pass a test. */
  scanAscending(
    list: ChangeListId,
    version: number,
    start: ChangeSortKey = instantSortKey(0),
    end?: ChangeSortKey,
    passes: ChangeTest = anyChange,
  ): Iterable<StoredChange> {
    return scanRange(this.openCursor(list, version), start, end, passes)
  }

  /**
   * The changes of a list between two keys that pass a test, the latest instant first; those of one instant stay in ascending order.
   * `from` is the key of the change to begin with, for a page after the first.
   */
  *scanDescending(
    list: ChangeListId,
    version: number,
    start: ChangeSortKey,
    end: ChangeSortKey,
    from?: ChangeSortKey,
    passes: ChangeTest = anyChange,
  ): Iterable<StoredChange> {
    const cursor = this.openCursor(list, version)
    let upper = end
    if (from !== undefined) {
      upper = instantSortKey(from.timestamp)
      yield* scanRange(cursor, from, minKey(instantSortKey(from.timestamp + 1), end), passes)
    }
    for (;;) {
      cursor.seek(upper)
      if (!cursor.previous()) return
      const last = cursor.block?.[cursor.index] as StoredChange
      if (compareChanges(last, start) < 0) return
      const instant = instantSortKey(last.timestamp)
      yield* scanRange(cursor, instant, upper, passes)
      upper = instant
    }
  }

  /** Clears the caches. A transaction that was rolled back may have left its blocks in them. */
  invalidate(): void {
    this.store.invalidate()
  }

  private openCursor(list: ChangeListId, version: number): ChangeCursor {
    return new BlockCursor(this.store, changeListName(list), version)
  }
}

/** Tests a change. It is called for each that is scanned, in a loop over each block: most of them pass no filter. */
export type ChangeTest = (change: StoredChange) => boolean

const anyChange: ChangeTest = () => true

/** The changes from a start key, included, to an end key, excluded, that pass a test. */
function* scanRange(
  cursor: ChangeCursor,
  start: ChangeSortKey,
  end: ChangeSortKey | undefined,
  passes: ChangeTest,
): Iterable<StoredChange> {
  cursor.seek(start)
  while (cursor.isValid()) {
    const block = cursor.block as readonly StoredChange[]
    const blockEnd = end === undefined ? block.length : lowerBound(block, end)
    for (; cursor.index < blockEnd; cursor.next()) {
      const change = block[cursor.index] as StoredChange
      if (passes(change)) yield change
    }
    if (blockEnd < block.length) return
  }
}

function minKey(a: ChangeSortKey, b: ChangeSortKey): ChangeSortKey {
  return compareChanges(a, b) <= 0 ? a : b
}

/** Lists of changes on disk. */
export type ChangeStore = BlockStore<ChangeSortKey, StoredChange, readonly StoredChange[]>

/*
 * A change on disk, relative to the one before it in the block:
 *   varint  time: difference
 *   varint  show id: difference if the time is the same, else the id itself
 *   varint  document: difference, zigzag-encoded
 *   byte    option type (3 bits), is a series, has a link, has an addon
 *   varint  [season] unless the list is of shows, [episode] if it is of episodes
 *   varint  service, [addon]                                          dictionary numbers
 *   [link]                                                            see url-codec.ts
 */
const SERIES = 0x08
const HAS_LINK = 0x10
const HAS_ADDON = 0x20

/** The format of blocks of changes. */
function createChangeFormat(
  dictionary: Dictionary,
  layout: Omit<ChangeLogOptions, 'name'>,
): BlockFormat<ChangeSortKey, StoredChange, readonly StoredChange[]> {
  const linkWriter = new LinkWriter()
  const linkReader = new LinkReader()
  return {
    compare: compareChanges,
    count: (block) => block.length,
    first: (block) => block[0] as StoredChange,
    entries: (block) => [...block],
    estimateBytes: (block) => 200 + block.length * 250,
    lowerBound,
    merge,
    slice: (block, start, end) => block.slice(start, end),
    ...layout,
    encode(out, block, list) {
      const { country, itemType } = parseChangeListName(list)
      linkWriter.reset()
      out.varint(block.length)
      let [time, id, previousDoc] = [0, 0, 0]
      for (const { timestamp, showId, season, episode, service, offerType, addon, doc, showType, link } of block) {
        out.varint(timestamp - time)
        out.varint(timestamp === time ? showId - id : showId)
        writeZigzag(out, doc - previousDoc)
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
      const listId = parseChangeListName(list)
      linkReader.reset()
      let [time, id, doc] = [0, 0, 0]
      return Array.from({ length: input.varint() }, () => {
        const elapsed = input.varint()
        const idPart = input.varint()
        time += elapsed
        id = elapsed === 0 ? id + idPart : idPart
        doc += readZigzag(input)
        const flags = input.byte()
        const season = listId.itemType === 'show' ? 0 : input.varint()
        const episode = listId.itemType === 'episode' ? input.varint() : 0
        const service = dictionary.text(input.varint())
        const addon = (flags & HAS_ADDON) === 0 ? '' : dictionary.text(input.varint())
        const hasLink = (flags & HAS_LINK) !== 0
        if (hasLink) linkReader.read(input, dictionary)
        const offerType = OFFER_TYPES[flags & 0x07] as OfferType
        // Older programs stored parts of a show that became a movie as those of a movie.
        const showType = (flags & SERIES) !== 0 || listId.itemType !== 'show' ? 'series' : 'movie'
        const link = hasLink ? linkReader.text() : undefined
        return new StoredChange(listId, doc, time, id, showType, season, episode, service, offerType, addon, link)
      })
    },
    // Texts that a change shares with any other of its block compress to a third.
    compress: (bytes) => deflateRawSync(bytes, { level: 1 }),
    decompress: (compressed) => inflateRawSync(compressed),
    encodeKey(out, { timestamp, showId, season, episode, service, offerType, addon }) {
      for (const number of [timestamp, showId, season, episode]) out.varint(number)
      for (const text of [service, offerType, addon]) out.sizedText(text)
    },
    decodeKey(input) {
      const [timestamp, showId, season, episode] = [input.varint(), input.varint(), input.varint(), input.varint()]
      const [service, offerType, addon] = [input.sizedText(), input.sizedText(), input.sizedText()]
      return { timestamp, showId, season, episode, service, offerType, addon }
    },
  }
}

function lowerBound(block: readonly StoredChange[], key: ChangeSortKey): number {
  let low = 0
  let high = block.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareChanges(block[middle] as StoredChange, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function merge(
  block: readonly StoredChange[] = [],
  removed: readonly ChangeSortKey[],
  added: readonly StoredChange[],
): readonly StoredChange[] {
  const merged: StoredChange[] = []
  let a = 0
  let r = 0
  const put = (entry: StoredChange) => {
    // Of entries with the same key the last one counts.
    const last = merged.at(-1)
    if (last !== undefined && compareChanges(last, entry) === 0) merged.pop()
    merged.push(entry)
  }
  for (const entry of block) {
    while (a < added.length && compareChanges(added[a] as StoredChange, entry) < 0) put(added[a++] as StoredChange)
    while (r < removed.length && compareChanges(removed[r] as ChangeSortKey, entry) < 0) r++
    const isRemoved = r < removed.length && compareChanges(removed[r] as ChangeSortKey, entry) === 0
    if (!isRemoved) put(entry)
  }
  while (a < added.length) put(added[a++] as StoredChange)
  return merged
}

function writeZigzag(out: ByteWriter, value: number): void {
  out.varint(value < 0 ? -value * 2 - 1 : value * 2)
}

function readZigzag(input: ByteReader): number {
  const value = input.varint()
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
