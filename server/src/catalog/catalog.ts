import { UserError } from '../lib/user-error.ts'
import type { ShowImageSet } from '../model/image.ts'
import type { Offer } from '../model/offer.ts'
import type { TopList } from '../model/service.ts'
import type { Show } from '../model/show.ts'
import { ChangeLog } from './changes/change-log.ts'
import { decodeFacts, decodeSortValue, type Facts, type SortField } from './documents/facts-codec.ts'
import { OfferReader, splitByCountry } from './documents/offers-codec.ts'
import { decodeSeasons } from './documents/outline-codec.ts'
import { SeenRecordStore } from './documents/seen-records.ts'
import { decodePrintedFields, decodeTranslations, StoredTexts } from './documents/texts-codec.ts'
import type { DocSet } from './index/doc-set.ts'
import { Postings } from './index/postings.ts'
import { EMPTY_REFERENCE, type Reference } from './reference.ts'
import { ColumnCursor } from './sorted/column-cursor.ts'
import { type ColumnStore, createColumnStore, type SortKey } from './sorted/column-store.ts'
import { Dictionary } from './storage/dictionary.ts'
import { CATALOG_FORMAT, type Environment } from './storage/environment.ts'
import type { LogPosition, SourceRecord } from './storage/meta.ts'

/** How much the catalog holds. */
export interface CatalogCounts {
  readonly shows: number
  readonly offers: number
  readonly offersBySource: Readonly<Record<string, number>>
}

export const NO_COUNTS: CatalogCounts = { shows: 0, offers: 0, offersBySource: {} }

/** No id is longer, be it a show's own, its IMDb or its TMDB id. */
const MAX_ID_LENGTH = 32

/** Documents that a transaction has given terms, and that are not yet found under them. */
export interface UncommittedTerms {
  /** The documents that have got a title. */
  docsWithTitle(form: string): readonly number[]
}

/** Thrown when a data directory holds a catalog of another form. */
export class CatalogFormatError extends UserError {
  override readonly name = 'CatalogFormatError'
}

/**
 * The read side of the embedded engine. All reads within one turn of the event loop see one version of the catalog,
 * whatever another process commits meanwhile.
 */
export class Catalog {
  readonly environment: Environment
  readonly dictionary: Dictionary
  readonly postings: Postings
  readonly columns: ColumnStore
  readonly changes: ChangeLog
  readonly windows: ChangeLog
  readonly seenRecords: SeenRecordStore
  /** While a transaction is under way: what becomes of terms when it ends. */
  uncommittedTerms: UncommittedTerms | undefined
  private cachedReference: { readonly revision: number; readonly reference: Reference } | undefined

  constructor(environment: Environment) {
    const format = environment.meta.get('format') as number | undefined
    if (format !== undefined && format !== CATALOG_FORMAT) {
      throw new CatalogFormatError(
        `The catalog has format ${format}, this program reads format ${CATALOG_FORMAT}. ` +
          'Import the feeds into a new data directory, or use the program that made it.',
      )
    }
    this.environment = environment
    this.dictionary = new Dictionary(environment.dictionaryNumbers, environment.dictionaryTexts)
    this.postings = new Postings(environment.postings)
    this.columns = createColumnStore({ directories: environment.columns, blocks: environment.columnBlocks })
    const { changes, changeBlocks, windows, windowBlocks } = environment
    // Changes are appended to their lists and have to be counted; windows fall anywhere into theirs.
    const [changeTables, windowTables] = [
      { directories: changes, blocks: changeBlocks },
      { directories: windows, blocks: windowBlocks },
    ]
    this.changes = new ChangeLog(changeTables, this.dictionary, { name: 'change', maxDeltaEntries: 0 })
    this.windows = new ChangeLog(windowTables, this.dictionary, { name: 'window', maxDeltaEntries: 128 })
    this.seenRecords = new SeenRecordStore(environment.seenRecords)
  }

  /** The number of batches that the catalog is made of; 0 while it is empty. */
  version(): number {
    return (this.environment.meta.get('version') as number | undefined) ?? 0
  }

  /** Names the version by what went into the catalog, so that the same number in another catalog is told apart. */
  contentHash(): string {
    return (this.environment.meta.get('edition') as string | undefined) ?? ''
  }

  /** The commit of a ledger elsewhere that the catalog has come to; undefined where it is nobody's copy. */
  logPosition(): LogPosition | undefined {
    return this.environment.meta.get('position') as LogPosition | undefined
  }

  /** The number that the next new document gets: documents are numbered from 0, and stay. */
  nextDoc(): number {
    return (this.environment.meta.get('nextDoc') as number | undefined) ?? 0
  }

  /** The highest show id that was ever given. */
  highestId(): number {
    return (this.environment.meta.get('highestId') as number | undefined) ?? 0
  }

  counts(): CatalogCounts {
    return (this.environment.meta.get('counts') as CatalogCounts | undefined) ?? NO_COUNTS
  }

  reference(): Reference {
    return this.referenceWithRevision().reference
  }

  /** The reference data, with a number that changes when it does. */
  referenceWithRevision(): { readonly revision: number; readonly reference: Reference } {
    const revision = (this.environment.meta.get('referenceRevision') as number | undefined) ?? 0
    if (this.cachedReference?.revision !== revision) {
      const reference = (this.environment.meta.get('reference') as Reference | undefined) ?? EMPTY_REFERENCE
      this.cachedReference = { revision, reference }
    }
    return this.cachedReference
  }

  /** Whether the log holds changes older than an instant. */
  hasChangesBefore(instant: number): boolean {
    const version = this.version()
    return this.changes.listIds().some((range) => {
      for (const { timestamp } of this.changes.scanAscending(range, version)) return timestamp < instant
      return false
    })
  }

  source(name: string): SourceRecord | undefined {
    return this.environment.sources.get(name) as SourceRecord | undefined
  }

  sources(): SourceRecord[] {
    return [...this.environment.sources.getRange({})].map(({ value }) => value as SourceRecord)
  }

  topList(country: string, service: string, showType: TopList['showType']): readonly string[] {
    return (this.environment.tops.get(`${country}/${service}/${showType}`) as string[] | undefined) ?? []
  }

  /** The document with an id: the show's own, its IMDb or its TMDB id. */
  findDoc(id: string): number | undefined {
    return this.getId(id)
  }

  /** The document of the show that has this very id, even if it was merged into another show. */
  findOwnDoc(id: string): number | undefined {
    const kept = this.getId(`=${id}`)
    if (kept !== undefined) return kept
    const doc = this.getId(id)
    return doc !== undefined && this.facts(doc)?.id === id ? doc : undefined
  }

  /** What stands under an id. A feed may name any text as one, and LMDB fails where a key is too long. */
  private getId(key: string): number | undefined {
    return key.length > MAX_ID_LENGTH ? undefined : this.environment.ids.get(key)
  }

  docsWithTerm(term: string, version: number): DocSet {
    return this.postings.get(term, version)
  }

  openCursor(column: string, version: number, direction: 'asc' | 'desc', from?: SortKey): ColumnCursor {
    return new ColumnCursor(this.columns, column, version, direction, from)
  }

  /** What sorting and filtering need of a show. */
  facts(doc: number): Facts | undefined {
    const stored = this.environment.facts.getBinaryFast(doc) as Buffer | undefined
    return stored === undefined ? undefined : decodeFacts(stored)
  }

  /** The id of a show and what it is sorted by. */
  sortValue(doc: number, fact: SortField): { id: number; value: number | string } {
    const stored = this.environment.facts.getBinaryFast(doc) as Buffer | undefined
    if (stored === undefined) throw new Error(`The catalog lacks the facts of document ${doc}`)
    return decodeSortValue(stored, fact)
  }

  /** A show with everything that is known of it. */
  show(doc: number): Show | undefined {
    const facts = this.facts(doc)
    const texts = this.environment.texts.getBinary(doc) as Buffer | undefined
    if (facts === undefined || texts === undefined) return undefined
    const stored = new StoredTexts()
    const printed = decodePrintedFields(texts, stored) as unknown as Show & { firstAirYear?: number }
    const [[, { overview, imageSet }], ...translations] = decodeTranslations(texts)
    const seasons = this.seasons(doc)
    const optional = <K extends keyof Show>(...keys: K[]) =>
      Object.fromEntries(keys.flatMap((key) => (printed[key] === undefined ? [] : [[key, printed[key]]]))) as Pick<
        Show,
        K
      >
    return {
      id: printed.id,
      showType: printed.showType,
      imdbId: printed.imdbId,
      tmdbId: printed.tmdbId,
      title: printed.title,
      overview,
      imageSet: imageSet as ShowImageSet,
      originalTitle: printed.originalTitle,
      ...(facts.originalLanguage !== undefined && { originalLanguage: facts.originalLanguage }),
      translations: Object.fromEntries(translations),
      ...(facts.year !== undefined && { year: facts.year }),
      ...optional('lastAirYear'),
      genres: stored.genres.map((genre) => this.dictionary.text(genre)),
      ...optional('directors', 'creators'),
      cast: printed.cast,
      rating: printed.rating,
      ratings: facts.ratings,
      ...optional('runtime', 'seasonCount', 'episodeCount'),
      popularity: facts.popularity,
      offers: this.showOffers(doc),
      ...(seasons !== undefined && { seasons }),
      ...(facts.formerIds.length > 0 && { formerIds: facts.formerIds }),
      ...(facts.deleted && { deleted: true as const }),
      ...(facts.mergedInto !== undefined && { mergedInto: facts.mergedInto }),
    }
  }

  private showOffers(doc: number): Show['offers'] {
    const offers: Record<string, Offer[]> = {}
    for (const [country, part] of this.offersByCountry('offers', doc)) {
      offers[country] = new OfferReader(this.dictionary, part).readList()
    }
    return offers
  }

  private seasons(doc: number): Show['seasons'] {
    const outline = this.environment.outlines.getBinary(doc) as Buffer | undefined
    if (outline === undefined) return undefined
    return decodeSeasons(outline, this.offersByCountry('seasonOffers', doc), this.dictionary)
  }

  /** A document's offers by country, in alphabetical order. */
  offersByCountry(table: 'offers' | 'seasonOffers', doc: number): [country: string, part: Buffer][] {
    const record = this.environment[table].getBinary(doc) as Buffer | undefined
    return record === undefined ? [] : splitByCountry(record)
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  invalidate(): void {
    this.dictionary.invalidate()
    this.postings.invalidate()
    this.columns.invalidate()
    this.changes.invalidate()
    this.windows.invalidate()
  }
}
