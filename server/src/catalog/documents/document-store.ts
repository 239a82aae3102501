import { RoaringBitmap32 } from '../../lib/roaring/roaring-bitmap.ts'
import type { ShowHistory } from '../../model/history.ts'
import type { ShowIdentity } from '../../model/identity.ts'
import { DEFAULT_LANGUAGE } from '../../model/language.ts'
import type { Offer } from '../../model/offer.ts'
import { EMPTY_IMAGE_SET, type Granularity, type Item, type Show, type ShowImageSet } from '../../model/show.ts'
import { ByteReader } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import { DamagedCatalogError, decodeStored } from '../storage/environment.ts'
import { type DocumentTables, DocumentWriter } from './document-writer.ts'
import {
  type ComparedFacts,
  decodeComparedFacts,
  decodeFacts,
  decodeFactsAndIdentity,
  decodeFlaggedFacts,
  decodeId,
  decodeSortValue,
  type Facts,
  type FlaggedFacts,
  type SortField,
} from './facts-codec.ts'
import { decodeHistory } from './history-codec.ts'
import { OfferReader, splitByCountry } from './offers-codec.ts'
import { decodeEpisodeCounts, decodeSeasons } from './outline-codec.ts'
import { RecordChecksums } from './record-checksums.ts'
import {
  decodeExternalIds,
  decodePeople,
  decodePrintedFields,
  decodeTranslatedTitles,
  decodeTranslations,
  StoredTexts,
} from './texts-codec.ts'

/** The two tables of offers: of shows, and of seasons and episodes. */
type OfferTable = 'offers' | 'seasonOffers'

/** What of a show is rendered: its texts with images, its offers, and its seasons with their offers. */
export type RenderedPart = 'texts' | 'offers' | 'seasons'

/** The maximal length of an id: a show's own, IMDb or TMDB. */
const MAX_ID_LENGTH = 32

/** Of so many renderings of documents that were checked before, one is checked again. */
const READS_PER_CHECK = 16

const NO_CHECKSUMS = new RecordChecksums(0, undefined)

/** Shows by document number and by id. */
export class DocumentStore {
  private readonly tables: DocumentTables
  private readonly dictionary: Dictionary
  private writer: DocumentWriter | undefined
  /** Documents whose records had their checksums when they were first rendered, by part. */
  private readonly checked: Readonly<Record<RenderedPart, RoaringBitmap32>> = {
    texts: new RoaringBitmap32(),
    offers: new RoaringBitmap32(),
    seasons: new RoaringBitmap32(),
  }
  private reads = 0

  constructor(tables: DocumentTables, dictionary: Dictionary) {
    this.tables = tables
    this.dictionary = dictionary
  }

  /** The document with an id: the show's own, its IMDb or its TMDB id. */
  findDoc(id: string): number | undefined {
    return this.getId(id)
  }

  /** The document of the show with this very id of its own, even if it was merged into another show. */
  findOwnDoc(id: string): number | undefined {
    const merged = this.getId(`=${id}`)
    if (merged !== undefined) return merged
    const doc = this.getId(id)
    return doc !== undefined && this.ownId(doc) === id ? doc : undefined
  }

  /** The own id of a document's show. */
  ownId(doc: number): string | undefined {
    const stored = this.tables.facts.getBinaryFast(doc) as Buffer | undefined
    return stored === undefined ? undefined : decodeId(stored)
  }

  /** The facts of a document's show that are flags; undefined if there is no such document. */
  flaggedFacts(doc: number): FlaggedFacts | undefined {
    const stored = this.tables.facts.getBinaryFast(doc) as Buffer | undefined
    return stored === undefined ? undefined : decodeFlaggedFacts(stored)
  }

  /** The IMDb and TMDB ids of a document's show; undefined if there is no such document. */
  externalIds(doc: number): Pick<Show, 'imdbId' | 'tmdbId'> | undefined {
    const stored = this.tables.texts.getBinaryFast(doc) as Buffer | undefined
    return stored === undefined ? undefined : decodeExternalIds(stored)
  }

  /** All document numbers, in order. */
  docs(): Iterable<number> {
    return this.tables.facts.getKeys({})
  }

  /** The count of documents, deleted ones included. */
  count(): number {
    return (this.tables.facts.getStats() as { entryCount: number }).entryCount
  }

  /** All IMDb ids, in order. */
  imdbIds(): Iterable<string> {
    return this.tables.ids.getKeys({ start: 'tt', end: 'tu' })
  }

  /** The fields of a show that sorting and filtering need. */
  facts(doc: number): Facts | undefined {
    const stored = this.tables.facts.getBinaryFast(doc) as Buffer | undefined
    return stored === undefined ? undefined : decodeFacts(stored)
  }

  /** The id of a show, and its value in a sort order. */
  sortValue(doc: number, field: SortField | 'runtime'): { id: number; value: number | string } {
    if (field === 'runtime') {
      const { id, runtime = 0 } = decodePrintedFields(this.textsRecord(doc), new StoredTexts()) as unknown as Show
      return { id: Number(id), value: runtime }
    }
    const stored = this.tables.facts.getBinaryFast(doc) as Buffer | undefined
    if (stored === undefined) throw new DamagedCatalogError('facts', `the facts of document ${doc} are missing`)
    return decodeSortValue(stored, field)
  }

  /**
   * The checksums of a document's records for the rendering of some parts, which they would make a third slower: they are checked
   * at the first time in this process, and then now and then.
   */
  sampledChecksums(doc: number, parts: readonly RenderedPart[]): RecordChecksums {
    const isChecked = parts.every((part) => this.checked[part].has(doc))
    return isChecked && ++this.reads % READS_PER_CHECK !== 0 ? NO_CHECKSUMS : this.checksums(doc)
  }

  /** Notes that the records of some parts of a document have their checksums. */
  markChecked(doc: number, parts: readonly RenderedPart[]): void {
    for (const part of parts) this.checked[part].add(doc)
  }

  /** The checksums of a document's records: whoever decodes a whole document checks them first. */
  private checksums(doc: number): RecordChecksums {
    return new RecordChecksums(doc, this.tables.checksums?.getBinary(doc) as Buffer | undefined)
  }

  /** What a show is compared by with others, in a country or in several. */
  comparedFacts(doc: number, countries: readonly string[]): ComparedFacts {
    const stored = this.tables.facts.getBinaryFast(doc) as Buffer | undefined
    if (stored === undefined) throw new DamagedCatalogError('facts', `the facts of document ${doc} are missing`)
    return decodeComparedFacts(stored, countries)
  }

  /** The texts of a show, for `StoredTexts`. Valid until the next read. */
  textsRecord(doc: number): Buffer {
    const stored = this.tables.texts.getBinaryFast(doc) as Buffer | undefined
    if (stored === undefined) throw new DamagedCatalogError('texts', `the texts of document ${doc} are missing`)
    return stored
  }

  /** The names of the people of a show: cast, directors and creators. */
  people(doc: number): string[] {
    return decodePeople(this.textsRecord(doc))
  }

  /** The overview of a show in English, or in the original language where there is none. */
  overview(doc: number): string {
    const texts = new StoredTexts()
    texts.locate(new ByteReader(this.textsRecord(doc)), DEFAULT_LANGUAGE)
    const { start, end } = texts.overview
    return end > start ? (JSON.parse(texts.buffer.toString('utf8', start, end)) as string) : ''
  }

  /** The seasons and episodes of a series; undefined for a movie. */
  outlineRecord(doc: number): Buffer | undefined {
    return this.tables.outlines.getBinary(doc) as Buffer | undefined
  }

  /** The count of stored episodes of each season. */
  episodeCounts(doc: number): number[] {
    const outline = this.outlineRecord(doc)
    return outline === undefined ? [] : decodeEpisodeCounts(outline)
  }

  /** The offers of a document in all countries. Valid until the next read. */
  offersRecord(table: OfferTable, doc: number): Buffer | undefined {
    return this.tables[table].getBinaryFast(doc) as Buffer | undefined
  }

  /** The offers of a document by country, in alphabetical order. */
  offersByCountry(table: OfferTable, doc: number, checksums?: RecordChecksums): [country: string, part: Buffer][] {
    const record = this.tables[table].getBinary(doc) as Buffer | undefined
    checksums?.check(table, record)
    return record === undefined ? [] : splitByCountry(record)
  }

  /** A whole show. Throws if one of its records is damaged. */
  show(doc: number): Show | undefined {
    return decodeStored(
      'documents',
      () => `document ${doc}`,
      () => this.decodeShow(doc, true),
    )
  }

  /** A whole show but for its history, for a rebuild where that is damaged. */
  showWithoutHistory(doc: number): Show | undefined {
    return this.decodeShow(doc, false)
  }

  /** The past of a show; undefined if nothing of it has ended or changed yet. Throws if it is damaged. */
  history(doc: number, checksums = this.checksums(doc)): ShowHistory | undefined {
    const record = this.tables.history?.getBinary(doc) as Buffer | undefined
    checksums.check('history', record)
    if (record === undefined) return undefined
    return decodeStored(
      'history',
      () => `the past offers of document ${doc}`,
      () => decodeHistory(new ByteReader(record), this.dictionary),
    )
  }

  /** All documents with a history, in order. */
  docsWithHistory(): Iterable<number> {
    return this.tables.history?.getKeys({}) ?? []
  }

  /** The offers of a show in a country, then those of its seasons and episodes, each item when it is asked for. */
  *offersByItem(doc: number, country: string, granularity: Granularity): Generator<[item: Item, offers: Offer[]]> {
    const checksums = this.checksums(doc)
    const readOffers = (table: OfferTable) => {
      const [, part] = this.offersByCountry(table, doc, checksums).find(([code]) => code === country) ?? []
      return new OfferReader(this.dictionary, part ?? Buffer.alloc(0))
    }
    yield [{ itemType: 'show' }, readOffers('offers').readList()]
    if (granularity === 'show') return
    const outline = this.outlineRecord(doc)
    checksums.check('outlines', outline)
    const episodeCounts = outline === undefined ? [] : decodeEpisodeCounts(outline)
    const reader = readOffers('seasonOffers')
    for (const [s, episodes] of episodeCounts.entries()) {
      const season = s + 1
      yield [{ itemType: 'season', season }, reader.readList()]
      for (let episode = 1; episode <= episodes; episode++) {
        const offers = reader.readList()
        if (granularity === 'episode') yield [{ itemType: 'episode', season, episode }, offers]
      }
    }
  }

  private decodeShow(doc: number, withHistory: boolean): Show | undefined {
    const checksums = this.checksums(doc)
    const record = this.tables.facts.getBinaryFast(doc) as Buffer | undefined
    if (record === undefined) return undefined
    checksums.check('facts', record)
    const { facts, identity } = decodeFactsAndIdentity(record)
    const texts = this.tables.texts.getBinary(doc) as Buffer | undefined
    if (texts === undefined) return undefined
    checksums.check('texts', texts)
    const stored = new StoredTexts()
    const printed = decodePrintedFields(texts, stored) as unknown as Show
    const [[, { overview, imageSet }], ...translations] = decodeTranslations(texts)
    const seasons = this.seasons(doc, checksums)
    const history = withHistory ? this.history(doc, checksums) : undefined
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
      ...(facts.aliases.length > 0 && { aliases: facts.aliases }),
      ...(facts.year !== undefined && { year: facts.year }),
      ...optional('lastAirYear'),
      genres: stored.genres.map((genre) => this.dictionary.text(genre)),
      ...optional('directors', 'creators'),
      cast: printed.cast,
      rating: printed.rating,
      ratings: facts.ratings,
      ...optional('runtime', 'seasonCount', 'episodeCount'),
      popularity: facts.popularity,
      offers: this.showOffers(doc, checksums),
      ...(seasons !== undefined && { seasons }),
      ...(facts.formerIds.length > 0 && { formerIds: facts.formerIds }),
      ...(facts.deleted && { deleted: true as const }),
      ...(facts.mergedInto !== undefined && { mergedInto: facts.mergedInto }),
      ...identity,
      ...(history !== undefined && { history }),
    }
  }

  /** The identity of a show alone. */
  identity(doc: number): (ShowIdentity & Pick<Show, 'id' | 'mergedInto'>) | undefined {
    const record = this.tables.facts.getBinaryFast(doc) as Buffer | undefined
    if (record === undefined) return undefined
    const { facts, identity } = decodeFactsAndIdentity(record)
    const { id, mergedInto } = facts
    return { ...identity, id, ...(mergedInto !== undefined && { mergedInto }) }
  }

  /** A show without its offers, seasons, overviews and images: what identifies it, much cheaper to read. */
  identityOutline(doc: number): Show | undefined {
    const record = this.tables.facts.getBinaryFast(doc) as Buffer | undefined
    if (record === undefined) return undefined
    const { facts, identity } = decodeFactsAndIdentity(record)
    const texts = this.tables.texts.getBinary(doc) as Buffer | undefined
    if (texts === undefined) return undefined
    const stored = new StoredTexts()
    const printed = decodePrintedFields(texts, stored) as unknown as Show
    const translations = decodeTranslatedTitles(texts).map(([language, title]) => [language, { title, overview: '' }])
    const { year, originalLanguage, mergedInto, formerIds } = facts
    return {
      ...printed,
      ...(year !== undefined && { year }),
      ...(originalLanguage !== undefined && { originalLanguage }),
      genres: stored.genres.map((genre) => this.dictionary.text(genre)),
      overview: '',
      imageSet: EMPTY_IMAGE_SET,
      translations: Object.fromEntries(translations),
      ratings: facts.ratings,
      popularity: facts.popularity,
      offers: {},
      ...(facts.aliases.length > 0 && { aliases: facts.aliases }),
      ...(formerIds.length > 0 && { formerIds }),
      ...(facts.deleted && { deleted: true as const }),
      ...(mergedInto !== undefined && { mergedInto }),
      ...identity,
    }
  }

  /** What a list calls a show, without reading its offers and seasons. */
  titleAndYear(doc: number): { readonly title: string; readonly year: number | undefined } {
    const { title } = decodePrintedFields(this.textsRecord(doc), new StoredTexts()) as unknown as Show
    return { title, year: this.facts(doc)?.year }
  }

  /** Stores a show in place of the one that its document held before, if any. Only within a write transaction. */
  put(doc: number, old: Show | undefined, show: Show): void {
    this.writer ??= new DocumentWriter(this.tables, this.dictionary)
    this.writer.write(doc, old, show)
  }

  /** Stores only the ids of a new document: for an index without records. Only within a write transaction. */
  putIds(doc: number, show: Show): void {
    this.writer ??= new DocumentWriter(this.tables, this.dictionary)
    this.writer.writeIds(doc, undefined, show)
  }

  /** The offers of a show in all countries, without those of its seasons and episodes. */
  showOffers(doc: number, checksums?: RecordChecksums): Show['offers'] {
    const offers: Record<string, Offer[]> = {}
    for (const [country, part] of this.offersByCountry('offers', doc, checksums)) {
      offers[country] = new OfferReader(this.dictionary, part).readList()
    }
    return offers
  }

  private seasons(doc: number, checksums: RecordChecksums): Show['seasons'] {
    const outline = this.outlineRecord(doc)
    checksums.check('outlines', outline)
    if (outline === undefined) return undefined
    return decodeSeasons(outline, this.offersByCountry('seasonOffers', doc, checksums), this.dictionary)
  }

  /** Feeds may name any text as an id. LMDB fails on a key that is too long. */
  private getId(key: string): number | undefined {
    return key.length > MAX_ID_LENGTH ? undefined : this.tables.ids.get(key)
  }
}
