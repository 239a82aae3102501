import { put, SIZE_BYTES } from './bytes'
import { at, moveTo, readByte, readVarint, readVarint64, skip } from './input'
import { allocate, SLACK } from './memory'
import { DICTIONARY, findString } from './strings'

/* Offers are encoded as `catalog/documents/offers-codec.ts` describes. */
const HAS_VIDEO_LINK = 0x40
const HAS_PRICE = 0x80
const HAS_ADDON = 0x01
const HAS_EXPIRY = 0x02
const IMMINENT = 0x04
const STARTS = 0x08
const STARTS_UNKNOWN = 0x10
const REPEATED = 0x80

/** An offer that is decoded. There is one, which is overwritten. */
@unmanaged
class Offer {
  type: u32
  quality: u32
  service: u32
  addon: u32
  hasAddon: bool
  audios: u32
  subtitles: u32
  price: u32
  hasPrice: bool
  isPrinted: bool
  isImminent: bool
  hasVideoLink: bool
  hasExpiry: bool
  expiresOn: u64
  availableSince: u64
}

/** A link that is decoded, with room for the next one. */
@unmanaged
class Link {
  address: usize
  size: usize
  capacity: usize
}

export const offer = changetype<Offer>(allocate(offsetof<Offer>()))
export const videoLink = changetype<Link>(allocate(offsetof<Link>()))

/** Reads the offers of a country, list by list; links continue from each to the next. */
@unmanaged
export class OfferReader {
  country: u32
  position: usize
  end: usize
  link: Link
}

const INITIAL_LINK_BYTES: usize = 256

/** The readers of the record that is open; those that are not in use keep their memory. */
let readers: usize = 0
let capacity = 0

/** The reader at an index, for the offers of a country from here on. */
export function openReader(index: i32, country: u32, size: usize): OfferReader {
  if (index === capacity) addReaders()
  const reader = readerAt(index)
  reader.country = country
  reader.position = at
  reader.end = at + size
  reader.link.size = 0
  return reader
}

export function readerAt(index: i32): OfferReader {
  return changetype<OfferReader>(load<u32>(readers + ((<usize>index) << 2)))
}

function addReaders(): void {
  const larger = allocate((<usize>(2 * capacity + 16)) << 2)
  memory.copy(larger, readers, (<usize>capacity) << 2)
  readers = larger
  for (const end = 2 * capacity + 16; capacity < end; capacity++) {
    const reader = changetype<OfferReader>(allocate(offsetof<OfferReader>()))
    reader.link = changetype<Link>(allocate(offsetof<Link>()))
    store<u32>(readers + ((<usize>capacity) << 2), <u32>changetype<usize>(reader))
  }
}

/** Begins a list of offers; returns how many there are. Lists past the end of the record are empty. */
export function readCount(reader: OfferReader): u32 {
  moveTo(reader.position)
  return at < reader.end ? readVarint() : 0
}

/** Ends a list of offers. */
export function endList(reader: OfferReader): void {
  reader.position = at
}

/** Decodes the next offer of the list. */
export function readOffer(reader: OfferReader): void {
  const first = readByte()
  const second = readByte()
  offer.type = first & 0x07
  offer.quality = (first >> 3) & 0x07
  offer.isPrinted = (second & (STARTS | STARTS_UNKNOWN | REPEATED)) === 0
  offer.isImminent = (second & IMMINENT) !== 0
  readVarint() // the source
  offer.service = readVarint()
  offer.hasAddon = (second & HAS_ADDON) !== 0
  if (offer.hasAddon) offer.addon = readVarint()
  offer.audios = readVarint()
  offer.subtitles = readVarint()
  offer.hasPrice = (first & HAS_PRICE) !== 0
  if (offer.hasPrice) offer.price = readVarint()
  const link = reader.link
  readLink(link)
  offer.hasVideoLink = (first & HAS_VIDEO_LINK) !== 0
  if (offer.hasVideoLink) {
    const shared = readVarint()
    reserve(videoLink, shared)
    put(videoLink.address, link.address, shared)
    readSuffix(videoLink, shared)
  }
  if ((second & STARTS) !== 0) readVarint64()
  offer.hasExpiry = (second & HAS_EXPIRY) !== 0
  if (offer.hasExpiry) offer.expiresOn = readVarint64()
  offer.availableSince = readVarint64()
}

/** A link has the start of the one before it in the record, or of a link in the dictionary. */
function readLink(link: Link): void {
  const base = readVarint()
  const shared: usize = readVarint()
  if (base > 0) {
    const text = findString(DICTIONARY, 0, base - 1, 0)
    link.size = 0
    reserve(link, shared)
    put(link.address, text + SIZE_BYTES, shared)
  }
  readSuffix(link, shared)
}

function readSuffix(link: Link, shared: usize): void {
  const size: usize = readVarint()
  link.size = shared
  reserve(link, shared + size)
  put(link.address + shared, at, size)
  skip(size)
  link.size = shared + size
}

/** Makes room for a link of a size, and keeps what is there. */
function reserve(link: Link, size: usize): void {
  if (size + SLACK <= link.capacity) return
  const capacity = max<usize>(2 * size, INITIAL_LINK_BYTES) + SLACK
  const larger = allocate(capacity)
  memory.copy(larger, link.address, link.size)
  link.address = larger
  link.capacity = capacity
}
