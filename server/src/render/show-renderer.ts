import type { Catalog } from '../catalog/catalog.ts'
import { ImagePrinter } from '../catalog/documents/image-codec.ts'
import { findCountryPart, OfferReader } from '../catalog/documents/offers-codec.ts'
import { StoredTexts } from '../catalog/documents/texts-codec.ts'
import { ByteReader, type ByteWriter } from '../catalog/storage/byte-stream.ts'
import type { OutputLanguage } from '../model/language.ts'
import { expiresSoonFrom, OFFER_TYPES, QUALITIES } from '../model/offer.ts'
import type { Granularity } from '../model/show.ts'
import type { ReferenceRenderer } from './reference-renderer.ts'

/** What a show is rendered for. */
export interface RenderOptions {
  /** Only the offers of these countries; undefined for all countries. */
  readonly countries: readonly string[] | undefined
  readonly language: OutputLanguage
  readonly granularity: Granularity
  readonly now: number
  readonly reference: ReferenceRenderer
}

/** A reader over the offers of one country; it advances item by item with the outline. */
interface CountryOffers {
  readonly country: string
  readonly reader: OfferReader
}

/* Constant JSON fragments. */
const OVERVIEW = Buffer.from(',"overview":')
const EMPTY_TEXT = Buffer.from('""')
const OPEN_SERVICE = Buffer.from('{"service":')
const TYPES = OFFER_TYPES.map((type) => Buffer.from(`,"type":"${type}"`))
const ADDON = Buffer.from(',"addon":')
const LINK = Buffer.from(',"link":"')
const VIDEO_LINK = Buffer.from('","videoLink":"')
const AFTER_LINK = [
  Buffer.from('","audios":'),
  ...QUALITIES.map((quality) => Buffer.from(`","quality":"${quality}","audios":`)),
]
const SUBTITLES = Buffer.from(',"subtitles":')
const PRICE = Buffer.from(',"price":')
const EXPIRES_SOON = Buffer.from(',"expiresSoon":true')
const NOT_EXPIRES_SOON = Buffer.from(',"expiresSoon":false')
const EXPIRES_ON = ',"expiresOn":'
const NO_SEASONS = ',"seasons":[]'
const AVAILABLE_SINCE = ',"availableSince":'

/** Renders shows as JSON by copying the stored fragments; nothing is parsed. */
export class ShowRenderer {
  private readonly catalog: Catalog
  private readonly texts = new StoredTexts()
  private readonly images = new ImagePrinter()
  private readonly offers: OfferReader
  /** The record in use: first the texts, then the offers. */
  private readonly scratch = new ScratchBuffer()

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.offers = new OfferReader(catalog.dictionary, Buffer.alloc(0))
  }

  /** Writes a show; returns the instant until which the output is valid within this catalog version. */
  write(out: ByteWriter, doc: number, options: RenderOptions): number {
    const { language, granularity, countries } = options
    const { documents } = this.catalog
    this.texts.locate(this.scratch.copy(documents.textsRecord(doc)), language)
    this.writeTexts(out, options)
    const hasSeasons = granularity !== 'show' && this.texts.isSeries
    let validUntil = this.writeOptions(out, this.countryOffers('offers', doc, countries), options)
    if (hasSeasons) {
      const outline = documents.outlineRecord(doc)
      if (outline === undefined) out.ascii(NO_SEASONS)
      else validUntil = Math.min(validUntil, this.writeSeasons(out, doc, outline, options))
    }
    out.ascii('}')
    return validUntil
  }

  private writeTexts(out: ByteWriter, { language, reference }: RenderOptions): void {
    const { buffer, head, title, overview, middle, genres, tail, images } = this.texts
    out.bytes(buffer, head.start, head.end)
    out.bytes(buffer, title.start, title.end)
    out.bytes(OVERVIEW)
    if (overview.end > overview.start) out.bytes(buffer, overview.start, overview.end)
    else out.bytes(EMPTY_TEXT)
    out.bytes(buffer, middle.start, middle.end)
    for (let i = 0; i < genres.length; i++) {
      if (i > 0) out.ascii(',')
      out.bytes(reference.genre(genres[i] as number, language))
    }
    out.bytes(buffer, tail.start, tail.end)
    this.images.print(out, new ByteReader(buffer, images.start))
    out.ascii(',"streamingOptions":')
  }

  private countryOffers(
    table: 'offers' | 'seasonOffers',
    doc: number,
    countries: readonly string[] | undefined,
  ): readonly CountryOffers[] {
    if (countries?.length !== 1) {
      return this.catalog.documents
        .offersByCountry(table, doc)
        .filter(([country]) => countries?.includes(country) !== false)
        .map(([country, part]) => ({ country, reader: new OfferReader(this.catalog.dictionary, part) }))
    }
    const [country] = countries as [string]
    const record = this.catalog.documents.offersRecord(table, doc)
    const part = record === undefined ? undefined : findCountryPart(record, country)
    if (record === undefined || part === undefined) return []
    return [{ country, reader: this.offers.reset(this.scratch.copy(record, part.start, part.end)) }]
  }

  private writeSeasons(out: ByteWriter, doc: number, outline: Buffer, options: RenderOptions): number {
    const withEpisodes = options.granularity === 'episode'
    const offers = this.countryOffers('seasonOffers', doc, options.countries)
    const input = new ByteReader(outline)
    let validUntil = Number.POSITIVE_INFINITY
    out.ascii(',"seasons":[')
    const seasons = input.varint()
    for (let s = 0; s < seasons; s++) {
      if (s > 0) out.ascii(',')
      this.writeFragment(out, input)
      validUntil = Math.min(validUntil, this.writeOptions(out, offers, options))
      const episodes = input.varint()
      if (withEpisodes && episodes > 0) out.ascii(',"episodes":[')
      for (let e = 0; e < episodes - 1; e++) {
        if (withEpisodes) {
          if (e > 0) out.ascii(',')
          this.writeFragment(out, input)
          validUntil = Math.min(validUntil, this.writeOptions(out, offers, options))
          out.ascii('}')
        } else {
          input.skip(input.varint())
          this.skipOptions(offers)
        }
      }
      out.ascii(withEpisodes && episodes > 0 ? ']}' : '}')
    }
    out.ascii(']')
    return validUntil
  }

  private writeFragment(out: ByteWriter, input: ByteReader): void {
    const size = input.varint()
    out.bytes(input.buffer, input.position, input.position + size)
    input.skip(size)
  }

  private skipOptions(offers: readonly CountryOffers[]): void {
    for (const { reader } of offers) {
      for (let left = reader.readCount(); left > 0; left--) reader.next()
    }
  }

  /** Writes the live options of a show, season or episode by country. */
  private writeOptions(out: ByteWriter, offers: readonly CountryOffers[], options: RenderOptions): number {
    let validUntil = Number.POSITIVE_INFINITY
    let countries = 0
    out.ascii('{')
    for (const { country, reader } of offers) {
      let written = 0
      for (let left = reader.readCount(); left > 0; left--) {
        reader.next()
        if (!reader.isLive || reader.isRepeated) continue
        if (written === 0) {
          out.ascii(countries > 0 ? `,"${country}":[` : `"${country}":[`)
          countries++
        } else out.ascii(',')
        validUntil = Math.min(validUntil, this.writeOption(out, reader, country, options))
        written++
      }
      if (written > 0) out.ascii(']')
    }
    out.ascii('}')
    return validUntil
  }

  private writeOption(out: ByteWriter, offer: OfferReader, country: string, options: RenderOptions): number {
    const { dictionary } = this.catalog
    const { reference, language, now } = options
    out.bytes(OPEN_SERVICE)
    out.bytes(reference.service(offer.service, country, language))
    out.bytes(TYPES[offer.type] as Buffer)
    if (offer.addon >= 0) {
      out.bytes(ADDON)
      out.bytes(reference.addon(offer.addon, offer.service, country, language))
    }
    out.bytes(LINK)
    out.bytes(offer.link.buffer, 0, offer.link.length)
    if (offer.hasVideoLink) {
      out.bytes(VIDEO_LINK)
      out.bytes(offer.videoLink.buffer, 0, offer.videoLink.length)
    }
    out.bytes(AFTER_LINK[offer.quality] as Buffer)
    out.bytes(dictionary.utf8(offer.audios))
    out.bytes(SUBTITLES)
    out.bytes(dictionary.utf8(offer.subtitles))
    if (offer.price >= 0) {
      out.bytes(PRICE)
      out.bytes(dictionary.utf8(offer.price))
    }
    const soonFrom = expiresSoonFrom(offer.imminent, offer.expiresOn < 0 ? undefined : offer.expiresOn)
    const soon = now >= soonFrom
    out.bytes(soon ? EXPIRES_SOON : NOT_EXPIRES_SOON)
    if (offer.expiresOn >= 0) out.ascii(EXPIRES_ON + offer.expiresOn)
    out.ascii(`${AVAILABLE_SINCE}${offer.availableSince}}`)
    return soon ? Number.POSITIVE_INFINITY : soonFrom
  }
}

/**
 * A reused copy of the last record. `getBinaryFast` returns memory that the next read overwrites, and rendering reads
 * other tables in between.
 */
class ScratchBuffer {
  private buffer = Buffer.allocUnsafe(16 * 1024)

  /** Copies a range; the buffer that lmdb lends is larger than its `length` says. */
  copy(bytes: Uint8Array, start = 0, end = bytes.length): Buffer {
    const length = end - start
    if (length > this.buffer.length) this.buffer = Buffer.allocUnsafe(length * 2)
    this.buffer.set(bytes.subarray(start, end))
    return this.buffer.subarray(0, length)
  }
}
