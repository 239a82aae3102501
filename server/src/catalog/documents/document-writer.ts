import type { Offer } from '../../model/offer.ts'
import { lookupIds, type Show } from '../../model/show.ts'
import type { Catalog } from '../catalog.ts'
import { ByteWriter } from '../storage/byte-stream.ts'
import { APPEND, INSERT } from '../storage/environment.ts'
import { encodeFacts } from './facts-codec.ts'
import { OfferWriter } from './offers-codec.ts'
import { encodeOutline, encodeSeasonOffers } from './outline-codec.ts'
import { encodeTexts } from './texts-codec.ts'

/** Writes what is found under a document and an id: the records of shows. Only within a write transaction. */
export class DocumentWriter {
  private readonly catalog: Catalog
  private readonly out = new ByteWriter(64 * 1024)
  private readonly offers: OfferWriter

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.offers = new OfferWriter(catalog.dictionary)
  }

  /** Writes a show in place of the one that its document held before, if any. */
  write(doc: number, old: Show | undefined, show: Show): void {
    this.writeIds(doc, old, show)
    this.writeRecords(doc, old, show)
  }

  private writeIds(doc: number, old: Show | undefined, show: Show): void {
    const { ids } = this.catalog.environment
    const kept = documentIds(show)
    for (const id of old === undefined ? [] : documentIds(old)) {
      if (!kept.includes(id) && ids.get(id) === doc) ids.removeSync(id)
    }
    for (const id of kept) if (old === undefined || ids.get(id) !== doc) ids.putSync(id, doc)
  }

  private writeRecords(doc: number, old: Show | undefined, show: Show): void {
    const { environment, dictionary } = this.catalog
    const { out } = this
    const how = old === undefined ? APPEND : INSERT
    encodeFacts(out.reset(), show)
    environment.facts.putSync(doc, out.view(), how)
    encodeTexts(out.reset(), show, dictionary)
    environment.texts.putSync(doc, out.view(), how)
    if (show.seasons !== undefined) {
      encodeOutline(out.reset(), show.seasons)
      environment.outlines.putSync(doc, out.view(), how)
    } else if (old?.seasons !== undefined) environment.outlines.removeSync(doc)

    this.offers.begin()
    for (const country of Object.keys(show.offers).sort()) {
      this.offers.beginCountry(country)
      this.offers.writeList(show.offers[country] as readonly Offer[])
      this.offers.endCountry()
    }
    if (!this.offers.isEmpty) environment.offers.putSync(doc, this.offers.view(), how)
    else if (old !== undefined) environment.offers.removeSync(doc)
    this.offers.begin()
    if (show.seasons !== undefined) encodeSeasonOffers(this.offers, show.seasons)
    if (!this.offers.isEmpty) environment.seasonOffers.putSync(doc, this.offers.view(), how)
    else if (old?.seasons !== undefined) environment.seasonOffers.removeSync(doc)
  }
}

/** The ids under which a show's document is found. Those of a show that was merged into another lead to that one. */
function documentIds(show: Show): string[] {
  return show.mergedInto !== undefined ? [`=${show.id}`] : lookupIds(show)
}
