import type { Catalog } from '../catalog/catalog.ts'
import type { StoredChange } from '../catalog/changes/stored-change.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { Granularity } from '../model/show.ts'
import type { SourceAttribution } from '../model/source.ts'
import { searchChanges } from '../query/changes-search.ts'
import { FilterExecutor } from '../query/filter-executor.ts'
import { searchByFilters } from '../query/filter-search.ts'
import { FuzzyExpander } from '../query/fuzzy-expander.ts'
import type { ChangesQuery, FilterQuery, Query, ShowQuery, TitleQuery, TopQuery } from '../query/queries.ts'
import { searchByTitle } from '../query/title-search.ts'
import { getTopList } from '../query/top-list.ts'
import { BodyBuilder, BodyPool } from './body-pool.ts'
import { CatalogStateReader } from './catalog-state.ts'
import { ChangeRenderer } from './change-renderer.ts'
import type { QueryEngine, ReferenceNames, RenderedResponse } from './query-engine.ts'
import { type CacheStats, ResponseCache, ResultCache } from './response-cache.ts'
import { ShowCache } from './show-cache.ts'
import type { RenderOptions } from './show-renderer.ts'

const NEVER_EXPIRES = Number.POSITIVE_INFINITY

/** QueryEngine queries out of a catalog. */
export class CatalogQueryEngine implements QueryEngine {
  private readonly catalog: Catalog
  private readonly matching: FilterExecutor
  private readonly words: FuzzyExpander
  private readonly shows: ShowCache
  private readonly changes = new ChangeRenderer()
  private readonly finds = new ResultCache()
  private readonly bodies = new BodyPool()
  private readonly pages = new ResponseCache()
  private readonly state: CatalogStateReader
  private readonly live: LiveDocCache

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.matching = new FilterExecutor(catalog)
    this.words = new FuzzyExpander(catalog)
    this.shows = new ShowCache(catalog)
    this.state = new CatalogStateReader(catalog)
    this.live = new LiveDocCache(catalog)
  }

  /** How well the caches serve, by name. */
  cacheUse(): Readonly<Record<string, CacheStats>> {
    return { shows: this.shows.stats, finds: this.finds.stats, pages: this.pages.stats }
  }

  version(): number {
    return this.state.get().version
  }

  contentHash(): string {
    return this.state.get().contentHash
  }

  names(): ReferenceNames {
    return this.state.get().names
  }

  attributions(): readonly SourceAttribution[] {
    return this.catalog
      .sources()
      .flatMap(({ name, attribution = [] }) => (attribution.length === 0 ? [] : [{ source: name, attribution }]))
  }

  execute(query: Query, now: number): RenderedResponse | undefined {
    switch (query.kind) {
      case 'show':
        return this.show(query, now)
      case 'filter':
        return this.page(query, now, this.findByFilter, this.joinFiltered)
      case 'title':
        return this.page(query, now, this.findByTitle, this.joinList)
      case 'top':
        return this.page(query, now, this.findTop, this.joinList)
      case 'changes':
        return this.page(query, now, this.findChanges, this.joinChanges)
      case 'countries':
        return unexpiringResponse(this.state.get().reference.countries(query.language, query.as))
      case 'country': {
        const body = this.state.get().reference.country(query.country, query.language)
        return body === undefined ? undefined : unexpiringResponse(body)
      }
      case 'genres':
        return unexpiringResponse(this.state.get().reference.genres(query.language))
    }
  }

  private show(query: ShowQuery, now: number): RenderedResponse | undefined {
    const version = this.version()
    const doc = this.live.get(query.id, version)
    if (doc === undefined) return undefined
    const { chunk, start, end, validUntil } = this.shows.get(doc, version, this.rendering(query, now))
    const body = this.bodies.acquire(end - start - 1)
    chunk.copy(body.bytes, 0, start + 1, end)
    return { body, validUntil }
  }

  /** A page of shows: the one that was made last, or one made anew from what is found. */
  private page<Q extends PageQuery, T>(
    query: Q,
    now: number,
    search: (query: Q) => T,
    join: (found: T, page: BodyBuilder, rendering: RenderOptions) => number,
  ): RenderedResponse {
    const version = this.version()
    const find = this.finds.get(query, version, () => search(query))
    if (find.response?.isFresh(now) === true) {
      this.pages.stats.hits++
      return { body: find.response.acquire(), validUntil: find.response.validUntil }
    }
    this.pages.stats.misses++
    const page = new BodyBuilder()
    const validUntil = join(find.result, page, this.rendering(query, now))
    find.response = this.pages.put(page.build(this.bodies), validUntil, version)
    return { body: find.response.acquire(), validUntil }
  }

  private readonly findByFilter = (query: FilterQuery): FilterResult => {
    const { docs, nextCursor } = searchByFilters(this.catalog, this.matching, query)
    return { docs, end: encodePageEnd(']', nextCursor) }
  }

  private readonly findByTitle = (query: TitleQuery): readonly number[] =>
    searchByTitle(this.catalog, this.words, query)

  private readonly findTop = (query: TopQuery): readonly number[] => getTopList(this.catalog, query)

  private readonly findChanges = (query: ChangesQuery): ChangesResult => {
    const { changes, nextCursor } = searchChanges(this.catalog, query)
    const shows = new Map(changes.map(({ showId, doc }) => [showId, doc]))
    return { changes, ids: [...shows.keys()], docs: [...shows.values()], end: encodePageEnd('}', nextCursor) }
  }

  private readonly joinFiltered = (
    { docs, end }: FilterResult,
    page: BodyBuilder,
    rendering: RenderOptions,
  ): number => {
    page.add(OPEN_SHOWS)
    const validUntil = this.joinShows(docs, page, rendering)
    page.add(end)
    return validUntil
  }

  private readonly joinList = (docs: readonly number[], page: BodyBuilder, rendering: RenderOptions): number => {
    page.add(OPEN_LIST)
    const validUntil = this.joinShows(docs, page, rendering)
    page.add(CLOSE_LIST)
    return validUntil
  }

  private readonly joinChanges = (found: ChangesResult, page: BodyBuilder, rendering: RenderOptions): number => {
    const { changes, ids, docs, end } = found
    page.add(OPEN_CHANGES)
    for (let i = 0; i < changes.length; i++) {
      const bytes = this.changes.render(changes[i] as StoredChange, rendering.reference, rendering.language)
      page.add(bytes, i === 0 ? 1 : 0)
    }
    page.add(OPEN_CHANGED_SHOWS)
    const validUntil = this.joinShows(docs, page, rendering, ids)
    page.add(end)
    return validUntil
  }

  /** Adds shows, one behind the other; says until when they stay as they are. */
  private joinShows(
    docs: readonly number[],
    page: BodyBuilder,
    rendering: RenderOptions,
    ids?: readonly number[],
  ): number {
    const version = this.version()
    let validUntil = NEVER_EXPIRES
    for (let i = 0; i < docs.length; i++) {
      const piece = this.shows.get(docs[i] as number, version, rendering, ids?.[i])
      page.add(piece.chunk, i === 0 ? piece.start + 1 : piece.start, piece.end)
      if (piece.validUntil < validUntil) validUntil = piece.validUntil
    }
    return validUntil
  }

  private rendering(
    {
      country,
      language,
      granularity = 'show',
    }: { country?: string; language: OutputLanguage; granularity?: Granularity },
    now: number,
  ): RenderOptions {
    return { country, language, granularity, now, reference: this.state.get().reference }
  }
}

type PageQuery = FilterQuery | TitleQuery | TopQuery | ChangesQuery

/** What a filter search found, with the end of its page. */
interface FilterResult {
  readonly docs: readonly number[]
  readonly end: Buffer
}

/** Changes that were found, and the shows that they are about, by id. */
interface ChangesResult {
  readonly changes: readonly StoredChange[]
  readonly ids: readonly number[]
  readonly docs: readonly number[]
  readonly end: Buffer
}

/** An answer that only another version of the catalog alters. */
function unexpiringResponse(bytes: Buffer): RenderedResponse {
  return { body: { bytes }, validUntil: NEVER_EXPIRES }
}

const OPEN_SHOWS = Buffer.from('{"shows":[')
const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')
const OPEN_CHANGES = Buffer.from('{"changes":[')
const OPEN_CHANGED_SHOWS = Buffer.from('],"shows":{')

/** What stands behind the shows of a page, whatever closes them first. */
function encodePageEnd(close: ']' | '}', nextCursor: string | undefined): Buffer {
  if (nextCursor === undefined) return Buffer.from(`${close},"hasMore":false}`)
  return Buffer.from(`${close},"hasMore":true,"nextCursor":${JSON.stringify(nextCursor)}}`)
}

/** Beyond this many all are forgotten: to ask again is cheaper than to keep an order of use. */
const MAX_CACHED_IDS = 65_536

/** Ids to the documents of shows that can be answered, remembered until the catalog changes: facts are dear to read. */
export class LiveDocCache {
  private readonly catalog: Catalog
  private version = -1
  private readonly docs = new Map<string, number>()

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** The document of the show with an id: its own, its IMDb or its TMDB id. None for shows that were withdrawn. */
  get(id: string, version: number): number | undefined {
    if (this.version !== version || this.docs.size >= MAX_CACHED_IDS) {
      this.docs.clear()
      this.version = version
    }
    const known = this.docs.get(id)
    if (known !== undefined) return known
    const doc = this.catalog.findDoc(id)
    if (doc === undefined || this.catalog.facts(doc)?.deleted !== false) return undefined
    this.docs.set(id, doc)
    return doc
  }
}
