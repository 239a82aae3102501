import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { OFFER_TYPES, type OfferType } from '../../model/offer.ts'
import { LinkReader, LinkWriter } from '../documents/link-codec.ts'
import type { BlockFormat, BlockStore } from '../sorted/block-store.ts'
import type { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import { type ChangeSortKey, compareChanges, parseChangeListName, StoredChange } from './stored-change.ts'

/** Lists of changes, each in the order in which they are told. */
export type ChangeStore = BlockStore<ChangeSortKey, StoredChange, readonly StoredChange[]>

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

/** How blocks of changes are merged, and what they are on disk. */
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
      const range = parseChangeListName(list)
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

function merge(
  block: readonly StoredChange[] = [],
  removed: readonly ChangeSortKey[],
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
    while (r < removed.length && compareChanges(removed[r] as ChangeSortKey, entry) < 0) r++
    const gone = r < removed.length && compareChanges(removed[r] as ChangeSortKey, entry) === 0
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
