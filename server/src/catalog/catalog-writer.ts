import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Offer, OffersByCountry } from '../model/offer.ts'
import { higherId, type Show } from '../model/show.ts'
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
import type { LedgerPosition } from './ledger-position.ts'
import type { Reference } from './reference.ts'
import type { ColumnEntry, Position, SortValue } from './sorted-column.ts'
import { TermDifferences } from './term-differences.ts'
import type { ToldStatement } from './told-statements.ts'
import { windowsOf } from './windows.ts'

/** What tells two catalogs apart that were made of different batches. */
export interface CatalogMark {
  readonly version: number
  readonly edition: string
  /** The number that the next new document gets. */
  readonly nextDoc: number
}

/** What else is said of batches that come from a ledger. */
export interface Outcome {
  /** The commit that they are; noted with them. */
  readonly position?: LedgerPosition
  /** They are part of a copy of a catalog, and all that they write bears its version and edition. */
  readonly copyOf?: Pick<CatalogMark, 'version' | 'edition'>
  /** What the catalog must have come to with them; else none of them is applied. */
  readonly expected?: CatalogMark
}

/** A record of batches that is kept elsewhere while they are applied. */
export interface BatchRecord {
  /** The commit that the batches are going to be. */
  readonly position: LedgerPosition
  /** Takes a batch, with the documents of its shows by id. */
  take(batch: Batch, docs: ReadonlyMap<string, number>): Promise<void>
  /** Makes the record true, once it holds all batches. */
  settle(end: CatalogMark & { readonly counts: CatalogCounts }): Promise<void>
}

/** Thrown when the batches of a ledger do not give the catalog that they gave elsewhere. */
export class CatalogDiverged extends Error {
  override readonly name = 'CatalogDiverged'
}

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
   * Makes batches and makes them true, all of them or none, and returns the catalog's version. What the catalog says of
   * shows follows each batch at once; terms, columns and changes are gathered, and written once at the end. While the
   * batches are being made nobody else writes, so what they are made from stays as it is.
   */
  apply(make: () => Iterable<Batch>, outcome: Outcome = {}): number {
    const { catalog } = this
    try {
      return catalog.environment.root.transactionSync(() => {
        const pending = new Pending(catalog)
        for (const batch of make()) this.applyBatch(batch, pending)
        return this.finish(pending, outcome)
      })
    } catch (error) {
      catalog.forget()
      throw error
    } finally {
      catalog.pendingTerms = undefined
    }
  }

  /**
   * As `apply`, with a record kept elsewhere meanwhile. What was written becomes true only once the record is settled,
   * and not at all if that fails. Until then nothing else may use this catalog within the process.
   */
  async applyRecorded(make: () => Iterable<Batch>, record: BatchRecord): Promise<number> {
    const { catalog } = this
    try {
      return await catalog.environment.root.transactionSync(async () => {
        const pending = new Pending(catalog)
        for (const batch of make()) {
          const docs = this.applyBatch(batch, pending)
          if (saysAnything(batch)) await record.take(batch, docs)
        }
        const version = this.finish(pending, { position: record.position })
        if (pending.batches > 0) {
          await record.settle({
            version,
            edition: catalog.edition(),
            nextDoc: pending.nextDoc,
            counts: catalog.counts(),
          })
        }
        return version
      })
    } catch (error) {
      catalog.forget()
      throw error
    } finally {
      catalog.pendingTerms = undefined
    }
  }

  /** Returns the documents of the batch's shows, by id. */
  private applyBatch(batch: Batch, pending: Pending): ReadonlyMap<string, number> {
    const { tops, sources } = this.catalog.environment
    pending.take(batch)
    const docs = new Map<string, number>()
    const { nextDoc } = pending
    for (const show of batch.shows) docs.set(show.id, this.applyShow(show, pending))
    for (const change of batch.changes) {
      const doc = docs.get(change.showId) ?? this.catalog.ownDocOf(change.showId)
      if (doc === undefined) throw new Error(`A change names show ${change.showId}, which the catalog does not have`)
      pending.changes.of(listOf(change)).added.push(StoredChange.of(doc, change))
    }
    for (const { country, service, showType, shows } of batch.topLists ?? []) {
      const key = `${country}/${service}/${showType}`
      if (shows.length > 0) tops.putSync(key, shows)
      else tops.removeSync(key)
    }
    if (batch.source !== undefined) sources.putSync(batch.source.name, batch.source)
    for (const told of batch.told ?? []) {
      const doc = docs.get(told.id)
      if (doc !== undefined) this.catalog.told.replace(doc, told, doc < nextDoc ? ANYWHERE : AT_THE_END)
      else this.noteTold(told)
    }
    return docs
  }

  /** Notes what a show was told without being altered by it. */
  private noteTold(told: ToldStatement): void {
    const doc = this.catalog.ownDocOf(told.id)
    if (doc !== undefined) this.catalog.told.add(doc, told)
  }

  private finish(pending: Pending, { position, copyOf, expected }: Outcome): number {
    const { catalog } = this
    const { changes } = catalog
    const { meta } = catalog.environment
    if (pending.batches === 0) return catalog.version()
    // What is only noted about a source alters no answer, and so makes no new version.
    const version = copyOf?.version ?? catalog.version() + (pending.altersAnswers ? 1 : 0)
    pending.write(version)
    if (pending.forgetChangesBefore !== undefined) {
      for (const range of changes.ranges()) changes.dropBefore(range, pending.forgetChangesBefore, version)
    }
    if (pending.reference !== undefined) {
      meta.putSync('reference', pending.reference)
      meta.putSync('referenceRevision', version)
    }
    const counts = pending.tally.counts()
    meta.putSync('counts', counts)
    meta.putSync('highestId', pending.highestId)
    meta.putSync('nextDoc', pending.nextDoc)
    meta.putSync('format', CATALOG_FORMAT)
    if (pending.altersAnswers) {
      const summary = JSON.stringify([catalog.edition(), pending.at, counts, pending.changeCount])
      const edition = createHash('sha256').update(summary).digest('hex').slice(0, 12)
      meta.putSync('edition', copyOf?.edition ?? edition)
      meta.putSync('version', version)
    }
    if (position !== undefined) meta.putSync('position', position)
    if (expected !== undefined)
      this.compare(expected, { version, edition: catalog.edition(), nextDoc: pending.nextDoc })
    // What was read between two writings of one version cannot be told from what is read after.
    if (pending.written > 1 || copyOf !== undefined) catalog.forget()
    return version
  }

  private compare(expected: CatalogMark, found: CatalogMark): void {
    if (isDeepStrictEqual(expected, found)) return
    const [wanted, got] = [expected, found].map((mark) => JSON.stringify(mark))
    throw new CatalogDiverged(`The catalog has come to ${got} where its ledger has ${wanted}`)
  }

  /** Writes a show, and returns its document. */
  private applyShow(show: Show, pending: Pending): number {
    const { catalog } = this
    const known = catalog.ownDocOf(show.id)
    const old = known === undefined ? undefined : catalog.show(known)
    const doc = known ?? pending.nextDoc++
    pending.begin(doc)
    if (known !== undefined) catalog.told.forget(doc)
    const { terms, columns } = pending
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
    return doc
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
    const how = old === undefined ? AT_THE_END : ANYWHERE
    writeFacts(out.reset(), show)
    environment.facts.putSync(doc, out.written(), how)
    writeTexts(out.reset(), show, dictionary)
    environment.texts.putSync(doc, out.written(), how)
    if (show.seasons !== undefined) {
      writeOutline(out.reset(), show.seasons)
      environment.outlines.putSync(doc, out.written(), how)
    } else if (old?.seasons !== undefined) environment.outlines.removeSync(doc)

    this.offers.begin()
    for (const country of Object.keys(show.offers).sort()) {
      this.offers.beginCountry(country)
      this.offers.writeList(show.offers[country] as readonly Offer[])
      this.offers.endCountry()
    }
    if (!this.offers.empty) environment.offers.putSync(doc, this.offers.written(), how)
    else if (old !== undefined) environment.offers.removeSync(doc)
    this.offers.begin()
    if (show.seasons !== undefined) writeSeasonOffers(this.offers, show.seasons)
    if (!this.offers.empty) environment.seasonOffers.putSync(doc, this.offers.written(), how)
    else if (old?.seasons !== undefined) environment.seasonOffers.removeSync(doc)
  }
}

/** New documents have the highest number: put at the end, they fill the pages of their tables to the brim. */
const AT_THE_END = { append: true }
const ANYWHERE = {}

/** What the batches of a transaction come to, as far as it is written at its end. */
class Pending {
  batches = 0
  written = 0
  at = 0
  altersAnswers = false
  changeCount = 0
  nextDoc: number
  highestId: number
  reference: Reference | undefined
  forgetChangesBefore: number | undefined
  readonly tally: Tally
  terms = new TermDifferences()
  columns = new Differences<Position, ColumnEntry>()
  windows = new Differences<ChangePlace, StoredChange>()
  changes = new Differences<never, StoredChange>()
  private readonly catalog: Catalog
  private readonly version: number
  private readonly docs = new Set<number>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.version = catalog.version()
    this.nextDoc = catalog.nextDoc()
    this.highestId = catalog.highestId()
    this.tally = new Tally(catalog.counts())
    catalog.pendingTerms = this.terms
  }

  /** Says that a document is about to be written. What is gathered holds what becomes of each only once. */
  begin(doc: number): void {
    if (this.docs.has(doc)) {
      this.write(this.version + 1)
      this.terms = new TermDifferences()
      this.columns = new Differences()
      this.windows = new Differences()
      this.changes = new Differences()
      this.docs.clear()
      this.catalog.pendingTerms = this.terms
      this.catalog.forget()
    }
    this.docs.add(doc)
  }

  /** Writes what was gathered. */
  write(version: number): void {
    const { columns, windows, changes } = this.catalog
    this.terms.write(this.catalog, version)
    for (const [name, { removed, added }] of this.columns) columns.update(name, removed, added, version)
    for (const [list, { removed, added }] of this.windows) windows.update(list, removed, added, version)
    for (const [list, { added }] of this.changes) changes.update(list, [], added, version)
    this.written++
  }

  take(batch: Batch): void {
    if (saysAnything(batch)) this.batches++
    this.at = batch.at
    this.altersAnswers ||= altersAnswers(batch)
    this.changeCount += batch.changes.length
    this.reference = batch.reference ?? this.reference
    this.forgetChangesBefore = batch.forgetChangesBefore ?? this.forgetChangesBefore
    for (const { id } of batch.shows) this.highestId = higherId(this.highestId, id)
  }
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

/** Whether a batch holds more than what this copy of the catalog remembers for itself. */
function saysAnything(batch: Batch): boolean {
  return altersAnswers(batch) || batch.source !== undefined
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
