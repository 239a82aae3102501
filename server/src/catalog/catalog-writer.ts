import { createHash } from 'node:crypto'
import type { Offer, OffersByCountry } from '../model/offer.ts'
import type { Show } from '../model/show.ts'
import type { Batch } from './batch.ts'
import type { Catalog, CatalogCounts } from './catalog.ts'
import { type ChangePlace, compareChanges, listOf, StoredChange } from './change-log.ts'
import { ByteWriter } from './codec/byte-writer.ts'
import { writeFacts } from './codec/facts-codec.ts'
import { OfferWriter } from './codec/offers-codec.ts'
import { writeOutline, writeSeasonOffers } from './codec/outline-codec.ts'
import { writeTexts } from './codec/texts-codec.ts'
import { columnsOf } from './columns-of.ts'
import { CATALOG_FORMAT } from './environment.ts'
import type { ColumnEntry, Position, SortValue } from './sorted-column.ts'
import { TermDifferences } from './term-differences.ts'
import { windowsOf } from './windows.ts'

/** What a batch does to one term or list, gathered so that each is written once. */
interface Difference<Out, In> {
  readonly removed: Out[]
  readonly added: In[]
}

/** What a batch comes to, by the names of lists. */
class Differences<Out, In> {
  private readonly byName = new Map<string, Difference<Out, In>>()

  of(name: string): Difference<Out, In> {
    let one = this.byName.get(name)
    if (one === undefined) {
      one = { removed: [], added: [] }
      this.byName.set(name, one)
    }
    return one
  }

  [Symbol.iterator](): Iterator<[name: string, difference: Difference<Out, In>]> {
    return this.byName[Symbol.iterator]()
  }
}

/** The write side of the embedded engine. One process at a time writes; LMDB makes others wait. */
export class CatalogWriter {
  private readonly catalog: Catalog
  private readonly out = new ByteWriter(64 * 1024)
  private readonly offers: OfferWriter

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.offers = new OfferWriter(catalog.dictionary)
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
      this.catalog.forget()
      throw error
    }
  }

  private applyWithin(batch: Batch): number {
    const { environment, columns, changes, windows } = this.catalog
    // What is only noted about a source alters no answer, and so makes no new version.
    const version = this.catalog.version() + (altersAnswers(batch) ? 1 : 0)
    const pending: Pending = {
      nextDoc: (environment.meta.get('nextDoc') as number | undefined) ?? 0,
      tally: new Tally(this.catalog.counts()),
      terms: new TermDifferences(),
      columns: new Differences(),
      windows: new Differences(),
    }
    for (const show of batch.shows) this.applyShow(show, pending)
    pending.terms.write(this.catalog, version)
    for (const [name, { removed, added }] of pending.columns) columns.update(name, removed, added, version)
    for (const [list, { removed, added }] of pending.windows) windows.update(list, removed, added, version)
    for (const [list, { added }] of this.changesByList(batch)) changes.update(list, [], added, version)
    if (batch.forgetChangesBefore !== undefined) {
      for (const range of changes.ranges()) changes.dropBefore(range, batch.forgetChangesBefore, version)
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
    const counts = pending.tally.counts()
    environment.meta.putSync('counts', counts)
    const highestId = batch.shows.reduce((highest, { id }) => Math.max(highest, Number(id)), this.catalog.highestId())
    environment.meta.putSync('highestId', highestId)
    environment.meta.putSync('nextDoc', pending.nextDoc)
    environment.meta.putSync('format', CATALOG_FORMAT)
    if (version > this.catalog.version()) {
      const summary = JSON.stringify([this.catalog.edition(), batch.at, counts, batch.changes.length])
      environment.meta.putSync('edition', createHash('sha256').update(summary).digest('hex').slice(0, 12))
      environment.meta.putSync('version', version)
    }
    return version
  }

  private applyShow(show: Show, pending: Pending): void {
    const { catalog } = this
    const { terms, columns } = pending
    const known = catalog.ownDocOf(show.id)
    const old = known === undefined ? undefined : catalog.show(known)
    const doc = known ?? pending.nextDoc++
    pending.tally.replace(old, show)
    this.writeIds(doc, old, show)
    this.writeRecords(doc, old, show)
    gatherWindows(pending.windows, doc, old, show)

    terms.replace(doc, old, show)
    const oldColumns = old === undefined ? NO_COLUMNS : columnsOf(old)
    const newColumns = columnsOf(show)
    const id = Number(show.id)
    for (const [name, value] of oldColumns) {
      if (newColumns.get(name) !== value) columns.of(name).removed.push({ value, id })
    }
    for (const [name, value] of newColumns) {
      if (oldColumns.get(name) !== value) columns.of(name).added.push({ value, id, doc })
    }
  }

  private writeIds(doc: number, old: Show | undefined, show: Show): void {
    const { ids } = this.catalog.environment
    const kept = idsOf(show)
    for (const id of old === undefined ? [] : idsOf(old)) {
      if (!kept.includes(id) && ids.get(id) === doc) ids.removeSync(id)
    }
    for (const id of kept) if (old === undefined || ids.get(id) !== doc) ids.putSync(id, doc)
  }

  private writeRecords(doc: number, old: Show | undefined, show: Show): void {
    const { environment, dictionary } = this.catalog
    const { out } = this
    writeFacts(out.reset(), show)
    environment.facts.putSync(doc, out.written())
    writeTexts(out.reset(), show, dictionary)
    environment.texts.putSync(doc, out.written())
    if (show.seasons !== undefined) {
      writeOutline(out.reset(), show.seasons)
      environment.outlines.putSync(doc, out.written())
    } else if (old?.seasons !== undefined) environment.outlines.removeSync(doc)

    this.offers.begin()
    for (const country of Object.keys(show.offers).sort()) {
      this.offers.beginCountry(country)
      this.offers.writeList(show.offers[country] as readonly Offer[])
      this.offers.endCountry()
    }
    if (!this.offers.empty) environment.offers.putSync(doc, this.offers.written())
    else if (old !== undefined) environment.offers.removeSync(doc)
    this.offers.begin()
    if (show.seasons !== undefined) writeSeasonOffers(this.offers, show.seasons)
    if (!this.offers.empty) environment.seasonOffers.putSync(doc, this.offers.written())
    else if (old?.seasons !== undefined) environment.seasonOffers.removeSync(doc)
  }

  private changesByList({ changes }: Batch): Differences<never, StoredChange> {
    const lists = new Differences<never, StoredChange>()
    let showId: string | undefined
    let doc: number | undefined
    for (const change of changes) {
      if (change.showId !== showId) {
        showId = change.showId
        doc = this.catalog.ownDocOf(showId)
      }
      if (doc === undefined) throw new Error(`A change names show ${showId}, which the catalog does not have`)
      lists.of(listOf(change)).added.push(StoredChange.of(doc, change))
    }
    return lists
  }
}

/** What goes on while the shows of a batch are written one after the other. */
interface Pending {
  nextDoc: number
  readonly tally: Tally
  readonly terms: TermDifferences
  readonly columns: Differences<Position, ColumnEntry>
  readonly windows: Differences<ChangePlace, StoredChange>
}

const NO_COLUMNS: ReadonlyMap<string, SortValue> = new Map()

/** The ids under which a show's document is found. Those of a show that was merged into another lead to that one. */
function idsOf({ id, imdbId, tmdbId, formerIds = [], mergedInto }: Show): string[] {
  return mergedInto !== undefined ? [`=${id}`] : [id, imdbId, tmdbId, ...formerIds].filter((key) => key !== '')
}

function gatherWindows(
  windows: Differences<ChangePlace, StoredChange>,
  doc: number,
  old: Show | undefined,
  show: Show,
): void {
  const before = old === undefined ? [] : windowsOf(old).map((change) => StoredChange.of(doc, change))
  for (const change of windowsOf(show)) {
    const window = StoredChange.of(doc, change)
    const same = before.findIndex((one) => listOf(one.range) === listOf(change) && compareChanges(one, window) === 0)
    const [kept] = same < 0 ? [] : before.splice(same, 1)
    if (kept === undefined || kept.link !== window.link || kept.showType !== window.showType) {
      windows.of(listOf(change)).added.push(window)
    }
  }
  for (const gone of before) windows.of(listOf(gone.range)).removed.push(gone)
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
    this.countOffers(show.offers, sign)
    for (const { offers, episodes = [] } of show.seasons ?? []) {
      this.countOffers(offers, sign)
      for (const episode of episodes) this.countOffers(episode.offers, sign)
    }
  }

  private countOffers(offers: OffersByCountry, sign: 1 | -1): void {
    for (const country in offers) {
      for (const { source } of offers[country] as readonly Offer[]) {
        this.offers += sign
        this.bySource.set(source, (this.bySource.get(source) ?? 0) + sign)
      }
    }
  }
}
