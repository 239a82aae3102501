import type { Locale, Subtitle } from '../../model/locale.ts'
import { OFFER_TYPES, type Offer, type OfferType, QUALITIES, type Quality, UNKNOWN_START } from '../../model/offer.ts'
import { formatPrice } from '../../model/price.ts'
import type { Dictionary } from '../dictionary.ts'
import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/*
 * An offer on disk:
 *   byte    type (3 bits), quality + 1 (3 bits), has video link, has price
 *   byte    has addon, has expiry, imminent, start: known (8), unknown (16)
 *   varint  source, service, [addon], audios, subtitles, [price]      dictionary numbers
 *   text    link, [video link]                                        as JSON text without the quotes
 *   varint  [start], [expiry], available since
 * What answers print of languages and prices is in the dictionary as ready JSON.
 */
const HAS_VIDEO_LINK = 0x40
const HAS_PRICE = 0x80
const HAS_ADDON = 0x01
const HAS_EXPIRY = 0x02
const IMMINENT = 0x04
const STARTS = 0x08
const STARTS_UNKNOWN = 0x10

export function writeOffer(out: ByteWriter, offer: Offer, dictionary: Dictionary): void {
  const quality = offer.quality === undefined ? 0 : QUALITIES.indexOf(offer.quality) + 1
  out.byte(
    OFFER_TYPES.indexOf(offer.type) |
      (quality << 3) |
      (offer.videoLink === undefined ? 0 : HAS_VIDEO_LINK) |
      (offer.price === undefined ? 0 : HAS_PRICE),
  )
  out.byte(
    (offer.addon === undefined ? 0 : HAS_ADDON) |
      (offer.expiresOn === undefined ? 0 : HAS_EXPIRY) |
      (offer.imminent === true ? IMMINENT : 0) |
      (offer.startsOn === undefined ? 0 : offer.startsOn === UNKNOWN_START ? STARTS_UNKNOWN : STARTS),
  )
  out.varint(dictionary.intern(offer.source))
  out.varint(dictionary.intern(offer.service))
  if (offer.addon !== undefined) out.varint(dictionary.intern(offer.addon))
  out.varint(dictionary.intern(JSON.stringify(offer.audios)))
  out.varint(dictionary.intern(JSON.stringify(offer.subtitles)))
  if (offer.price !== undefined) {
    const { amount, currency } = offer.price
    out.varint(dictionary.intern(JSON.stringify({ amount, currency, formatted: formatPrice(offer.price) })))
  }
  out.sizedText(jsonInside(offer.link))
  if (offer.videoLink !== undefined) out.sizedText(jsonInside(offer.videoLink))
  if (typeof offer.startsOn === 'number') out.varint(offer.startsOn)
  if (offer.expiresOn !== undefined) out.varint(offer.expiresOn)
  out.varint(offer.availableSince)
}

/** An offer as it lies on disk: texts as dictionary numbers and as ranges of the record's bytes. Reused between reads. */
export class StoredOffer {
  type = 0
  /** 0 for none, else one more than the place in `QUALITIES`. */
  quality = 0
  source = 0
  service = 0
  /** -1 for none. */
  addon = -1
  audios = 0
  subtitles = 0
  /** -1 for none. */
  price = -1
  linkStart = 0
  linkEnd = 0
  videoLinkStart = 0
  /** Equal to the start for none. */
  videoLinkEnd = 0
  live = true
  /** -1 for none or unknown. */
  startsOn = -1
  /** -1 for none. */
  expiresOn = -1
  imminent = false
  availableSince = 0

  read(input: ByteReader): void {
    const first = input.byte()
    const second = input.byte()
    this.type = first & 0x07
    this.quality = (first >> 3) & 0x07
    this.imminent = (second & IMMINENT) !== 0
    this.live = (second & (STARTS | STARTS_UNKNOWN)) === 0
    this.source = input.varint()
    this.service = input.varint()
    this.addon = (second & HAS_ADDON) !== 0 ? input.varint() : -1
    this.audios = input.varint()
    this.subtitles = input.varint()
    this.price = (first & HAS_PRICE) !== 0 ? input.varint() : -1
    const linkSize = input.varint()
    this.linkStart = input.position
    this.linkEnd = this.linkStart + linkSize
    input.position = this.linkEnd
    this.videoLinkStart = this.videoLinkEnd = 0
    if ((first & HAS_VIDEO_LINK) !== 0) {
      const size = input.varint()
      this.videoLinkStart = input.position
      this.videoLinkEnd = this.videoLinkStart + size
      input.position = this.videoLinkEnd
    }
    this.startsOn = (second & STARTS) !== 0 ? input.varint() : -1
    this.expiresOn = (second & HAS_EXPIRY) !== 0 ? input.varint() : -1
    this.availableSince = input.varint()
  }

  get offerType(): OfferType {
    return OFFER_TYPES[this.type] as OfferType
  }

  get hasVideoLink(): boolean {
    return this.videoLinkStart > 0
  }
}

/** Reads an offer back as the model knows it. */
export function readOffer(input: ByteReader, dictionary: Dictionary, stored: StoredOffer): Offer {
  stored.read(input)
  const text = (start: number, end: number) => JSON.parse(`"${input.buffer.toString('utf8', start, end)}"`) as string
  return {
    source: dictionary.text(stored.source),
    service: dictionary.text(stored.service),
    type: stored.offerType,
    ...(stored.addon >= 0 && { addon: dictionary.text(stored.addon) }),
    link: text(stored.linkStart, stored.linkEnd),
    ...(stored.hasVideoLink && { videoLink: text(stored.videoLinkStart, stored.videoLinkEnd) }),
    ...(stored.quality > 0 && { quality: QUALITIES[stored.quality - 1] as Quality }),
    audios: JSON.parse(dictionary.text(stored.audios)) as Locale[],
    subtitles: JSON.parse(dictionary.text(stored.subtitles)) as Subtitle[],
    ...(stored.price >= 0 && { price: priceOf(dictionary.text(stored.price)) }),
    ...(!stored.live && { startsOn: stored.startsOn >= 0 ? stored.startsOn : UNKNOWN_START }),
    ...(stored.expiresOn >= 0 && { expiresOn: stored.expiresOn }),
    ...(stored.imminent && { imminent: true as const }),
    availableSince: stored.availableSince,
  }
}

function priceOf(json: string): { amount: string; currency: string } {
  const { amount, currency } = JSON.parse(json) as { amount: string; currency: string }
  return { amount, currency }
}

function jsonInside(text: string): string {
  const json = JSON.stringify(text)
  return json.slice(1, -1)
}
