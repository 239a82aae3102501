import type { Catalog } from '../catalog/catalog.ts'
import type { StoredChange } from '../catalog/changes/stored-change.ts'
import { encodeUnpooled } from '../lib/bytes.ts'
import { GenerationalCache, type MeteredCache, VersionedCache } from '../lib/cache.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { Granularity } from '../model/show.ts'
import type { SourceAttribution } from '../model/source-ranks.ts'
import { CatalogSearcher } from '../query/catalog-searcher.ts'
import {
  createJournalFilter,
  SINCE_NOW,
  searchChanges,
  searchChangesSince,
  searchFeedChanges,
} from '../query/changes/changes-search.ts'
import { currentToken, JournalSlices, resolveCountryToken } from '../query/changes/journal-token.ts'
import {
  type ChangesQuery,
  type ChangesSinceQuery,
  type ChangesStreamQuery,
  type CountQuery,
  type ExportQuery,
  type FeedQuery,
  type FilterQuery,
  type HistoryQuery,
  hasProvenance,
  type PeopleQuery,
  type Query,
  type ShowQuery,
  type ShowShape,
  type ShowsQuery,
  type SimilarQuery,
  type TitleQuery,
  type TopQuery,
} from '../query/queries.ts'
import { getTopList } from '../query/top-list.ts'
import { BodyPool, joinPieces } from './body-pool.ts'
import { ExportPacer, type OpenExport, openExport } from './catalog-export.ts'
import { CatalogStateReader } from './catalog-state.ts'
import { HistoryRenderer } from './history-renderer.ts'
import { LargePage, LargeResponses } from './large-responses.ts'
import {
  buildChangesResult,
  type ChangesResult,
  formatPageEnd,
  type PageRenderers,
  type PageResult,
  type PageWriter,
  PrintedPage,
  printChange,
  type SearchResult,
  writeChanges,
  writeFilterPage,
  writeList,
  writeShow,
} from './page-writer.ts'
import { RecordCache } from './printer/record-cache.ts'
import { ShowPrinter } from './printer/show-printer.ts'
import type { QueryEngine, ReferenceNames, RenderedResponse, StreamedChange, StreamedChanges } from './query-engine.ts'
import type { RenderOptions } from './render-options.ts'
import { type CachedResponse, ResponseCache } from './response-cache.ts'
import { ShapedShowRenderer } from './shaped-show-renderer.ts'

const NEVER_EXPIRES = Number.POSITIVE_INFINITY

/** Memory for search results: document numbers and cursors, without the rendered bytes. */
const MAX_RESULT_CACHE_BYTES = 16 * 1024 * 1024
/** As many as the route cache has queries. Results of others are never found again, and each is a dozen objects to the collector. */
const MAX_RESULTS = 8192
const MAX_COUNT_CACHE_BYTES = 8 * 1024 * 1024

/** Exports of one process at a time. Each holds a snapshot and takes its share of the event loop. */
const MAX_OPEN_EXPORTS = 4

/** Memory for the records of shows: those of some 110,000. */
const MAX_SHOW_BYTES = 128 * 1024 * 1024

/** The size of a cache entry beside its value, about. */
const ENTRY_BYTES = 256

/** A show that has less JSON is printed about as fast as a response is found, and would evict pages of searches. */
const MIN_KEPT_SHOW_BYTES = 16 * 1024

/** A history that has more JSON is rendered in slices. */
const MAX_HISTORY_LENGTH = 256 * 1024

interface EngineOptions {
  readonly maxExportMs?: number
  readonly historyDays?: number
  /** The memory for the records of shows, reserved with the first one. By default, what a process takes that answers all requests. */
  readonly maxShowBytes?: number
  /** The memory for options that filters test. */
  readonly maxOptionBytes?: number
}

/** Executes queries on a catalog and renders the results. */
export class CatalogQueryEngine implements QueryEngine {
  private readonly catalog: Catalog
  private readonly searcher: CatalogSearcher
  private readonly renderers: PageRenderers
  private readonly bodies = new BodyPool()
  private readonly responses = new ResponseCache()
  private readonly state: CatalogStateReader

  /** Results by the identity of the query: a repeated request brings the same frozen query from the route cache. */
  private readonly results = new GenerationalCache<Query, CachedResult<SearchResult>>({
    name: 'finds',
    maxBytes: MAX_RESULT_CACHE_BYTES,
    maxEntries: MAX_RESULTS,
    sizeOf: ({ result }) => ENTRY_BYTES + 8 * result.docs.length + 64 * (result.changes?.length ?? 0),
  })

  /** Rendered counts by the identity of the query. */
  private readonly counts = new VersionedCache<Query, Buffer>({
    name: 'counts',
    maxBytes: MAX_COUNT_CACHE_BYTES,
    sizeOf: (bytes) => ENTRY_BYTES + bytes.length,
  })

  private readonly slices: JournalSlices
  private readonly exportPacer = new ExportPacer()
  private readonly maxExportMs: number | undefined
  private readonly history: HistoryRenderer
  private readonly large: LargeResponses

  constructor(
    catalog: Catalog,
    { maxExportMs, historyDays, maxShowBytes = MAX_SHOW_BYTES, maxOptionBytes }: EngineOptions = {},
  ) {
    this.catalog = catalog
    this.maxExportMs = maxExportMs
    this.searcher = new CatalogSearcher(catalog, maxOptionBytes)
    this.history = new HistoryRenderer(catalog, historyDays)
    this.renderers = {
      printer: new ShowPrinter(
        catalog.dictionary,
        (module, memory) => new RecordCache(catalog, module, memory, maxShowBytes),
      ),
      shaped: new ShapedShowRenderer(catalog, this.history),
    }
    this.state = new CatalogStateReader(catalog)
    this.slices = new JournalSlices(catalog)
    this.large = new LargeResponses(catalog, this.history)
  }

  /** All caches of the read side, those of the catalog and of searches included. */
  caches(): readonly MeteredCache[] {
    return [
      ...this.catalog.caches(),
      ...this.searcher.caches(),
      this.renderers.printer.records.meter,
      this.renderers.printer.strings,
      this.results,
      this.responses.meter,
      this.bodies.meter,
      ...this.large.caches(),
      this.counts,
      this.slices.cache,
      this.state.referenceMeter,
    ]
  }

  version(): number {
    return this.state.get().version
  }

  contentHash(query: Query): string {
    const { contentHash } = this.state.get()
    return hasProvenance(query) ? contentHash + this.catalog.confirmationHash() : contentHash
  }

  names(): ReferenceNames {
    return this.state.get().names
  }

  attributions(): readonly SourceAttribution[] {
    return this.catalog
      .sources()
      .flatMap(({ name, attribution = [] }) => (attribution.length === 0 ? [] : [{ source: name, attribution }]))
  }

  hasShow(id: string): boolean {
    return this.findDoc(id) !== undefined
  }

  /** Reads what searches are expected to need, for a turn of the event loop. */
  readAhead(): void {
    this.searcher.readAhead(this.version())
  }

  execute(query: Query, now: number, isRepeated = false): RenderedResponse | undefined {
    const execute = () => this.executeNow(query, now, isRepeated)
    if ((isRepeated && this.hasResult(query)) || this.searcher.isReady(query, this.version())) return execute()
    if (query.kind === 'similar' && !this.hasShow(query.id)) return undefined
    const renderInTurns = async () => {
      const response = await this.searcher.whenReady(query, execute)
      return response?.renderInTurns === undefined ? response : response.renderInTurns()
    }
    return { body: { bytes: NO_BYTES }, validUntil: now, renderInTurns }
  }

  /** Whether what a query finds is cached, so that nothing is searched for. */
  private hasResult(query: Query): boolean {
    const version = this.version()
    return this.results.has(query, version) || this.counts.has(query, version)
  }

  private executeNow(query: Query, now: number, isRepeated: boolean): RenderedResponse | undefined {
    switch (query.kind) {
      case 'show':
        return this.executeShow(query, now, isRepeated)
      case 'shows':
        return this.executeSearch(query, now, isRepeated, this.findShows, writeList)
      case 'filter':
        return this.executeSearch(query, now, isRepeated, this.findByFilters, writeFilterPage)
      case 'count':
        return unexpiringResponse(this.executeCount(query, isRepeated))
      case 'title':
        return this.executeSearch(query, now, isRepeated, this.findByTitle, writeList)
      case 'similar':
        return this.executeSimilar(query, now, isRepeated)
      case 'history':
        return this.executeHistory(query, now, isRepeated)
      case 'top':
        return this.executeSearch(query, now, isRepeated, this.getTopList, writeList)
      case 'changes':
        return this.executeSearch(query, now, isRepeated, this.searchChanges, writeChanges)
      case 'changes-since':
        return this.executeSearch(query, now, isRepeated, this.searchChangesSince, writeChanges)
      case 'people':
        return unexpiringResponse(this.renderPeople(query))
      case 'countries':
        return unexpiringResponse(
          this.state.get().reference.countries(query.language, query.as, this.version(), query.withProviderIds),
        )
      case 'country': {
        const { country, language, withProviderIds } = query
        const body = this.state.get().reference.country(country, language, this.version(), withProviderIds)
        return body === undefined ? undefined : unexpiringResponse(body)
      }
      case 'genres':
        return unexpiringResponse(this.state.get().reference.genres(query.language))
    }
  }

  openExport(query: ExportQuery, now: number): OpenExport | undefined {
    const { exportPacer } = this
    if (exportPacer.count >= MAX_OPEN_EXPORTS) return undefined
    const options = this.renderOptions(query, now)
    const { chunks, close } = openExport(this.catalog, query, options, exportPacer, this.maxExportMs)
    let isOpen = true
    exportPacer.count++
    return {
      chunks,
      close: () => {
        close()
        if (isOpen) exportPacer.count--
        isOpen = false
      },
    }
  }

  findShowId(id: string): string | undefined {
    const doc = this.catalog.findDoc(id)
    const facts = doc === undefined ? undefined : this.catalog.facts(doc)
    return facts?.deleted === false ? facts.id : undefined
  }

  resolveStreamToken(since: string): string {
    if (since === SINCE_NOW) return currentToken(this.catalog)
    resolveCountryToken(this.catalog, since)
    return since
  }

  streamChanges(query: ChangesStreamQuery, token: string, now: number): StreamedChanges {
    const slice = this.slices.read(query.country, token)
    const matches = createJournalFilter(this.catalog, query)
    const options = this.renderOptions(query, now)
    const changes: StreamedChange[] = []
    for (const entry of slice.changes) {
      if (matches(entry.change)) changes.push({ token: entry.token, json: this.renderWithShow(entry.change, options) })
    }
    return { changes, token: slice.token, hasMore: slice.hasMore }
  }

  feedChanges(query: FeedQuery, now: number): readonly Buffer[] | undefined {
    const options = this.renderOptions(query, now)
    const changes = searchFeedChanges(this.catalog, query, this.version())
    return changes?.map((change) => this.renderWithShow(change, options))
  }

  /** Changes of a country and their shows, as the members `changes` and `shows` of an object. */
  printChanges(
    changes: readonly StoredChange[],
    options: { readonly country: string; readonly language: OutputLanguage },
    now: number,
  ): string {
    const renderOptions = this.renderOptions(options, now)
    const page = this.createPage(renderOptions, Number.POSITIVE_INFINITY)
    writeChanges(page, buildChangesResult({}, changes, '}'), renderOptions)
    // Without the brace that opens the object of a page.
    return page.toBuffer().toString('utf8', 1)
  }

  /** A change as JSON, with its show as the last member. */
  private renderWithShow(change: StoredChange, options: RenderOptions): Buffer {
    const { before, service, after } = printChange(change, options, false)
    const page = this.createPage(options, Number.POSITIVE_INFINITY)
    page.addText(before)
    page.addBytes(service)
    page.addText(`${after.slice(0, -1)},"show":`)
    page.addShow(change.doc, true)
    page.addText('}')
    return page.toBuffer()
  }

  private executeShow(query: ShowQuery, now: number, isRepeated: boolean): RenderedResponse | undefined {
    if (!this.hasShow(query.id)) return undefined
    // The search is repeated where the response is rendered in slices, later: the show may be gone by then.
    const search = () => {
      const doc = this.findDoc(query.id)
      return { docs: doc === undefined ? [] : [doc] }
    }
    return this.executeSearch(query, now, isRepeated, search, writeShow)
  }

  /** A response that was kept, or is rendered in slices; `fill` searches again, since another version may be current by then. */
  private renderLarge(
    query: HistoryQuery | SearchQuery,
    now: number,
    isRepeated: boolean,
    fill: (page: LargePage, options: RenderOptions) => void,
  ): RenderedResponse {
    const kept = isRepeated ? this.large.get(query, this.version(), this.contentHash(query), now) : undefined
    if (kept !== undefined) return kept
    const find = () => {
      const page = new LargePage()
      const options = this.renderOptions(query, now)
      fill(page, options)
      if (page.parts.length === 0) return undefined
      return { page, options, version: this.version(), contentHash: this.contentHash(query) }
    }
    const findWhenReady = () =>
      this.searcher.isReady(query, this.version()) ? find() : this.searcher.whenReady(query, find)
    const renderInTurns = () => this.large.render(isRepeated ? query : undefined, findWhenReady)
    return { body: { bytes: NO_BYTES }, validUntil: now, renderInTurns }
  }

  private findDoc(id: string): number | undefined {
    return this.searcher.findDoc(id, this.version())
  }

  /**
   * A page of shows or changes: the cached response, or one rendered from the cached or a new result. A response is cached
   * when its query comes for the second time: most queries never do, and would evict what is asked for again.
   */
  private executeSearch<Q extends SearchQuery, R extends SearchResult>(
    query: Q,
    now: number,
    isRepeated: boolean,
    search: (query: Q) => R,
    write: (page: PageWriter, result: R, options: RenderOptions) => void,
  ): RenderedResponse {
    const version = this.version()
    const contentHash = this.contentHash(query)
    const cached = isRepeated ? this.getOrSearch(query, version, search) : undefined
    const result = cached?.result ?? search(query)
    const extras = result.unknownIds === undefined ? undefined : { unknownIds: result.unknownIds }
    if (cached !== undefined) {
      const current = cached.contentHash === contentHash ? cached.response : undefined
      const fresh = this.responses.check(current, now)
      if (fresh !== undefined) return { body: fresh.acquire(), validUntil: fresh.validUntil, ...extras }
      const kept = this.large.get(query, version, contentHash, now)
      if (kept !== undefined) return { ...kept, ...extras }
    }
    const options = this.renderOptions(query, now)
    const page = this.createPage(options)
    write(page, result, options)
    if (page.isTooLarge) {
      const large = this.renderLarge(query, now, isRepeated, (parts, current) => {
        write(parts, search(query), current)
      })
      return { ...large, ...extras }
    }
    const { validUntil } = page
    const isKept = query.kind !== 'show' || page.size >= MIN_KEPT_SHOW_BYTES
    const body = page.build(this.bodies)
    if (cached === undefined || !isKept) return { body, validUntil, ...extras }
    cached.response = this.responses.put(body, validUntil, version)
    cached.contentHash = contentHash
    return { body: cached.response.acquire(), validUntil, ...extras }
  }

  /** The cached result of a query, which is searched for where there is none. */
  private getOrSearch<Q extends SearchQuery, R extends SearchResult>(
    query: Q,
    version: number,
    search: (query: Q) => R,
  ): CachedResult<R> {
    const compute = () => ({ result: search(query), response: undefined, contentHash: '' })
    return this.results.getOrCompute(query, version, compute) as CachedResult<R>
  }

  private readonly findShows = ({ ids }: ShowsQuery): SearchResult => this.searcher.findDocs(ids, this.version())

  private readonly findByFilters = (query: FilterQuery): PageResult => {
    const { docs, nextCursor } = this.searcher.findByFilters(query, this.version())
    return { docs, end: formatPageEnd(']', nextCursor) }
  }

  private readonly findByTitle = (query: TitleQuery): SearchResult => ({
    docs: this.searcher.findByTitle(query, this.version()),
  })

  private executeCount(query: CountQuery, isRepeated: boolean): Buffer {
    if (!isRepeated) return this.renderCount(query)
    return this.counts.getOrCompute(query, this.version(), () => this.renderCount(query))
  }

  private renderCount(query: CountQuery): Buffer {
    return encodeUnpooled(JSON.stringify(this.searcher.count(query)))
  }

  private renderPeople(query: PeopleQuery): Buffer {
    return Buffer.from(JSON.stringify(this.searcher.findPeople(query)))
  }

  private executeSimilar(query: SimilarQuery, now: number, isRepeated: boolean): RenderedResponse | undefined {
    const doc = this.findDoc(query.id)
    if (doc === undefined) return undefined
    const search = () => ({ docs: this.searcher.findSimilar(doc, query, this.version()) })
    return this.executeSearch(query, now, isRepeated, search, writeList)
  }

  private executeHistory(query: HistoryQuery, now: number, isRepeated: boolean): RenderedResponse | undefined {
    const doc = this.findDoc(query.id)
    if (doc === undefined) return undefined
    const options = this.renderOptions(query, now)
    const joined = joinPieces(this.history.render(doc, query.country, options), MAX_HISTORY_LENGTH)
    if (joined !== undefined) return { body: { bytes: joined.bytes }, validUntil: joined.validUntil }
    return this.renderLarge(query, now, isRepeated, (page) => {
      const current = this.findDoc(query.id)
      if (current !== undefined) page.addHistory(current, query.country)
    })
  }

  private readonly getTopList = (query: TopQuery): SearchResult => ({ docs: getTopList(this.catalog, query) })

  private readonly searchChanges = (query: ChangesQuery): ChangesResult => {
    const { changes, nextCursor } = searchChanges(this.catalog, query, this.version())
    return buildChangesResult(query, changes, formatPageEnd('}', nextCursor))
  }

  private readonly searchChangesSince = (query: ChangesSinceQuery): ChangesResult => {
    const { changes, nextCursor, since } = searchChangesSince(this.catalog, query)
    return buildChangesResult(query, changes, formatPageEnd('}', nextCursor, since))
  }

  private createPage(options: RenderOptions, maxBytes?: number): PrintedPage {
    return new PrintedPage(this.renderers, this.version(), options, maxBytes)
  }

  private renderOptions(
    query: Partial<Record<'country', string>> & {
      readonly countries?: readonly string[] | undefined
      readonly language: OutputLanguage
      readonly granularity?: Granularity
      readonly shape?: ShowShape | undefined
    },
    now: number,
  ): RenderOptions {
    const { country, countries = country === undefined ? undefined : [country], language, granularity = 'show' } = query
    const options = { countries, language, granularity, now, reference: this.state.get().reference }
    return query.shape === undefined ? options : { ...options, shape: query.shape }
  }
}

type SearchQuery =
  | ShowQuery
  | ShowsQuery
  | FilterQuery
  | TitleQuery
  | SimilarQuery
  | TopQuery
  | ChangesQuery
  | ChangesSinceQuery

/** A search result, the page that was last rendered from it, and the hash of what that depends on. */
interface CachedResult<R extends SearchResult> {
  readonly result: R
  response: CachedResponse | undefined
  contentHash: string
}

/** A response that only a new catalog version invalidates. */
function unexpiringResponse(bytes: Buffer): RenderedResponse {
  return { body: { bytes }, validUntil: NEVER_EXPIRES }
}

const NO_BYTES = Buffer.alloc(0)
