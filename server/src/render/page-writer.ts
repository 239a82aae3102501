import type { StoredChange } from '../catalog/changes/stored-change.ts'
import type { ChangesQuery, FieldTree, ShowShape } from '../query/queries.ts'
import type { PrintedOption } from './best-offer.ts'
import { BodyBuilder, type BodyPool, type PooledBody } from './body-pool.ts'
import type { RenderOptions } from './render-options.ts'
import { chooseFields } from './shape-object.ts'
import { addProviderIds } from './shaped-show-renderer.ts'
import type { ShowCache } from './show-cache.ts'

/** What a page of shows or changes is written to. */
export interface PageWriter {
  add(source: Buffer, start?: number, end?: number): void
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

/** A page that is rendered at once. */
export class CachedShowsPage implements PageWriter {
  /** Whether it was given up, because it is too large for that. */
  isTooLarge = false
  /** The instant until which all of its shows are valid. */
  validUntil = Number.POSITIVE_INFINITY
  private readonly body = new BodyBuilder()
  private readonly shows: ShowCache
  private readonly version: number
  private readonly options: RenderOptions
  private readonly maxBytes: number

  constructor(shows: ShowCache, version: number, options: RenderOptions, maxBytes = maxPageBytes(options)) {
    this.shows = shows
    this.version = version
    this.options = options
    this.maxBytes = maxBytes
  }

  add(source: Buffer, start = 0, end = source.length): void {
    this.body.add(source, start, end)
  }

  addText(text: string): void {
    this.body.addText(text)
  }

  addShow(doc: number, isFirst: boolean, keyedBy?: number): boolean {
    const { body } = this
    if (keyedBy !== undefined) body.addText(showPrefix(keyedBy).slice(isFirst ? 1 : 0))
    const withComma = !isFirst && keyedBy === undefined
    const validUntil = this.shows.addUnlessLarge(body, doc, this.version, this.options, withComma)
    if (validUntil === undefined || body.size >= this.maxBytes) {
      this.isTooLarge = true
      return false
    }
    if (validUntil < this.validUntil) this.validUntil = validUntil
    return true
  }

  build(pool: BodyPool): PooledBody {
    return this.body.build(pool)
  }
}

function maxPageBytes({ shape }: RenderOptions): number {
  return shape === undefined ? MAX_PAGE_BYTES : MAX_SHAPED_PAGE_BYTES
}

const OPEN_SHOWS = Buffer.from('{"shows":[')
const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')
const OPEN_CHANGES = Buffer.from('{"changes":[')
const OPEN_CHANGED_SHOWS = Buffer.from('],"shows":{')

/** Writes a page of shows, with its cursor. */
export function writeFilterPage(page: PageWriter, { docs, end }: PageResult): void {
  page.add(OPEN_SHOWS)
  writeShows(page, docs)
  page.addText(end)
}

/** Writes a list of shows. */
export function writeList(page: PageWriter, { docs }: SearchResult): void {
  page.add(OPEN_LIST)
  writeShows(page, docs)
  page.add(CLOSE_LIST)
}

/** Writes a page of changes, and the shows that they are about. */
export function writeChanges(
  page: PageWriter,
  { changes, ids, docs, namesCountries, changeFields, end }: ChangesResult,
  options: RenderOptions,
): void {
  const { shape } = options
  page.add(OPEN_CHANGES)
  for (let i = 0; i < changes.length; i++) {
    const change = changes[i] as StoredChange
    const { before, service, after } = printChange(change, options, namesCountries)
    if (shape === undefined) {
      page.addText(i === 0 ? before : `,${before}`)
      page.add(service)
      page.addText(after)
    } else {
      const shaped = shapeChange(before + service + after, change.list.country, shape, changeFields)
      page.addText(i === 0 ? shaped : `,${shaped}`)
    }
  }
  page.add(OPEN_CHANGED_SHOWS)
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
