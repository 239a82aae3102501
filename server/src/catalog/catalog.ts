import { UserError } from '../lib/user-error.ts'
import type { ShowImageSet } from '../model/image.ts'
import type { Offer } from '../model/offer.ts'
import type { TopList } from '../model/service.ts'
import type { Show } from '../model/show.ts'
import { ChangeLog } from './change-log.ts'
import { type Facts, readFacts, readSortFact, type SortFact } from './codec/facts-codec.ts'
import { countriesIn, OfferReader } from './codec/offers-codec.ts'
import { readSeasons } from './codec/outline-codec.ts'
import { readPrintedFields, readTranslations, StoredTexts } from './codec/texts-codec.ts'
import { ColumnWalk } from './column-walk.ts'
import { Dictionary } from './dictionary.ts'
import type { DocSet } from './doc-set.ts'
import { CATALOG_FORMAT, type Environment } from './environment.ts'
import type { LedgerPosition } from './ledger-position.ts'
import { Postings } from './postings.ts'
import { EMPTY_REFERENCE, type Reference } from './reference.ts'
import { type Position, type SortedColumns, sortedColumns } from './sorted-column.ts'
import type { SourceRecord } from './source-record.ts'
import { ToldStatements } from './told-statements.ts'

/** How much the catalog holds. */
export interface CatalogCounts {
  readonly shows: number
  readonly offers: number
  readonly offersBySource: Readonly<Record<string, number>>
}

export const NO_COUNTS: CatalogCounts = { shows: 0, offers: 0, offersBySource: {} }

/** No id is longer, be it a show's own, its IMDb or its TMDB id. */
const LONGEST_ID = 32

/** Documents that a transaction has given terms, and that are not yet found under them. */
export interface PendingTerms {
  /** The documents that have got a title. */
  titled(form: string): readonly number[]
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
  readonly columns: SortedColumns
  readonly changes: ChangeLog
  readonly windows: ChangeLog
  readonly told: ToldStatements
  /** While a transaction is under way: what becomes of terms when it ends. */
  pendingTerms: PendingTerms | undefined
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
    this.columns = sortedColumns({ directories: environment.columns, blocks: environment.columnBlocks })
    const { changes, changeBlocks, windows, windowBlocks } = environment
    // Changes come at the end of their lists and are counted; windows fall anywhere into theirs.
    this.changes = new ChangeLog({ directories: changes, blocks: changeBlocks }, this.dictionary, 0)
    this.windows = new ChangeLog({ directories: windows, blocks: windowBlocks }, this.dictionary, 128)
    this.told = new ToldStatements(environment.told)
  }

  /** The number of batches that the catalog is made of; 0 while it is empty. */
  version(): number {
    return (this.environment.meta.get('version') as number | undefined) ?? 0
  }

  /** Names the version by what went into the catalog, so that the same number in another catalog is told apart. */
  edition(): string {
    return (this.environment.meta.get('edition') as string | undefined) ?? ''
  }

  /** The commit of a ledger elsewhere that the catalog has come to; undefined where it is nobody's copy. */
  position(): LedgerPosition | undefined {
    return this.environment.meta.get('position') as LedgerPosition | undefined
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
    return this.changes.ranges().some((range) => {
      for (const { timestamp } of this.changes.ascending(range, version)) return timestamp < instant
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
  docOf(id: string): number | undefined {
    return this.idEntry(id)
  }

  /** The document of the show that has this very id, even if it was merged into another show. */
  ownDocOf(id: string): number | undefined {
    const kept = this.idEntry(`=${id}`)
    if (kept !== undefined) return kept
    const doc = this.idEntry(id)
    return doc !== undefined && this.facts(doc)?.id === id ? doc : undefined
  }

  /** What stands under an id. A feed may name any text as one, and LMDB fails where a key is too long. */
  private idEntry(key: string): number | undefined {
    return key.length > LONGEST_ID ? undefined : this.environment.ids.get(key)
  }

  docs(term: string, version: number): DocSet {
    return this.postings.get(term, version)
  }

  walk(column: string, version: number, direction: 'asc' | 'desc', from?: Position): ColumnWalk {
    return new ColumnWalk(this.columns, column, version, direction, from)
  }

  /** What sorting and filtering need of a show. */
  facts(doc: number): Facts | undefined {
    const stored = this.environment.facts.getBinaryFast(doc) as Buffer | undefined
    return stored === undefined ? undefined : readFacts(stored)
  }

  /** The id of a show and what it is sorted by. */
  sortFact(doc: number, fact: SortFact): { id: number; value: number | string } {
    const stored = this.environment.facts.getBinaryFast(doc) as Buffer | undefined
    if (stored === undefined) throw new Error(`The catalog lacks the facts of document ${doc}`)
    return readSortFact(stored, fact)
  }

  /** A show with everything that is known of it. */
  show(doc: number): Show | undefined {
    const facts = this.facts(doc)
    const texts = this.environment.texts.getBinary(doc) as Buffer | undefined
    if (facts === undefined || texts === undefined) return undefined
    const stored = new StoredTexts()
    const printed = readPrintedFields(texts, stored) as unknown as Show & { firstAirYear?: number }
    const [[, { overview, imageSet }], ...translations] = readTranslations(texts)
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
    return readSeasons(outline, this.offersByCountry('seasonOffers', doc), this.dictionary)
  }

  /** A document's offers by country, in alphabetical order. */
  offersByCountry(table: 'offers' | 'seasonOffers', doc: number): [country: string, part: Buffer][] {
    const record = this.environment[table].getBinary(doc) as Buffer | undefined
    return record === undefined ? [] : countriesIn(record)
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  forget(): void {
    this.dictionary.forget()
    this.postings.forget()
    this.columns.forget()
    this.changes.forget()
    this.windows.forget()
  }
}
