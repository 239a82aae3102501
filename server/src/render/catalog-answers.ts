import type { Catalog } from '../catalog/catalog.ts'
import type { StoredChange } from '../catalog/change-log.ts'
import { ByteWriter } from '../catalog/codec/byte-writer.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { Granularity } from '../model/show.ts'
import { changesSearch } from '../query/changes-search.ts'
import { filterSearch } from '../query/filter-search.ts'
import { MatchingDocs } from '../query/matching-docs.ts'
import type { ChangesQuery, FilterQuery, Query, ShowQuery } from '../query/queries.ts'
import { titleSearch } from '../query/title-search.ts'
import { topList } from '../query/top-list.ts'
import type { Answer, Answers, KnownNames } from './answers.ts'
import { CurrentState } from './catalog-state.ts'
import { LiveDocs } from './live-docs.ts'
import type { ReferenceBytes } from './reference-bytes.ts'
import { ShowBytes } from './show-bytes.ts'
import type { Rendering } from './show-renderer.ts'

const FOREVER = Number.POSITIVE_INFINITY

/** Answers queries out of a catalog. */
export class CatalogAnswers implements Answers {
  private readonly catalog: Catalog
  private readonly matching: MatchingDocs
  private readonly shows: ShowBytes
  private readonly out = new ByteWriter(1024 * 1024)
  private readonly state: CurrentState
  private readonly live: LiveDocs

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.matching = new MatchingDocs(catalog)
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
        return this.list(titleSearch(this.catalog, query), this.rendering(query, now))
      case 'top':
        return this.list(topList(this.catalog, query), this.rendering({ ...query, granularity: 'show' }, now))
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
    const { bytes, validUntil } = this.shows.get(doc, version, this.rendering(query, now))
    return { body: bytes, validUntil }
  }

  private filterPage(query: FilterQuery, now: number): Answer {
    const { docs, nextCursor } = filterSearch(this.catalog, this.matching, query)
    const out = this.out.reset()
    out.ascii('{"shows":')
    const validUntil = this.writeList(docs, this.rendering(query, now))
    writeEnd(out, nextCursor)
    return { body: out.finish(), validUntil }
  }

  private list(docs: readonly number[], rendering: Rendering): Answer {
    this.out.reset()
    const validUntil = this.writeList(docs, rendering)
    return { body: this.out.finish(), validUntil }
  }

  private writeList(docs: readonly number[], rendering: Rendering): number {
    const { out } = this
    const version = this.version()
    let validUntil = FOREVER
    out.ascii('[')
    for (let i = 0; i < docs.length; i++) {
      if (i > 0) out.ascii(',')
      const piece = this.shows.get(docs[i] as number, version, rendering)
      out.bytes(piece.bytes)
      validUntil = Math.min(validUntil, piece.validUntil)
    }
    out.ascii(']')
    return validUntil
  }

  private changesPage(query: ChangesQuery, now: number): Answer {
    const { changes, nextCursor } = changesSearch(this.catalog, query)
    const { version, reference } = this.state.get()
    const out = this.out.reset()
    out.ascii('{"changes":[')
    changes.forEach(({ change }, i) => {
      if (i > 0) out.ascii(',')
      out.utf8(changeJson(change, reference, query.language))
    })
    out.ascii('],"shows":{')
    const rendering = this.rendering({ ...query, granularity: 'show' }, now)
    const shows = new Map(changes.map(({ change, doc }) => [change.showId, doc]))
    let validUntil = FOREVER
    let written = 0
    for (const [id, doc] of shows) {
      out.ascii(`${written++ > 0 ? ',' : ''}"${id}":`)
      const piece = this.shows.get(doc, version, rendering)
      out.bytes(piece.bytes)
      validUntil = Math.min(validUntil, piece.validUntil)
    }
    out.ascii('}')
    writeEnd(out, nextCursor)
    return { body: out.finish(), validUntil }
  }

  private rendering(
    { country, language, granularity }: { country?: string; language: OutputLanguage; granularity: Granularity },
    now: number,
  ): Rendering {
    return { country, language, granularity, now, reference: this.state.get().reference }
  }
}

function writeEnd(out: ByteWriter, nextCursor: string | undefined): void {
  if (nextCursor === undefined) out.ascii(',"hasMore":false}')
  else out.utf8(`,"hasMore":true,"nextCursor":${JSON.stringify(nextCursor)}}`)
}

function changeJson(change: StoredChange['change'], reference: ReferenceBytes, language: OutputLanguage): string {
  const { changeType, itemType, showId, showType, season, episode, service, country, offerType, addon } = change
  const head = JSON.stringify({ changeType, itemType, showId, showType, season, episode }).slice(0, -1)
  const tail = JSON.stringify({ timestamp: change.timestamp, link: change.link }).slice(1)
  const addonPart = addon === undefined ? '' : `,"addon":${reference.addonJson(addon, service, country, language)}`
  const serviceJson = reference.serviceJson(service, country, language)
  return `${head},"service":${serviceJson},"streamingOptionType":"${offerType}"${addonPart}${tail === '}' ? '' : ','}${tail}`
}
