import type { Catalog } from '../catalog/catalog.ts'
import type { StoredChange } from '../catalog/change-log.ts'
import type { SourceAttribution } from '../model/attribution.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { Granularity } from '../model/show.ts'
import { changesSearch } from '../query/changes-search.ts'
import { filterSearch } from '../query/filter-search.ts'
import { MatchingDocs } from '../query/matching-docs.ts'
import { MeantWords } from '../query/meant-words.ts'
import type { ChangesQuery, FilterQuery, Query, ShowQuery } from '../query/queries.ts'
import { titleSearch } from '../query/title-search.ts'
import { topList } from '../query/top-list.ts'
import type { Answer, Answers, KnownNames } from './answers.ts'
import { BodyPool } from './body-pool.ts'
import type { CacheUse } from './cache-use.ts'
import { CurrentState } from './catalog-state.ts'
import { ChangeBytes } from './change-bytes.ts'
import { JoinedPieces } from './joined-pieces.ts'
import { LiveDocs } from './live-docs.ts'
import { RecentFinds } from './recent-finds.ts'
import { ShowBytes } from './show-bytes.ts'
import type { Rendering } from './show-renderer.ts'

const FOREVER = Number.POSITIVE_INFINITY

/** Answers queries out of a catalog. */
export class CatalogAnswers implements Answers {
  private readonly catalog: Catalog
  private readonly matching: MatchingDocs
  private readonly words: MeantWords
  private readonly shows: ShowBytes
  private readonly changes = new ChangeBytes()
  private readonly finds = new RecentFinds()
  private readonly bodies = new BodyPool()
  private readonly state: CurrentState
  private readonly live: LiveDocs

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.matching = new MatchingDocs(catalog)
    this.words = new MeantWords(catalog)
    this.shows = new ShowBytes(catalog)
    this.state = new CurrentState(catalog)
    this.live = new LiveDocs(catalog)
  }

  /** How well the caches serve, by name. */
  cacheUse(): Readonly<Record<string, CacheUse>> {
    return { shows: this.shows.use, finds: this.finds.use }
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
        return this.filterPage(query, now)
      case 'title':
        return this.list(
          this.finds.of(query, this.version(), () => titleSearch(this.catalog, this.words, query)),
          this.rendering(query, now),
        )
      case 'top':
        return this.list(
          this.finds.of(query, this.version(), () => topList(this.catalog, query)),
          this.rendering({ ...query, granularity: 'show' }, now),
        )
      case 'changes':
        return this.changesPage(query, now)
      case 'countries':
        return { body: this.state.get().reference.countries(query.language, query.as), validUntil: FOREVER }
      case 'country': {
        const body = this.state.get().reference.country(query.country, query.language)
        return body === undefined ? undefined : { body, validUntil: FOREVER }
      }
      case 'genres':
        return { body: this.state.get().reference.genres(query.language), validUntil: FOREVER }
    }
  }

  private show(query: ShowQuery, now: number): Answer | undefined {
    const version = this.version()
    const doc = this.live.get(query.id, version)
    if (doc === undefined) return undefined
    const { chunk, start, end, validUntil } = this.shows.get(doc, version, this.rendering(query, now))
    const { body, release } = this.bodies.take(end - start - 1)
    chunk.copy(body, 0, start + 1, end)
    return { body, validUntil, release }
  }

  private filterPage(query: FilterQuery, now: number): Answer {
    const { docs, end } = this.finds.of(query, this.version(), () => {
      const { docs, nextCursor } = filterSearch(this.catalog, this.matching, query)
      return { docs, end: endOfPage(']', nextCursor) }
    })
    return this.list(docs, this.rendering(query, now), OPEN_SHOWS, end)
  }

  private list(
    docs: readonly number[],
    rendering: Rendering,
    open: Buffer = OPEN_LIST,
    end: Buffer = CLOSE_LIST,
  ): Answer {
    const version = this.version()
    const page = new JoinedPieces()
    let validUntil = FOREVER
    page.add(open)
    for (let i = 0; i < docs.length; i++) {
      const piece = this.shows.get(docs[i] as number, version, rendering)
      page.add(piece.chunk, i === 0 ? piece.start + 1 : piece.start, piece.end)
      if (piece.validUntil < validUntil) validUntil = piece.validUntil
    }
    page.add(end)
    const { body, release } = page.join(this.bodies)
    return { body, validUntil, release }
  }

  private changesPage(query: ChangesQuery, now: number): Answer {
    const { version, reference } = this.state.get()
    const { changes, changed, end } = this.finds.of(query, version, () => {
      const { changes, nextCursor } = changesSearch(this.catalog, query)
      const changed = new Map(changes.map(({ showId, doc }) => [showId, doc]))
      return { changes, changed: [...changed], end: endOfPage('}', nextCursor) }
    })
    const rendering = this.rendering({ ...query, granularity: 'show' }, now)
    const page = new JoinedPieces()
    page.add(OPEN_CHANGES)
    for (let i = 0; i < changes.length; i++) {
      const bytes = this.changes.get(changes[i] as StoredChange, reference, query.language)
      page.add(bytes, i === 0 ? 1 : 0)
    }
    page.add(OPEN_CHANGED_SHOWS)
    let validUntil = FOREVER
    for (let i = 0; i < changed.length; i++) {
      const [id, doc] = changed[i] as [number, number]
      const piece = this.shows.get(doc, version, rendering, id)
      page.add(piece.chunk, i === 0 ? piece.start + 1 : piece.start, piece.end)
      if (piece.validUntil < validUntil) validUntil = piece.validUntil
    }
    page.add(end)
    const { body, release } = page.join(this.bodies)
    return { body, validUntil, release }
  }

  private rendering(
    { country, language, granularity }: { country?: string; language: OutputLanguage; granularity: Granularity },
    now: number,
  ): Rendering {
    return { country, language, granularity, now, reference: this.state.get().reference }
  }
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
