import type { Database, PutOptions } from 'lmdb'
import type { Offer } from '../../model/offer.ts'
import { lookupIds, type Show } from '../../model/show.ts'
import { ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import { APPEND, type Environment, INSERT } from '../storage/environment.ts'
import { encodeFacts } from './facts-codec.ts'
import { encodeHistory } from './history-codec.ts'
import { OfferWriter } from './offers-codec.ts'
import { encodeOutline, encodeSeasonOffers } from './outline-codec.ts'
import { ChecksumWriter } from './record-checksums.ts'
import { encodeTexts } from './texts-codec.ts'

/** The tables of shows: ids to document numbers, and the records of each document. */
export type DocumentTables = Pick<
  Environment,
  'ids' | 'facts' | 'texts' | 'outlines' | 'offers' | 'seasonOffers' | 'history' | 'checksums'
>

/** Encodes shows into their records. Only within a write transaction. */
export class DocumentWriter {
  private readonly tables: DocumentTables
  private readonly dictionary: Dictionary
  private readonly out = new ByteWriter(64 * 1024)
  private readonly offers: OfferWriter
  private readonly checksums: ChecksumWriter

  constructor(tables: DocumentTables, dictionary: Dictionary) {
    this.tables = tables
    this.dictionary = dictionary
    this.offers = new OfferWriter(dictionary)
    this.checksums = new ChecksumWriter(tables.checksums as Database<Buffer, number>)
  }

  /** Writes a show in place of the one that its document held before, if any. */
  write(doc: number, old: Show | undefined, show: Show): void {
    const mode = old === undefined ? APPEND : INSERT
    this.writeIds(doc, old, show)
    this.writeTexts(doc, old, show, mode)
    this.writeOffers(doc, old, show, mode)
    this.writeHistory(doc, old, show, mode)
    this.checksums.write(doc, mode)
  }

  /** Writes the ids of a show, and deletes those that only the former one had. */
  writeIds(doc: number, old: Show | undefined, show: Show): void {
    const { ids } = this.tables
    const kept = documentIds(show)
    for (const id of old === undefined ? [] : documentIds(old)) {
      if (!kept.includes(id) && ids.get(id) === doc) ids.removeSync(id)
    }
    for (const id of kept) if (old === undefined || ids.get(id) !== doc) ids.putSync(id, doc)
  }

  private writeTexts(doc: number, old: Show | undefined, show: Show, mode: PutOptions): void {
    const { out, tables, checksums } = this
    encodeFacts(out.reset(), show)
    checksums.set('facts', out.view())
    tables.facts.putSync(doc, out.view(), mode)
    encodeTexts(out.reset(), show, this.dictionary)
    checksums.set('texts', out.view())
    tables.texts.putSync(doc, out.view(), mode)
    checksums.set('outlines', undefined)
    if (show.seasons !== undefined) {
      encodeOutline(out.reset(), show.seasons)
      checksums.set('outlines', out.view())
      tables.outlines.putSync(doc, out.view(), mode)
    } else if (old?.seasons !== undefined) tables.outlines.removeSync(doc)
  }

  private writeOffers(doc: number, old: Show | undefined, show: Show, mode: PutOptions): void {
    const { offers, tables, checksums } = this
    offers.begin()
    for (const country of Object.keys(show.offers).sort()) {
      offers.beginCountry(country)
      offers.writeList(show.offers[country] as readonly Offer[])
      offers.endCountry()
    }
    checksums.set('offers', offers.isEmpty ? undefined : offers.view())
    if (!offers.isEmpty) tables.offers.putSync(doc, offers.view(), mode)
    else if (old !== undefined) tables.offers.removeSync(doc)
    offers.begin()
    if (show.seasons !== undefined) encodeSeasonOffers(offers, show.seasons)
    checksums.set('seasonOffers', offers.isEmpty ? undefined : offers.view())
    if (!offers.isEmpty) tables.seasonOffers.putSync(doc, offers.view(), mode)
    else if (old?.seasons !== undefined) tables.seasonOffers.removeSync(doc)
  }

  private writeHistory(doc: number, old: Show | undefined, { history }: Show, mode: PutOptions): void {
    const { out, checksums } = this
    const table = this.tables.history as Database<Buffer, number>
    checksums.set('history', undefined)
    if (history !== undefined) {
      encodeHistory(out.reset(), history, this.dictionary)
      checksums.set('history', out.view())
      table.putSync(doc, out.view(), mode)
    } else if (old?.history !== undefined) table.removeSync(doc)
  }
}

/** The ids under which a document is found. One that was merged into another show keeps only a private key. */
function documentIds(show: Show): string[] {
  return show.mergedInto !== undefined ? [`=${show.id}`] : lookupIds(show)
}
