import type { Locale, Subtitle } from '../../model/language.ts'
import {
  formatPrice,
  isLive,
  isRepeated,
  isSameOffer,
  OFFER_TYPES,
  type Offer,
  type OfferType,
  type Price,
  QUALITIES,
  type Quality,
  UNKNOWN_START,
} from '../../model/offer.ts'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import { LinkReader, LinkWriter } from './url-codec.ts'

/*
 * One record holds the offers of a show, another one those of its seasons and episodes. A record is a sequence of
 * countries: code, size in bytes, and lists of offers, each with its count in front. An offer on disk:
 *   byte    type (3 bits), quality + 1 (3 bits), has video link, has price
 *   byte    has addon, has expiry, imminent, start: known (8), unknown (16); rolled up (32), with a link of its own (64);
 *           repeats an offer of another source, and is not printed (128)
 *   varint  source, service, [addon], audios, subtitles, [price]      dictionary numbers
 *   link, [video link]                                                see url-codec.ts
 *   varint  [start], [expiry], available since
 * The dictionary holds languages and prices as the JSON that is printed.
 */
const HAS_VIDEO_LINK = 0x40
const HAS_PRICE = 0x80
const HAS_ADDON = 0x01
const HAS_EXPIRY = 0x02
const IMMINENT = 0x04
const STARTS = 0x08
const STARTS_UNKNOWN = 0x10
const ROLLED_UP = 0x20
const PAGE_LINK = 0x40
const REPEATED = 0x80

const TYPE_NUMBERS = new Map<OfferType, number>(OFFER_TYPES.map((type, i) => [type, i]))
const QUALITY_NUMBERS = new Map<Quality | undefined, number>(QUALITIES.map((quality, i) => [quality, i + 1]))

/** Encodes records of offers. */
export class OfferWriter {
  private readonly record = new ByteWriter(16 * 1024)
  /** The current country, in a buffer of its own since its size is written first. */
  private readonly out = new ByteWriter(16 * 1024)
  private readonly dictionary: Dictionary
  private readonly links = new LinkWriter()
  private country = ''
  /** The position after the last list that is not empty. */
  private usedBytes = 0

  constructor(dictionary: Dictionary) {
    this.dictionary = dictionary
  }

  /** Starts a new record. */
  begin(): void {
    this.record.reset()
  }

  get isEmpty(): boolean {
    return this.record.position === 0
  }

  /** The record, without a copy: valid until the next one is started. */
  view(): Buffer {
    return this.record.view()
  }

  beginCountry(country: string): void {
    this.out.reset()
    this.links.reset()
    this.country = country
    this.usedBytes = 0
  }

  writeList(offers: readonly Offer[]): void {
    this.out.varint(offers.length)
    const hasSeveralSources = offers.some(({ source }) => source !== offers[0]?.source)
    offers.forEach((offer, i) => {
      this.write(offer, hasSeveralSources && isLive(offer) && isRepeated(offers, i, isPrintedAlike))
    })
    if (offers.length > 0) this.usedBytes = this.out.position
  }

  /** Ends a country. Trailing empty lists are omitted, and so is a country without offers. */
  endCountry(): void {
    if (this.usedBytes === 0) return
    this.out.truncate(this.usedBytes)
    this.record.ascii(this.country)
    this.record.varint(this.usedBytes)
    this.record.bytes(this.out.view())
  }

  private write(offer: Offer, repeated: boolean): void {
    const { out, dictionary } = this
    const { type, quality, addon, price, link, videoLink, startsOn, expiresOn } = offer
    out.byte(
      (TYPE_NUMBERS.get(type) as number) |
        ((QUALITY_NUMBERS.get(quality) ?? 0) << 3) |
        (videoLink === undefined ? 0 : HAS_VIDEO_LINK) |
        (price === undefined ? 0 : HAS_PRICE),
    )
    out.byte(
      (addon === undefined ? 0 : HAS_ADDON) |
        (expiresOn === undefined ? 0 : HAS_EXPIRY) |
        (offer.imminent === true ? IMMINENT : 0) |
        (startsOn === undefined ? 0 : startsOn === UNKNOWN_START ? STARTS_UNKNOWN : STARTS) |
        (offer.rolledUp === undefined ? 0 : offer.rolledUp === 'page' ? ROLLED_UP | PAGE_LINK : ROLLED_UP) |
        (repeated ? REPEATED : 0),
    )
    out.varint(dictionary.intern(offer.source))
    out.varint(dictionary.intern(offer.service))
    if (addon !== undefined) out.varint(dictionary.intern(addon))
    out.varint(dictionary.internJson(offer.audios))
    out.varint(dictionary.internJson(offer.subtitles))
    if (price !== undefined) out.varint(dictionary.intern(priceJson(price)))
    this.links.write(out, link, offer.service, this.country, dictionary)
    if (videoLink !== undefined) this.links.writeRelative(out, videoLink)
    if (typeof startsOn === 'number') out.varint(startsOn)
    if (expiresOn !== undefined) out.varint(expiresOn)
    out.varint(offer.availableSince)
  }
}

/** Visits the countries of a record, in alphabetical order, with where their bytes are. */
export function forEachCountry(record: Buffer, visit: (country: string, start: number, end: number) => void): void {
  const input = new ByteReader(record)
  while (!input.done) {
    const country = countryCode(input.byte(), input.byte())
    const size = input.varint()
    const start = input.position
    visit(country, start, start + size)
    input.skip(size)
  }
}

/** Splits a record into its countries, in alphabetical order. */
export function splitByCountry(record: Buffer): [country: string, part: Buffer][] {
  const parts: [string, Buffer][] = []
  forEachCountry(record, (country, start, end) => parts.push([country, record.subarray(start, end)]))
  return parts
}

/** The codes that were read, by their characters: making a text takes longer than the rest of a visit. */
const countryCodes = new Map<number, string>()

function countryCode(first: number, second: number): string {
  const key = first * 256 + second
  let code = countryCodes.get(key)
  if (code === undefined) {
    code = String.fromCharCode(first, second)
    countryCodes.set(key, code)
  }
  return code
}

/** Decodes a country of a record, offer by offer. Its fields are those of the current offer. */
export class OfferReader {
  type = 0
  /** 0 for none, else the index in `QUALITIES` plus one. */
  quality = 0
  source = 0
  service = 0
  /** -1 for none. */
  addon = -1
  audios = 0
  subtitles = 0
  /** -1 for none. */
  price = -1
  readonly link = new LinkReader()
  readonly videoLink = new LinkReader()
  hasVideoLink = false
  isLive = true
  /** Whether it is live and an equal offer of another source is printed already. */
  isRepeated = false
  rolledUp: Offer['rolledUp'] = undefined
  /** -1 for none or unknown. */
  startsOn = -1
  /** -1 for none. */
  expiresOn = -1
  imminent = false
  availableSince = 0
  private readonly dictionary: Dictionary
  private input: ByteReader

  constructor(dictionary: Dictionary, record: Buffer) {
    this.dictionary = dictionary
    this.input = new ByteReader(record)
  }

  /** Starts with another record. */
  reset(input: ByteReader): this {
    this.input = input
    this.link.reset()
    return this
  }

  /** Reads the count of the next list; lists past the end of the record are empty. */
  readCount(): number {
    return this.input.done ? 0 : this.input.varint()
  }

  /** Moves to the next offer of the list. */
  next(): void {
    const { input, dictionary } = this
    const first = input.byte()
    const second = input.byte()
    this.type = first & 0x07
    this.quality = (first >> 3) & 0x07
    this.imminent = (second & IMMINENT) !== 0
    this.isLive = (second & (STARTS | STARTS_UNKNOWN)) === 0
    this.isRepeated = (second & REPEATED) !== 0
    this.rolledUp = (second & ROLLED_UP) === 0 ? undefined : (second & PAGE_LINK) !== 0 ? 'page' : 'part'
    this.source = input.varint()
    this.service = input.varint()
    this.addon = (second & HAS_ADDON) !== 0 ? input.varint() : -1
    this.audios = input.varint()
    this.subtitles = input.varint()
    this.price = (first & HAS_PRICE) !== 0 ? input.varint() : -1
    this.link.read(input, dictionary)
    this.hasVideoLink = (first & HAS_VIDEO_LINK) !== 0
    if (this.hasVideoLink) this.videoLink.readRelative(input, this.link)
    this.startsOn = (second & STARTS) !== 0 ? input.varint() : -1
    this.expiresOn = (second & HAS_EXPIRY) !== 0 ? input.varint() : -1
    this.availableSince = input.varint()
  }

  /** The next list as model objects. */
  readList(): Offer[] {
    return Array.from({ length: this.readCount() }, () => {
      this.next()
      return this.offer()
    })
  }

  private offer(): Offer {
    const { dictionary } = this
    return {
      source: dictionary.text(this.source),
      service: dictionary.text(this.service),
      type: OFFER_TYPES[this.type] as OfferType,
      ...(this.addon >= 0 && { addon: dictionary.text(this.addon) }),
      link: this.link.text(),
      ...(this.hasVideoLink && { videoLink: this.videoLink.text() }),
      ...(this.quality > 0 && { quality: QUALITIES[this.quality - 1] as Quality }),
      audios: dictionary.json(this.audios) as readonly Locale[],
      subtitles: dictionary.json(this.subtitles) as readonly Subtitle[],
      ...(this.price >= 0 && { price: toPrice(dictionary.json(this.price) as Price) }),
      ...(!this.isLive && { startsOn: this.startsOn >= 0 ? this.startsOn : UNKNOWN_START }),
      ...(this.expiresOn >= 0 && { expiresOn: this.expiresOn }),
      ...(this.imminent && { imminent: true as const }),
      availableSince: this.availableSince,
      ...(this.rolledUp !== undefined && { rolledUp: this.rolledUp }),
    }
  }
}

/** Whether two offers are equal in every printed field. */
function isPrintedAlike(a: Offer, b: Offer): boolean {
  return a.availableSince === b.availableSince && isSameOffer(a, b)
}

/** A price as it is printed. */
function priceJson(price: Price): string {
  const { amount, currency } = price
  return JSON.stringify({ amount, currency, formatted: formatPrice(price) })
}

function toPrice({ amount, currency }: Price): Price {
  return { amount, currency }
}
