import type { Catalog } from '../catalog/catalog.ts'
import { OfferReader } from '../catalog/documents/offers-codec.ts'
import { QUALITIES, type Quality } from '../model/offer.ts'

/** What a printed option is compared by. */
export interface PrintedOption {
  readonly service: { readonly id: string }
  readonly type: string
  readonly addon?: { readonly id: string }
  readonly quality?: Quality
  readonly price?: { readonly amount: string; readonly currency: string }
}

/**
 * The cheapest of the options of a country: on a subscription or an addon that the viewer has, else free, else the
 * cheapest rental, else the cheapest purchase. Of equally cheap ones the best quality, then the first. Undefined if there
 * are only subscriptions that the viewer does not have.
 */
export function findBestOffer<T extends PrintedOption>(
  options: readonly T[],
  services: ReadonlySet<string>,
): T | undefined {
  let best: T | undefined
  for (const option of options) {
    if (
      rank(option, services) < Number.POSITIVE_INFINITY &&
      (best === undefined || compare(option, best, services) < 0)
    )
      best = option
  }
  return best
}

function compare(a: PrintedOption, b: PrintedOption, services: ReadonlySet<string>): number {
  return rank(a, services) - rank(b, services) || comparePrices(a, b) || qualityNumber(b) - qualityNumber(a)
}

function rank({ service, type, addon }: PrintedOption, services: ReadonlySet<string>): number {
  switch (type) {
    case 'subscription':
      return services.has(service.id) ? 0 : Number.POSITIVE_INFINITY
    case 'addon':
      return services.has(`${service.id}.addon.${addon?.id}`) ? 0 : Number.POSITIVE_INFINITY
    case 'free':
      return 1
    case 'rent':
      return 2
    default:
      return 3
  }
}

/** An option without a price comes after those with one. Amounts of different currencies are not compared. */
function comparePrices({ price: a }: PrintedOption, { price: b }: PrintedOption): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a.currency === b.currency ? Number(a.amount) - Number(b.amount) : 0
}

function qualityNumber({ quality }: PrintedOption): number {
  return quality === undefined ? -1 : QUALITIES.indexOf(quality)
}

/** A source that states an option: when it did so first, and when a complete feed of it last did. */
export interface Provenance {
  readonly source: string
  readonly firstConfirmed: number
  /** Undefined where the source never sent a complete feed. */
  readonly lastConfirmed?: number
}

/** The provenance of the printed options of one item, in their order. */
type ItemProvenance = readonly (readonly Provenance[])[]

/**
 * Reads the provenance of the printed options of a show or, one after the other, of its seasons and episodes, in the order
 * in which they are stored.
 */
export class ProvenanceReader {
  private readonly catalog: Pick<Catalog, 'documents' | 'dictionary' | 'source'>
  private readonly readers: ReadonlyMap<string, OfferReader>

  constructor(
    catalog: Pick<Catalog, 'documents' | 'dictionary' | 'source'>,
    table: 'offers' | 'seasonOffers',
    doc: number,
  ) {
    this.catalog = catalog
    const parts = catalog.documents.offersByCountry(table, doc)
    this.readers = new Map(parts.map(([country, part]) => [country, new OfferReader(catalog.dictionary, part)]))
  }

  /** The next item: the provenance of its printed options by country. */
  next(): ReadonlyMap<string, ItemProvenance> {
    return new Map([...this.readers].map(([country, reader]) => [country, this.readItem(reader)]))
  }

  private readItem(reader: OfferReader): ItemProvenance {
    const printed = new Map<string, Provenance[]>()
    const list: Provenance[][] = []
    for (let left = reader.readCount(); left > 0; left--) {
      reader.next()
      if (!reader.isLive) continue
      const name = printedAs(reader)
      const earlier = printed.get(name)
      if (reader.isRepeated && earlier !== undefined) {
        earlier.push(this.provenance(reader))
        continue
      }
      const sources = [this.provenance(reader)]
      list.push(sources)
      if (earlier === undefined) printed.set(name, sources)
    }
    return list
  }

  private provenance({ source: number, availableSince }: OfferReader): Provenance {
    const source = this.catalog.dictionary.text(number)
    const confirmedAt = this.catalog.source(source)?.confirmedAt
    return { source, firstConfirmed: availableSince, ...(confirmedAt !== undefined && { lastConfirmed: confirmedAt }) }
  }
}

/** What is printed of an offer, as a key. */
function printedAs(offer: OfferReader): string {
  const { type, service, addon, quality, audios, subtitles, price, expiresOn, imminent, availableSince } = offer
  const links = [offer.link.text(), offer.hasVideoLink ? offer.videoLink.text() : '']
  return [type, service, addon, quality, audios, subtitles, price, expiresOn, imminent, availableSince, ...links].join(
    '\n',
  )
}
