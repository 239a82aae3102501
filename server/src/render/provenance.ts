import type { Catalog } from '../catalog/catalog.ts'
import { OfferReader } from '../catalog/documents/offers-codec.ts'
import type { SourceRecord } from '../catalog/storage/meta.ts'
import { isCovered } from '../model/history.ts'

/** A source that states an option: since when, and when a complete feed of it last confirmed that. */
export interface Provenance {
  readonly source: string
  readonly firstConfirmed: number
  /** Undefined where no complete feed has covered the option since then. */
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
  private readonly sources = new Map<string, SourceRecord | undefined>()
  /** When a source last confirmed its options on a service in a country, which many options have in common. */
  private readonly confirmed = new Map<string, number | undefined>()

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
    return new Map([...this.readers].map(([country, reader]) => [country, this.readItem(reader, country)]))
  }

  private readItem(reader: OfferReader, country: string): ItemProvenance {
    const printed = new Map<string, Provenance[]>()
    const list: Provenance[][] = []
    for (let left = reader.readCount(); left > 0; left--) {
      reader.next()
      if (!reader.isLive) continue
      const name = printedAs(reader)
      const earlier = printed.get(name)
      if (reader.isRepeated && earlier !== undefined) {
        earlier.push(this.provenance(reader, country))
        continue
      }
      const sources = [this.provenance(reader, country)]
      list.push(sources)
      if (earlier === undefined) printed.set(name, sources)
    }
    return list
  }

  private provenance({ source: number, service, availableSince }: OfferReader, country: string): Provenance {
    const { dictionary } = this.catalog
    const source = dictionary.text(number)
    const key = `${number} ${service} ${country}`
    if (!this.confirmed.has(key)) {
      const place = { country, service: dictionary.text(service) }
      this.confirmed.set(key, findLastConfirmation(this.findSource(source), place))
    }
    const lastConfirmed = this.confirmed.get(key)
    // A feed that came before the option did not have it.
    const isConfirmed = lastConfirmed !== undefined && lastConfirmed >= availableSince
    return { source, firstConfirmed: availableSince, ...(isConfirmed && { lastConfirmed }) }
  }

  private findSource(name: string): SourceRecord | undefined {
    if (!this.sources.has(name)) this.sources.set(name, this.catalog.source(name))
    return this.sources.get(name)
  }
}

/** The time of the last complete feed that covers a service in a country; undefined if there was none. */
function findLastConfirmation(
  source: Pick<SourceRecord, 'confirmedAt' | 'confirmations'> | undefined,
  place: { readonly country: string; readonly service: string },
): number | undefined {
  const { confirmedAt, confirmations = [] } = source ?? {}
  const times = confirmations.filter((one) => isCovered(one, place)).map(({ at }) => at)
  return confirmedAt === undefined && times.length === 0 ? undefined : Math.max(confirmedAt ?? 0, ...times)
}

/** What is printed of an offer, as a key. */
function printedAs(offer: OfferReader): string {
  const { type, service, addon, quality, audios, subtitles, price, expiresOn, imminent, availableSince } = offer
  const links = [offer.link.text(), offer.hasVideoLink ? offer.videoLink.text() : '']
  return [type, service, addon, quality, audios, subtitles, price, expiresOn, imminent, availableSince, ...links].join(
    '\n',
  )
}
