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
import type { Answer, Answers, KnownNames } from './answers.ts'
import { BodyPool } from './body-pool.ts'
import type { CacheUse } from './cache-use.ts'
import { CurrentState } from './catalog-state.ts'
import { ChangeBytes } from './change-bytes.ts'
import { JoinedPieces } from './joined-pieces.ts'
import { KeptPages } from './kept-pages.ts'
import { LiveDocs } from './live-docs.ts'
import { RecentFinds } from './recent-finds.ts'
import { ShowBytes } from './show-bytes.ts'
import type { Rendering } from './show-renderer.ts'

const FOREVER = Number.POSITIVE_INFINITY

/** Answers queries out of a catalog. */
export class CatalogAnswers implements Answers {
  private readonly catalog: Catalog
  private readonly matching: FilterExecutor
  private readonly words: FuzzyExpander
  private readonly shows: ShowBytes
  private readonly changes = new ChangeBytes()
  private readonly finds = new RecentFinds()
  private readonly bodies = new BodyPool()
  private readonly pages = new KeptPages()
  private readonly state: CurrentState
  private readonly live: LiveDocs

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.matching = new FilterExecutor(catalog)
    this.words = new FuzzyExpander(catalog)
    this.shows = new ShowBytes(catalog)
    this.state = new CurrentState(catalog)
    this.live = new LiveDocs(catalog)
  }

  /** How well the caches serve, by name. */
  cacheUse(): Readonly<Record<string, CacheUse>> {
    return { shows: this.shows.use, finds: this.finds.use, pages: this.pages.use }
  }

  version(): number {
    return this.state.get().version
  }

  edition(): string {
    return this.state.get().edition
  }

  names(): KnownNames {
    return this.state.get().names
  }

  attributions(): readonly SourceAttribution[] {
    return this.catalog
      .sources()
      .flatMap(({ name, attribution = [] }) => (attribution.length === 0 ? [] : [{ source: name, attribution }]))
  }

  answer(query: Query, now: number): Answer | undefined {
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
        return forever(this.state.get().reference.countries(query.language, query.as))
      case 'country': {
        const body = this.state.get().reference.country(query.country, query.language)
        return body === undefined ? undefined : forever(body)
      }
      case 'genres':
        return forever(this.state.get().reference.genres(query.language))
    }
  }

  private show(query: ShowQuery, now: number): Answer | undefined {
    const version = this.version()
    const doc = this.live.get(query.id, version)
    if (doc === undefined) return undefined
    const { chunk, start, end, validUntil } = this.shows.get(doc, version, this.rendering(query, now))
    const body = this.bodies.take(end - start - 1)
    chunk.copy(body.bytes, 0, start + 1, end)
    return { body, validUntil }
  }

  /** A page of shows: the one that was made last, or one made anew from what is found. */
  private page<Q extends PageQuery, T>(
    query: Q,
    now: number,
    search: (query: Q) => T,
    join: (found: T, page: JoinedPieces, rendering: Rendering) => number,
  ): Answer {
    const version = this.version()
    const find = this.finds.of(query, version, () => search(query))
    if (find.page?.isGood(now) === true) {
      this.pages.use.hits++
      return { body: find.page.use(), validUntil: find.page.validUntil }
    }
    this.pages.use.misses++
    const page = new JoinedPieces()
    const validUntil = join(find.found, page, this.rendering(query, now))
    find.page = this.pages.keep(page.join(this.bodies), validUntil, version)
    return { body: find.page.use(), validUntil }
  }

  private readonly findByFilter = (query: FilterQuery): FoundPage => {
    const { docs, nextCursor } = searchByFilters(this.catalog, this.matching, query)
    return { docs, end: endOfPage(']', nextCursor) }
  }

  private readonly findByTitle = (query: TitleQuery): readonly number[] =>
    searchByTitle(this.catalog, this.words, query)

  private readonly findTop = (query: TopQuery): readonly number[] => getTopList(this.catalog, query)

  private readonly findChanges = (query: ChangesQuery): FoundChanges => {
    const { changes, nextCursor } = searchChanges(this.catalog, query)
    const shows = new Map(changes.map(({ showId, doc }) => [showId, doc]))
    return { changes, ids: [...shows.keys()], docs: [...shows.values()], end: endOfPage('}', nextCursor) }
  }

  private readonly joinFiltered = ({ docs, end }: FoundPage, page: JoinedPieces, rendering: Rendering): number => {
    page.add(OPEN_SHOWS)
    const validUntil = this.joinShows(docs, page, rendering)
    page.add(end)
    return validUntil
  }

  private readonly joinList = (docs: readonly number[], page: JoinedPieces, rendering: Rendering): number => {
    page.add(OPEN_LIST)
    const validUntil = this.joinShows(docs, page, rendering)
    page.add(CLOSE_LIST)
    return validUntil
  }

  private readonly joinChanges = (found: FoundChanges, page: JoinedPieces, rendering: Rendering): number => {
    const { changes, ids, docs, end } = found
    page.add(OPEN_CHANGES)
    for (let i = 0; i < changes.length; i++) {
      const bytes = this.changes.get(changes[i] as StoredChange, rendering.reference, rendering.language)
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
    page: JoinedPieces,
    rendering: Rendering,
    ids?: readonly number[],
  ): number {
    const version = this.version()
    let validUntil = FOREVER
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
  ): Rendering {
    return { country, language, granularity, now, reference: this.state.get().reference }
  }
}

type PageQuery = FilterQuery | TitleQuery | TopQuery | ChangesQuery

/** What a filter search found, with the end of its page. */
interface FoundPage {
  readonly docs: readonly number[]
  readonly end: Buffer
}

/** Changes that were found, and the shows that they are about, by id. */
interface FoundChanges {
  readonly changes: readonly StoredChange[]
  readonly ids: readonly number[]
  readonly docs: readonly number[]
  readonly end: Buffer
}

/** An answer that only another version of the catalog alters. */
function forever(bytes: Buffer): Answer {
  return { body: { bytes }, validUntil: FOREVER }
}

const OPEN_SHOWS = Buffer.from('{"shows":[')
const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')
const OPEN_CHANGES = Buffer.from('{"changes":[')
const OPEN_CHANGED_SHOWS = Buffer.from('],"shows":{')

/** What stands behind the shows of a page, whatever closes them first. */
function endOfPage(close: ']' | '}', nextCursor: string | undefined): Buffer {
  if (nextCursor === undefined) return Buffer.from(`${close},"hasMore":false}`)
  return Buffer.from(`${close},"hasMore":true,"nextCursor":${JSON.stringify(nextCursor)}}`)
}
