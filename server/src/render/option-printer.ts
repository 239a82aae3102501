import type { OfferReader } from '../catalog/documents/offers-codec.ts'
import type { ByteWriter } from '../catalog/storage/byte-stream.ts'
import type { Dictionary } from '../catalog/storage/dictionary.ts'
import { expiresSoonFrom, QUALITIES } from '../model/offer.ts'
import type { RenderOptions } from './render-options.ts'
import { writeChosenMembers } from './shape-object.ts'

/** A reader over the offers of one country; it advances item by item with the outline. */
export interface CountryOffers {
  readonly country: string
  readonly reader: OfferReader
}

/* Constant JSON fragments. */
const ADDON = Buffer.from(',"addon":')
const LINK = Buffer.from(',"link":"')
const VIDEO_LINK = Buffer.from('","videoLink":"')
const AFTER_LINK = [
  Buffer.from('","audios":'),
  ...QUALITIES.map((quality) => Buffer.from(`","quality":"${quality}","audios":`)),
]
const SUBTITLES = Buffer.from(',"subtitles":')
const PRICE = Buffer.from(',"price":')
const EXPIRES_SOON_ON = Buffer.from(',"expiresSoon":true,"expiresOn":')
const EXPIRES_LATER_ON = Buffer.from(',"expiresSoon":false,"expiresOn":')
const EXPIRES_SOON_AVAILABLE = Buffer.from(',"expiresSoon":true,"availableSince":')
const AVAILABLE = Buffer.from(',"expiresSoon":false,"availableSince":')
const AVAILABLE_SINCE = Buffer.from(',"availableSince":')

/** Prints the options of a show, a season or an episode from stored offers. */
export class OptionPrinter {
  private readonly dictionary: Dictionary

  constructor(dictionary: Dictionary) {
    this.dictionary = dictionary
  }

  /** Prints the live ones by country. Returns the instant until which they are valid. */
  print(out: ByteWriter, offers: readonly CountryOffers[], options: RenderOptions): number {
    let validUntil = Number.POSITIVE_INFINITY
    let countries = 0
    out.ascii('{')
    for (const { country, reader } of offers) {
      const { reference, language, optionFields: fields } = options
      const optionTable =
        fields === undefined
          ? reference.optionTable(country, language)
          : reference.chosenOptionTable(country, language, fields)
      let written = 0
      for (let left = reader.readCount(); left > 0; left--) {
        reader.next()
        if (!reader.isLive || reader.isRepeated) continue
        if (written === 0) {
          out.ascii(countries > 0 ? `,"${country}":[` : `"${country}":[`)
          countries++
        } else out.ascii(',')
        const head = optionTable.get(reader.service * 8 + reader.type)
        out.bytes(head)
        validUntil = Math.min(validUntil, this.writeOption(out, reader, country, options, head.length === 1))
        written++
      }
      if (written > 0) out.ascii(']')
    }
    out.ascii('}')
    return validUntil
  }

  /** Writes an option from its addon on. */
  private writeOption(
    out: ByteWriter,
    offer: OfferReader,
    country: string,
    options: RenderOptions,
    isBare: boolean,
  ): number {
    const { dictionary } = this
    const { reference, language, now, optionFields } = options
    const soonFrom = expiresSoonFrom(offer.imminent, offer.expiresOn < 0 ? undefined : offer.expiresOn)
    const soon = now >= soonFrom
    const validUntil = soon ? Number.POSITIVE_INFINITY : soonFrom
    if (optionFields !== undefined) {
      const hasAddon = offer.addon >= 0 && optionFields.addon !== undefined
      const addons = hasAddon ? reference.chosenAddonTable(offer.service, country, language, optionFields) : undefined
      writeChosenMembers(out, offer, optionFields, { dictionary, addon: addons?.get(offer.addon), soon, isBare })
      return validUntil
    }
    if (offer.addon >= 0) {
      out.bytes(ADDON)
      out.bytes(reference.addonTable(offer.service, country, language).get(offer.addon))
    }
    out.bytes(LINK)
    out.startOf(offer.link.buffer, offer.link.length)
    if (offer.hasVideoLink) {
      out.bytes(VIDEO_LINK)
      out.startOf(offer.videoLink.buffer, offer.videoLink.length)
    }
    out.bytes(AFTER_LINK[offer.quality] as Buffer)
    out.bytes(dictionary.utf8(offer.audios))
    out.bytes(SUBTITLES)
    out.bytes(dictionary.utf8(offer.subtitles))
    if (offer.price >= 0) {
      out.bytes(PRICE)
      out.bytes(dictionary.utf8(offer.price))
    }
    if (offer.expiresOn >= 0) {
      out.bytes(soon ? EXPIRES_SOON_ON : EXPIRES_LATER_ON)
      out.decimal(offer.expiresOn)
      out.bytes(AVAILABLE_SINCE)
    } else out.bytes(soon ? EXPIRES_SOON_AVAILABLE : AVAILABLE)
    out.decimal(offer.availableSince)
    out.ascii('}')
    return validUntil
  }
}

/** Advances the readers past the offers of an item that is not printed. */
export function skipOffers(offers: readonly CountryOffers[]): void {
  for (const { reader } of offers) {
    for (let left = reader.readCount(); left > 0; left--) reader.next()
  }
}
