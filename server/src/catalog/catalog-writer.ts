import { createHash } from 'node:crypto'
import { itemsOf } from '../model/item.ts'
import type { Show } from '../model/show.ts'
import type { Batch } from './batch.ts'
import { type Catalog, type CatalogCounts, countryKey, pastRanges } from './catalog.ts'
import { changeKey } from './change-log.ts'
import { ByteWriter } from './codec/byte-writer.ts'
import { writeFacts } from './codec/facts-codec.ts'
import { writeOffer } from './codec/offers-codec.ts'
import { encodeSeasonOffers, writeOutline } from './codec/outline-codec.ts'
import { writeTexts } from './codec/texts-codec.ts'
import { columnsOf } from './columns-of.ts'
import { CATALOG_FORMAT } from './environment.ts'
import type { ColumnEntry, Position } from './sorted-column.ts'
import { storedForms } from './spelling.ts'
import { term, termsOf } from './terms.ts'
import { windowsOf } from './windows.ts'

/** What a batch does to one term or column, gathered so that each is written once. */
interface Difference<Out, In> {
  readonly removed: Out[]
  readonly added: In[]
}

/** The write side of the embedded engine. One process at a time writes; LMDB makes others wait. */
export class CatalogWriter {
  private readonly catalog: Catalog
  private readonly out = new ByteWriter(64 * 1024)

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /**
   * Makes a batch and makes it true, whole or not at all, and returns the catalog's version. While the batch is being
   * made nobody else writes, so what it is made from stays as it is.
   */
  apply(make: () => Batch | undefined): number {
    try {
      return this.catalog.environment.root.transactionSync(() => {
        const batch = make()
        return batch === undefined ? this.catalog.version() : this.applyWithin(batch)
      })
    } catch (error) {
      this.catalog.dictionary.forget()
      this.catalog.columns.forget()
      throw error
    }
  }

  private applyWithin(batch: Batch): number {
    const { environment, changes } = this.catalog
    // What is only noted about a source alters no answer, and so makes no new version.
    const version = this.catalog.version() + (altersAnswers(batch) ? 1 : 0)
    const terms = new Map<string, Difference<number, number>>()
    const columns = new Map<string, Difference<Position, ColumnEntry>>()
    const tally = new Tally(this.catalog.counts())
    for (const show of batch.shows) this.applyShow(show, terms, columns, tally)
    for (const [name, { removed, added }] of terms) this.applyTerm(name, removed, added, version)
    for (const [name, { removed, added }] of columns) this.catalog.columns.update(name, removed, added, version)
    const docs = new Map<string, number | undefined>()
    for (const change of batch.changes) {
      const { showId } = change
      if (!docs.has(showId)) docs.set(showId, this.catalog.ownDocOf(showId))
      const doc = docs.get(showId)
      if (doc === undefined) throw new Error(`A change names show ${showId}, which the catalog does not have`)
      changes.put(doc, change)
    }
    if (batch.reference !== undefined) {
      environment.meta.putSync('reference', batch.reference)
      environment.meta.putSync('referenceRevision', version)
    }
    for (const { country, service, showType, shows } of batch.topLists ?? []) {
      const key = `${country}/${service}/${showType}`
      if (shows.length > 0) environment.tops.putSync(key, shows)
      else environment.tops.removeSync(key)
    }
    if (batch.source !== undefined) environment.sources.putSync(batch.source.name, batch.source)
    if (batch.forgetChangesBefore !== undefined) this.forgetChanges(batch.forgetChangesBefore)
    environment.meta.putSync('counts', tally.counts())
    const highestId = batch.shows.reduce((highest, { id }) => Math.max(highest, Number(id)), this.catalog.highestId())
    environment.meta.putSync('highestId', highestId)
    environment.meta.putSync('format', CATALOG_FORMAT)
    if (version > this.catalog.version()) {
      const summary = JSON.stringify([this.catalog.edition(), batch.at, tally.counts(), batch.changes.length])
      environment.meta.putSync('edition', createHash('sha256').update(summary).digest('hex').slice(0, 12))
      environment.meta.putSync('version', version)
    }
    return version
  }

  private applyShow(
    show: Show,
    terms: Map<string, Difference<number, number>>,
    columns: Map<string, Difference<Position, ColumnEntry>>,
    tally: Tally,
  ): void {
    const { catalog } = this
    const known = catalog.ownDocOf(show.id)
    const old = known === undefined ? undefined : catalog.show(known)
    const doc = known ?? this.nextDoc()
    tally.replace(old, show)
    this.writeIds(doc, old, show)
    this.writeRecords(doc, old, show)
    this.writeWindows(doc, old, show)

    const oldTerms = old === undefined ? new Set<string>() : termsOf(old)
    const newTerms = termsOf(show)
    for (const name of oldTerms) if (!newTerms.has(name)) difference(terms, name).removed.push(doc)
    for (const name of newTerms) if (!oldTerms.has(name)) difference(terms, name).added.push(doc)

    const oldColumns = old === undefined ? new Map<string, never>() : columnsOf(old)
    const newColumns = columnsOf(show)
    const id = Number(show.id)
    for (const [name, value] of oldColumns) {
      if (newColumns.get(name) !== value) difference(columns, name).removed.push({ value, id })
    }
    for (const [name, value] of newColumns) {
      if (oldColumns.get(name) !== value) difference(columns, name).added.push({ value, id, doc })
    }
  }

  private writeIds(doc: number, old: Show | undefined, show: Show): void {
    const { ids } = this.catalog.environment
    // The ids of a show that was merged into another lead to that one.
    const idsOf = ({ id, imdbId, tmdbId, formerIds = [], mergedInto }: Show) =>
      mergedInto !== undefined ? [`=${id}`] : [id, imdbId, tmdbId, ...formerIds].filter((key) => key !== '')
    const kept = new Set(idsOf(show))
    for (const id of old === undefined ? [] : idsOf(old)) {
      if (!kept.has(id) && ids.get(id) === doc) ids.removeSync(id)
    }
    for (const id of kept) if (ids.get(id) !== doc) ids.putSync(id, doc)
  }

  private writeRecords(doc: number, old: Show | undefined, show: Show): void {
    const { environment, dictionary } = this.catalog
    const { out } = this
    writeFacts(out.reset(), show)
    environment.facts.putSync(doc, out.finish())
    writeTexts(out.reset(), show, dictionary)
    environment.texts.putSync(doc, out.finish())
    if (show.seasons !== undefined) {
      writeOutline(out.reset(), show.seasons)
      environment.outlines.putSync(doc, out.finish())
    } else if (old?.seasons !== undefined) environment.outlines.removeSync(doc)

    const countries = countriesOf(show)
    for (const country of old === undefined ? [] : countriesOf(old)) countries.add(country)
    for (const country of countries) {
      const key = countryKey(doc, country)
      const offers = show.offers[country] ?? []
      if (offers.length > 0) {
        out.reset().varint(offers.length)
        for (const offer of offers) writeOffer(out, offer, dictionary)
        environment.offers.putSync(key, out.finish())
      } else if (old !== undefined) environment.offers.removeSync(key)
      const seasonOffers = encodeSeasonOffers(show.seasons ?? [], country, dictionary)
      if (seasonOffers !== undefined) environment.seasonOffers.putSync(key, seasonOffers)
      else if (old?.seasons !== undefined) environment.seasonOffers.removeSync(key)
    }
  }

  private writeWindows(doc: number, old: Show | undefined, show: Show): void {
    const windows = windowsOf(show)
    if (old !== undefined) {
      const kept = new Set(windows.map((window) => changeKey(window).toString('latin1')))
      for (const window of windowsOf(old)) {
        if (!kept.has(changeKey(window).toString('latin1'))) this.catalog.windows.remove(window)
      }
    }
    for (const window of windows) this.catalog.windows.put(doc, window)
  }

  private applyTerm(name: string, removed: readonly number[], added: readonly number[], version: number): void {
    const fate = this.catalog.postings.update(name, removed, added, version)
    const wordPrefix = term.titleWord('')
    if (fate === 0 || !name.startsWith(wordPrefix)) return
    const word = name.slice(wordPrefix.length)
    const { spellings } = this.catalog.environment
    for (const form of storedForms(word)) {
      const words = new Set((spellings.get(form) as string | undefined)?.split(' ') ?? [])
      if (fate > 0) words.add(word)
      else words.delete(word)
      if (words.size > 0) spellings.putSync(form, [...words].sort().join(' '))
      else spellings.removeSync(form)
    }
  }

  private forgetChanges(instant: number): void {
    for (const range of pastRanges(this.catalog.reference())) this.catalog.changes.forgetBefore(range, instant)
  }

  private nextDoc(): number {
    const { meta } = this.catalog.environment
    const doc = (meta.get('nextDoc') as number | undefined) ?? 0
    meta.putSync('nextDoc', doc + 1)
    return doc
  }
}

function altersAnswers({ shows, changes, reference, topLists = [], forgetChangesBefore }: Batch): boolean {
  return (
    shows.length > 0 ||
    changes.length > 0 ||
    reference !== undefined ||
    topLists.length > 0 ||
    forgetChangesBefore !== undefined
  )
}

function difference<Out, In>(all: Map<string, Difference<Out, In>>, name: string): Difference<Out, In> {
  let one = all.get(name)
  if (one === undefined) {
    one = { removed: [], added: [] }
    all.set(name, one)
  }
  return one
}

/** The countries in which anything of a show has an offer, live or upcoming. */
function countriesOf(show: Show): Set<string> {
  const countries = new Set<string>()
  for (const [, offers] of itemsOf(show)) for (const country in offers) countries.add(country)
  return countries
}

/** Keeps count of shows and offers while a batch is applied. */
class Tally {
  private shows: number
  private offers: number
  private readonly bySource: Map<string, number>

  constructor({ shows, offers, offersBySource }: CatalogCounts) {
    this.shows = shows
    this.offers = offers
    this.bySource = new Map(Object.entries(offersBySource))
  }

  replace(old: Show | undefined, show: Show): void {
    if (old !== undefined) this.count(old, -1)
    this.count(show, 1)
  }

  counts(): CatalogCounts {
    const sources = [...this.bySource].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))
    return { shows: this.shows, offers: this.offers, offersBySource: Object.fromEntries(sources) }
  }

  private count(show: Show, sign: 1 | -1): void {
    if (show.withdrawn !== true) this.shows += sign
    for (const [, offers] of itemsOf(show)) {
      for (const country in offers) {
        for (const { source } of offers[country] ?? []) {
          this.offers += sign
          this.bySource.set(source, (this.bySource.get(source) ?? 0) + sign)
        }
      }
    }
  }
}
