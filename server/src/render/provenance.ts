import type { Catalog } from '../catalog/catalog.ts'
import { OfferReader } from '../catalog/documents/offers-codec.ts'

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
