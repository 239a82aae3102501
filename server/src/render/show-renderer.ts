import type { Catalog } from '../catalog/catalog.ts'
import type { RenderedPart } from '../catalog/documents/document-store.ts'
import { findCountryPart, OfferReader } from '../catalog/documents/offers-codec.ts'
import type { RecordChecksums } from '../catalog/documents/record-checksums.ts'
import { isSeriesRecord, StoredTexts } from '../catalog/documents/texts-codec.ts'
import { ImagePrinter } from '../catalog/documents/url-codec.ts'
import type { ByteReader, ByteWriter } from '../catalog/storage/byte-stream.ts'
import type { OutputLanguage } from '../model/language.ts'
import { type CountryOffers, OptionPrinter, skipOffers } from './option-printer.ts'
import type { RenderOptions } from './render-options.ts'

/** The two tables of offers: of shows, and of seasons and episodes. */
type OfferTable = 'offers' | 'seasonOffers'

/** What shows are rendered from: the catalog, or a snapshot of its documents. */
export type RenderedDocuments = Pick<Catalog, 'documents' | 'dictionary'>

/** The parts of a show that are rendered together, whose checksums are checked together. */
const TEXTS_ONLY: readonly RenderedPart[] = ['texts']
const OFFERS_ONLY: readonly RenderedPart[] = ['offers']
const WITHOUT_SEASONS: readonly RenderedPart[] = ['texts', 'offers']
const ALL_PARTS: readonly RenderedPart[] = ['texts', 'offers', 'seasons']

/** Offers that were copied to the output, and the place of the outline there if seasons are printed: empty if there are none. */
interface LoadedOptions {
  readonly offers: readonly CountryOffers[]
  readonly seasons:
    | { readonly offers: readonly CountryOffers[]; readonly start: number; readonly end: number }
    | undefined
}

/* Constant JSON fragments. */
const OVERVIEW = Buffer.from(',"overview":')
const EMPTY_TEXT = Buffer.from('""')
const NO_SEASONS = ',"seasons":[]'
const STREAMING_OPTIONS = Buffer.from(',"streamingOptions":')

/** How much of a large series is rendered in one turn of the event loop: a millisecond or two of work. */
export const SLICE_BYTES = 256 * 1024

/** A show in the output: where it starts, and the instant until which it is valid within the catalog version. */
export interface RenderedShow {
  readonly start: number
  validUntil: number
  /** The seasons that are not written yet. */
  rest: SeasonsCursor | undefined
}

/** How far the seasons of a show are written. */
export interface SeasonsCursor {
  readonly outline: ByteReader
  readonly offers: readonly CountryOffers[]
  readonly options: RenderOptions
  seasonsLeft: number
  /** Of the season that was begun last; -1 between two seasons. */
  episodesLeft: number
  /** The items of the present list so far. */
  written: number
}

/** What comes next of the seasons of a show. */
export function nextPart({ seasonsLeft, episodesLeft }: SeasonsCursor): 'season' | 'episode' | 'endOfEpisodes' | 'end' {
  if (episodesLeft > 0) return 'episode'
  if (episodesLeft === 0) return 'endOfEpisodes'
  return seasonsLeft > 0 ? 'season' : 'end'
}

/** Goes on to the season behind a list of episodes. */
export function endEpisodes(cursor: SeasonsCursor): void {
  cursor.episodesLeft = -1
}

/**
 * Renders shows as JSON by copying the stored fragments; nothing is parsed. The records are copied to the start of the
 * output first, so that each fragment is a copy within one buffer, and the memory that lmdb lends is free for the next read.
 */
export class ShowRenderer {
  private readonly catalog: RenderedDocuments
  private readonly texts = new StoredTexts()
  private readonly images = new ImagePrinter()
  private readonly options: OptionPrinter
  /** Readers of the offers of one country: those of the show, and those of its seasons and episodes. */
  private readonly readers: Readonly<Record<OfferTable, OfferReader>>

  constructor(catalog: RenderedDocuments) {
    this.catalog = catalog
    this.options = new OptionPrinter(catalog.dictionary)
    const createReader = () => new OfferReader(catalog.dictionary, Buffer.alloc(0))
    this.readers = { offers: createReader(), seasonOffers: createReader() }
  }

  /** Writes a show behind a prefix. The output then holds the show's records, too, in front of it. */
  write(out: ByteWriter, doc: number, options: RenderOptions, prefix: string): RenderedShow {
    const show = this.begin(out, doc, options, prefix)
    this.writeMore(out, show)
    return show
  }

  /**
   * Begins a show and leaves its seasons, if it has any, to `writeMore`. Between two calls the output may be truncated to
   * where the show starts, and another renderer may be used, but not this one.
   */
  begin(out: ByteWriter, doc: number, options: RenderOptions, prefix: string): RenderedShow {
    const hasSeasons = options.granularity !== 'show'
    const parts = hasSeasons ? ALL_PARTS : WITHOUT_SEASONS
    const checksums = this.catalog.documents.sampledChecksums(doc, parts)
    this.loadTexts(out, doc, options.language, checksums)
    const loaded = this.loadOptions(out, doc, options, hasSeasons && this.texts.isSeries, checksums)
    this.catalog.documents.markChecked(doc, parts)
    const start = out.position
    out.ascii(prefix)
    if (options.isOptionsOnly === true) out.ascii('{"streamingOptions":')
    else this.printTexts(out, options)
    return this.beginOptions(out, loaded, options, start)
  }

  /** Writes the first part of a show, its texts and images, behind a prefix; returns where it starts. */
  writeTexts(out: ByteWriter, doc: number, options: RenderOptions, prefix: string): number {
    const { documents } = this.catalog
    const checksums = documents.sampledChecksums(doc, TEXTS_ONLY)
    this.loadTexts(out, doc, options.language, checksums)
    documents.markChecked(doc, TEXTS_ONLY)
    const start = out.position
    out.ascii(prefix)
    this.printTexts(out, options)
    return start
  }

  /** Writes what comes behind the texts: the options, and the seasons up to a length, the rest of which are left to `writeMore`. */
  writeOptions(out: ByteWriter, doc: number, options: RenderOptions, maxLength: number): RenderedShow {
    const { documents } = this.catalog
    const hasSeasons = options.granularity !== 'show'
    const parts = hasSeasons ? ALL_PARTS : OFFERS_ONLY
    const checksums = documents.sampledChecksums(doc, parts)
    let isSeries = false
    if (hasSeasons) {
      const record = documents.textsRecord(doc)
      checksums.check('texts', record)
      isSeries = isSeriesRecord(record)
    }
    out.reset()
    const loaded = this.loadOptions(out, doc, options, isSeries, checksums)
    documents.markChecked(doc, parts)
    const show = this.beginOptions(out, loaded, options, out.position)
    this.writeMore(out, show, show.start + maxLength)
    return show
  }

  /** Writes more of a show, until the output has reached a length or the show is whole. */
  writeMore(out: ByteWriter, show: RenderedShow, maxLength = Number.POSITIVE_INFINITY): void {
    const { rest } = show
    if (rest === undefined) return
    const validUntil = this.writeSeasons(out, rest, maxLength)
    if (validUntil < show.validUntil) show.validUntil = validUntil
    if (nextPart(rest) !== 'end') return
    out.ascii(']}')
    show.rest = undefined
  }

  private loadTexts(out: ByteWriter, doc: number, language: OutputLanguage, checksums: RecordChecksums): void {
    out.reset()
    const record = this.catalog.documents.textsRecord(doc)
    // Records are printed without being parsed, so that only their checksums tell damage.
    checksums.check('texts', record)
    loadRecord(out, record)
    this.texts.locate(out.reader(0), language)
  }

  /** Copies the offers to the output, and for a series of which seasons are printed, those and their offers. */
  private loadOptions(
    out: ByteWriter,
    doc: number,
    { countries }: RenderOptions,
    withSeasons: boolean,
    checksums: RecordChecksums,
  ): LoadedOptions {
    const offers = this.loadOffers(out, 'offers', doc, countries, checksums)
    if (!withSeasons) return { offers, seasons: undefined }
    const seasonOffers = this.loadOffers(out, 'seasonOffers', doc, countries, checksums)
    const outline = this.catalog.documents.outlineRecord(doc)
    checksums.check('outlines', outline)
    const start = out.position
    if (outline !== undefined) loadRecord(out, outline)
    return { offers, seasons: { offers: seasonOffers, start, end: out.position } }
  }

  private beginOptions(
    out: ByteWriter,
    { offers, seasons }: LoadedOptions,
    options: RenderOptions,
    start: number,
  ): RenderedShow {
    const validUntil = this.options.print(out, offers, options)
    if (seasons === undefined || seasons.start === seasons.end) {
      out.ascii(seasons === undefined ? '}' : `${NO_SEASONS}}`)
      return { start, validUntil, rest: undefined }
    }
    const outline = out.reader(seasons.start, seasons.end)
    const cursor = { outline, offers: seasons.offers, options, seasonsLeft: outline.varint() }
    out.ascii(',"seasons":[')
    return { start, validUntil, rest: { ...cursor, episodesLeft: -1, written: 0 } }
  }

  private printTexts(out: ByteWriter, { language, reference }: RenderOptions): void {
    const { head, title, overview, middle, genres, tail, images } = this.texts
    out.repeat(head.start, head.end)
    out.repeat(title.start, title.end)
    out.bytes(OVERVIEW)
    if (overview.end > overview.start) out.repeat(overview.start, overview.end)
    else out.bytes(EMPTY_TEXT)
    out.repeat(middle.start, middle.end)
    const genreTable = reference.genreTable(language)
    for (let i = 0; i < genres.length; i++) {
      if (i > 0) out.ascii(',')
      out.bytes(genreTable.get(genres[i] as number))
    }
    out.repeat(tail.start, tail.end)
    this.images.print(out, images.start)
    out.bytes(STREAMING_OPTIONS)
  }

  /** Copies the offers of a country to the output. Those of several are read from their own copy. */
  private loadOffers(
    out: ByteWriter,
    table: OfferTable,
    doc: number,
    countries: readonly string[] | undefined,
    checksums: RecordChecksums,
  ): readonly CountryOffers[] {
    if (countries?.length !== 1) {
      return this.catalog.documents
        .offersByCountry(table, doc, checksums)
        .filter(([country]) => countries?.includes(country) !== false)
        .map(([country, part]) => ({ country, reader: new OfferReader(this.catalog.dictionary, part) }))
    }
    const [country] = countries as [string]
    const record = this.catalog.documents.offersRecord(table, doc)
    checksums.check(table, record)
    const part = record === undefined ? undefined : findCountryPart(record, country)
    if (record === undefined || part === undefined) return []
    const start = out.position
    out.bytes(record, part.start, part.end)
    return [{ country, reader: this.readers[table].reset(out.reader(start)) }]
  }

  private writeSeasons(out: ByteWriter, cursor: SeasonsCursor, maxLength: number): number {
    let validUntil = Number.POSITIVE_INFINITY
    while (out.position < maxLength) {
      const part = nextPart(cursor)
      if (part === 'end') break
      if (part === 'endOfEpisodes') {
        out.ascii(']}')
        endEpisodes(cursor)
        // The season that ends here is an item of the list that goes on.
        cursor.written = 1
        continue
      }
      if (cursor.written++ > 0) out.ascii(',')
      validUntil = Math.min(validUntil, this.writeItem(out, cursor))
      if (part === 'season' && cursor.episodesLeft >= 0) {
        out.ascii(',"episodes":[')
        cursor.written = 0
      } else out.ascii('}')
    }
    return validUntil
  }

  /**
   * Writes the season or episode that is next, but for the end of its object. After a season whose episodes are printed, those
   * are next. Returns the instant until which it is valid.
   */
  writeItem(out: ByteWriter, cursor: SeasonsCursor): number {
    const { outline, offers, options } = cursor
    this.writeFragment(out, outline)
    const validUntil = this.options.print(out, offers, options)
    if (cursor.episodesLeft > 0) {
      cursor.episodesLeft--
      return validUntil
    }
    cursor.seasonsLeft--
    // One more than there are, so that 0 says that they are not known.
    const episodes = outline.varint()
    if (options.granularity === 'episode' && episodes > 0) cursor.episodesLeft = episodes - 1
    else {
      for (let e = 0; e < episodes - 1; e++) {
        outline.skip(outline.varint())
        skipOffers(offers)
      }
    }
    return validUntil
  }

  private writeFragment(out: ByteWriter, input: ByteReader): void {
    const size = input.varint()
    out.repeat(input.position, input.position + size)
    input.skip(size)
  }
}

/** Copies a record; the buffer that lmdb lends is larger than its `length` says. */
function loadRecord(out: ByteWriter, record: Buffer): void {
  out.bytes(record.subarray(0, record.length))
}
