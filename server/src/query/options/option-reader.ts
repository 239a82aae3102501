import type { Catalog } from '../../catalog/catalog.ts'
import { forEachCountry, OfferReader } from '../../catalog/documents/offers-codec.ts'
import { term } from '../../catalog/index/terms.ts'
import { ByteReader } from '../../catalog/storage/byte-stream.ts'
import { DOCS_PER_BLOCK, readBlockVersions } from '../../catalog/storage/meta.ts'
import { DOCS_PER_SEGMENT, NO_END, type OptionRows } from './option-segment.ts'

/** Reads the live options of shows from the catalog, those of seasons and episodes left out. */
export class OptionReader {
  private readonly catalog: Catalog
  private readonly reader: OfferReader
  private blocks: { readonly version: number; readonly versions: readonly number[] } = { version: -1, versions: [] }

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.reader = new OfferReader(catalog.dictionary, Buffer.alloc(0))
  }

  /** The version of the catalog. */
  version(): number {
    return this.catalog.version()
  }

  /** For each block of documents the catalog version at which one of them was last written. */
  blockVersions(): readonly number[] {
    const version = this.version()
    if (version !== this.blocks.version) this.blocks = { version, versions: readBlockVersions(this.catalog.meta) }
    return this.blocks.versions
  }

  /** Adds the options of the documents of a block to the rows of some countries, at the current version. */
  addBlock(block: number, rows: ReadonlyMap<string, OptionRows>, version: number): void {
    const sets = Array.from(rows.keys(), (country) => this.catalog.docsWithTerm(term.country(country), version))
    const end = (block + 1) * DOCS_PER_BLOCK
    for (let doc = block * DOCS_PER_BLOCK; doc < end; doc++) {
      if (sets.some((inCountry) => inCountry.has(doc))) this.addDocument(doc, rows)
    }
  }

  private addDocument(doc: number, rows: ReadonlyMap<string, OptionRows>): void {
    const { documents } = this.catalog
    const stored = documents.offersRecord('offers', doc)
    if (stored === undefined) return
    // A copy: reading the id and links overwrites the record.
    const record = Buffer.from(stored.subarray(0, stored.length))
    const { id } = documents.sortValue(doc, 'rating')
    forEachCountry(record, (country, start) => {
      const rowsOfCountry = rows.get(country)
      if (rowsOfCountry !== undefined)
        this.addOptions(doc % DOCS_PER_SEGMENT, id, new ByteReader(record, start), rowsOfCountry)
    })
  }

  /** Adds the options of a document in a country, of which a list begins where the input stands. */
  private addOptions(doc: number, id: number, input: ByteReader, rows: OptionRows): void {
    const option = this.reader.reset(input)
    for (let left = option.readCount(); left > 0; left--) {
      option.next()
      if (!option.isLive || option.isRepeated) continue
      rows.add(doc, id, option, option.availableSince, option.expiresOn < 0 ? NO_END : option.expiresOn)
    }
  }
}
