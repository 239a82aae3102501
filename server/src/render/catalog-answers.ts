import type { Catalog } from '../catalog/catalog.ts'
import type { StoredChange } from '../catalog/change-log.ts'
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

  version(): number {
    return this.state.get().version
  }

  edition(): string {
    return this.state.get().edition
  }

  names(): KnownNames {
    return this.state.get().names
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
    const { body, release } = this.bodies.take(end - start)
    chunk.copy(body, 0, start, end)
    return { body, validUntil, release }
  }

  private filterPage(query: FilterQuery, now: number): Answer {
    const { docs, nextCursor } = this.finds.of(query, this.version(), () =>
      filterSearch(this.catalog, this.matching, query),
    )
    const page = new JoinedPieces()
    page.add(OPEN_SHOWS)
    const validUntil = this.addList(page, docs, this.rendering(query, now))
    page.add(endOfPage(nextCursor))
    return { ...page.join(this.bodies), validUntil }
  }

  private list(docs: readonly number[], rendering: Rendering): Answer {
    const page = new JoinedPieces()
    const validUntil = this.addList(page, docs, rendering)
    return { ...page.join(this.bodies), validUntil }
  }

  private addList(page: JoinedPieces, docs: readonly number[], rendering: Rendering): number {
    const version = this.version()
    let validUntil = FOREVER
    page.add(OPEN_LIST)
    for (let i = 0; i < docs.length; i++) {
      if (i > 0) page.add(COMMA)
      const piece = this.shows.get(docs[i] as number, version, rendering)
      page.add(piece.chunk, piece.start, piece.end)
      if (piece.validUntil < validUntil) validUntil = piece.validUntil
    }
    page.add(CLOSE_LIST)
    return validUntil
  }

  private changesPage(query: ChangesQuery, now: number): Answer {
    const { version, reference } = this.state.get()
    const { changes, nextCursor } = this.finds.of(query, version, () => changesSearch(this.catalog, query))
    const rendering = this.rendering({ ...query, granularity: 'show' }, now)
    const page = new JoinedPieces()
    page.add(OPEN_CHANGES)
    for (let i = 0; i < changes.length; i++) {
      if (i > 0) page.add(COMMA)
      page.add(this.changes.get(changes[i] as StoredChange, reference, query.language))
    }
    page.add(OPEN_CHANGED_SHOWS)
    let validUntil = FOREVER
    const written = new Set<number>()
    for (const { doc, showId } of changes) {
      if (written.has(showId)) continue
      page.add(Buffer.from(`${written.size > 0 ? ',' : ''}"${showId}":`, 'latin1'))
      written.add(showId)
      const piece = this.shows.get(doc, version, rendering)
      page.add(piece.chunk, piece.start, piece.end)
      if (piece.validUntil < validUntil) validUntil = piece.validUntil
    }
    page.add(CLOSE_CHANGED_SHOWS)
    page.add(endOfPage(nextCursor))
    return { ...page.join(this.bodies), validUntil }
  }

  private rendering(
    { country, language, granularity }: { country?: string; language: OutputLanguage; granularity: Granularity },
    now: number,
  ): Rendering {
    return { country, language, granularity, now, reference: this.state.get().reference }
  }
}

const OPEN_SHOWS = Buffer.from('{"shows":')
const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')
const COMMA = Buffer.from(',')
const OPEN_CHANGES = Buffer.from('{"changes":[')
const OPEN_CHANGED_SHOWS = Buffer.from('],"shows":{')
const CLOSE_CHANGED_SHOWS = Buffer.from('}')
const NO_MORE = Buffer.from(',"hasMore":false}')

function endOfPage(nextCursor: string | undefined): Buffer {
  if (nextCursor === undefined) return NO_MORE
  return Buffer.from(`,"hasMore":true,"nextCursor":${JSON.stringify(nextCursor)}}`)
}
