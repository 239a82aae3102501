import type { StoredChange } from '../catalog/changes/stored-change.ts'
import type { ChangesQuery, FieldTree, ShowShape } from '../query/queries.ts'
import type { PrintedOption } from './best-offer.ts'
import { type BodyPool, joinPieces, type PooledBody } from './body-pool.ts'
import type { RecordCache } from './printer/record-cache.ts'
import type { ShowPrinter } from './printer/show-printer.ts'
import type { RenderOptions } from './render-options.ts'
import { chooseFields } from './shape-object.ts'
import { addProviderIds, type ShapedShowRenderer } from './shaped-show-renderer.ts'

/** What a page of shows or changes is written to. */
export interface PageWriter {
  addBytes(bytes: Buffer): void
  addText(text: string): void
  /**
   * Adds a show, behind its id if shows have keys, and behind a comma unless it is the first. Returns whether the page goes
   * on: one that has become too large to be rendered at once does not.
   */
  addShow(doc: number, isFirst: boolean, keyedBy?: number): boolean
}

/** The documents that a search found, in order. */
export interface SearchResult {
  readonly docs: readonly number[]
  readonly changes?: readonly StoredChange[]
  readonly unknownIds?: readonly string[]
}

/** A result with the JSON that ends its page, which holds the cursor. */
export interface PageResult extends SearchResult {
  readonly end: string
}

/** Changes, and the shows that they refer to; `ids` and `docs` run in parallel. */
export interface ChangesResult extends PageResult {
  readonly changes: readonly StoredChange[]
  readonly ids: readonly number[]
  /** Whether each change says its country. */
  readonly namesCountries: boolean
  readonly changeFields: FieldTree | undefined
}

/** A page that is larger is rendered in slices: more would delay other requests for too long. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024

/** The same for shows of a shape, which take several times as long. */
const MAX_SHAPED_PAGE_BYTES = 2 * 1024 * 1024

/** What stands before a show: a comma and, with an id, that id as a JSON key. */
export function showPrefix(keyedBy: number | undefined): string {
  return keyedBy === undefined ? ',' : `,"${keyedBy}":`
}

/** A series with more seasons is not rendered at once, since other requests would wait. */
const MAX_SEASONS_BYTES = 1024 * 1024

/** The same for a show of a shape, which takes several times as long. */
const MAX_SHAPED_BYTES = 256 * 1024

/** What renders the shows of a page. */
export interface PageRenderers {
  readonly printer: ShowPrinter<RecordCache>
  readonly shaped: ShapedShowRenderer
}

/** A page that is rendered at once, in the output of the printer: one at a time. */
export class PrintedPage implements PageWriter {
  /** Whether it was given up, because it is too large for that. */
  isTooLarge = false
  private shapedValidUntil = Number.POSITIVE_INFINITY
  private readonly printer: ShowPrinter<RecordCache>
  private readonly shaped: ShapedShowRenderer
  private readonly options: RenderOptions
  private readonly maxBytes: number

  constructor(
    { printer, shaped }: PageRenderers,
    version: number,
    options: RenderOptions,
    maxBytes = options.shape === undefined ? MAX_PAGE_BYTES : MAX_SHAPED_PAGE_BYTES,
  ) {
    this.printer = printer
    this.shaped = shaped
    this.options = options
    this.maxBytes = maxBytes
    printer.records.setVersion(version)
    printer.setOptions(options)
    printer.truncate(0)
  }

  get size(): number {
    return this.printer.size
  }

  /** The instant until which all of its shows are valid. */
  get validUntil(): number {
    return Math.min(this.shapedValidUntil, this.printer.validUntil)
  }

  addBytes(bytes: Buffer): void {
    this.printer.addBytes(bytes)
  }

  addText(text: string): void {
    this.printer.addText(text)
  }

  addShow(doc: number, isFirst: boolean, keyedBy?: number): boolean {
    const { printer, maxBytes } = this
    if (keyedBy !== undefined) printer.addText(showPrefix(keyedBy).slice(isFirst ? 1 : 0))
    else if (!isFirst) printer.addComma()
    const isWhole = this.options.shape === undefined ? this.printShow(doc) : this.printShaped(doc, this.options.shape)
    this.isTooLarge = !isWhole || (maxBytes < Number.POSITIVE_INFINITY && printer.size >= maxBytes)
    return !this.isTooLarge
  }

  private printShow(doc: number): boolean {
    const { printer, maxBytes } = this
    const isWhole = printer.beginShow(doc)
    if (isWhole !== false) return isWhole === true
    return printer.printSeasons(maxBytes === Number.POSITIVE_INFINITY ? undefined : printer.size + MAX_SEASONS_BYTES)
  }

  private printShaped(doc: number, shape: ShowShape): boolean {
    const { printer, options } = this
    const start = printer.size
    const joined = joinPieces(this.shaped.render(printer, doc, options, shape), MAX_SHAPED_BYTES)
    printer.truncate(start)
    if (joined === undefined) return false
    printer.addBytes(joined.bytes)
    this.shapedValidUntil = Math.min(this.shapedValidUntil, joined.validUntil)
    return true
  }

  /** A copy of what was printed, in a buffer of a pool. */
  build(pool: BodyPool): PooledBody {
    const { printer } = this
    const body = pool.acquire(printer.size)
    body.bytes.set(printer.view())
    return body
  }

  /** A copy of what was printed. */
  toBuffer(): Buffer {
    return Buffer.from(this.printer.view())
  }
}

const OPEN_SHOWS = Buffer.from('{"shows":[')
const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')

/** Writes a page of shows, with its cursor. */
export function writeFilterPage(page: PageWriter, { docs, end }: PageResult): void {
  page.addBytes(OPEN_SHOWS)
  writeShows(page, docs)
  page.addText(end)
}

/** Writes a show by itself. */
export function writeShow(page: PageWriter, { docs }: SearchResult): void {
  writeShows(page, docs)
}

/** Writes a list of shows. */
export function writeList(page: PageWriter, { docs }: SearchResult): void {
  page.addBytes(OPEN_LIST)
  writeShows(page, docs)
  page.addBytes(CLOSE_LIST)
}

/** Writes a page of changes, and the shows that they are about. */
export function writeChanges(
  page: PageWriter,
  { changes, ids, docs, namesCountries, changeFields, end }: ChangesResult,
  options: RenderOptions,
): void {
  const { shape } = options
  // What is still to be added, with what comes next: adding a text costs more than joining two.
  let text = '{"changes":['
  changes.forEach((change, i) => {
    const { before, service, after } = printChange(change, options, namesCountries)
    if (i > 0) text += ','
    if (shape === undefined) {
      page.addText(text + before)
      page.addBytes(service)
      text = after
    } else {
      page.addText(text + shapeChange(before + service + after, change.list.country, shape, changeFields))
      text = ''
    }
  })
  page.addText(`${text}],"shows":{`)
  writeShows(page, docs, ids)
  page.addText(end)
}

function writeShows(page: PageWriter, docs: readonly number[], ids?: readonly number[]): void {
  for (let i = 0; i < docs.length; i++) {
    if (!page.addShow(docs[i] as number, i === 0, ids?.[i])) return
  }
}

/** The changes of a page, and the shows that they are about unless no member of those was chosen. */
export function buildChangesResult(
  { namesCountries, shape, changeFields }: Pick<ChangesQuery, 'namesCountries' | 'shape' | 'changeFields'>,
  changes: readonly StoredChange[],
  end: string,
): ChangesResult {
  const hasShows = shape?.fields?.members?.size !== 0
  const shows = new Map(hasShows ? changes.map(({ showId, doc }) => [showId, doc]) : [])
  const docs = [...shows.values()]
  return { changes, ids: [...shows.keys()], docs, namesCountries: namesCountries === true, changeFields, end }
}

/** The JSON after the last show of a page. */
export function formatPageEnd(close: ']' | '}', nextCursor: string | undefined, since?: string): string {
  const token = since === undefined ? '' : `,"since":${JSON.stringify(since)}`
  if (nextCursor === undefined) return `${close},"hasMore":false${token}}`
  return `${close},"hasMore":true,"nextCursor":${JSON.stringify(nextCursor)}${token}}`
}

/** A change as JSON, with the object of its service in the middle, which is printed again and again. */
interface PrintedChange {
  readonly before: string
  readonly service: Buffer
  readonly after: string
}

/** Prints a change; with `namesCountry`, its country is its last member. */
export function printChange(
  { list, showId, showType, season, episode, service, offerType, addon, timestamp, link }: StoredChange,
  { reference, language }: Pick<RenderOptions, 'reference' | 'language'>,
  namesCountry: boolean,
): PrintedChange {
  const { changeType, itemType, country } = list
  const part = `${season > 0 ? `,"season":${season}` : ''}${episode > 0 ? `,"episode":${episode}` : ''}`
  const addonPart = addon === '' ? '' : `,"addon":${reference.addon(addon, service, country, language)}`
  const timePart = timestamp > 0 ? `,"timestamp":${timestamp}` : ''
  const linkPart = link === undefined ? '' : `,"link":${JSON.stringify(link)}`
  const countryPart = namesCountry ? `,"country":"${country}"` : ''
  return {
    before: `{"changeType":"${changeType}","itemType":"${itemType}","showId":"${showId}","showType":"${showType}"${part},"service":`,
    service: reference.service(service, country, language),
    after: `,"streamingOptionType":"${offerType}"${addonPart}${timePart}${linkPart}${countryPart}}`,
  }
}

/** A change with the members that were chosen, and those that were included. */
function shapeChange(json: string, country: string, shape: ShowShape, fields: FieldTree | undefined): string {
  const change = JSON.parse(json) as PrintedOption
  if (shape.includes.has('tmdbProviderIds')) addProviderIds(change, country)
  return JSON.stringify(fields === undefined ? change : chooseFields(change, fields, shape.extraMembers))
}
