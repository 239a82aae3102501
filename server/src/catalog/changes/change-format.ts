import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { OFFER_TYPES, type OfferType } from '../../model/offer.ts'
import { LinkReader, LinkWriter } from '../documents/link-codec.ts'
import type { BlockFormat } from '../sorted/block-format.ts'
import type { BlockStore } from '../sorted/block-store.ts'
import type { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import { type ChangeSortKey, compareChanges, parseChangeListName, StoredChange } from './stored-change.ts'

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
 *   [link]                                                            see link-codec.ts
 */
const SERIES = 0x08
const HAS_LINK = 0x10
const HAS_ADDON = 0x20

/** The format of blocks of changes. */
export function createChangeFormat(
  dictionary: Dictionary,
  maxDeltaEntries: number,
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
    maxDeltaEntries,
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
