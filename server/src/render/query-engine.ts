import type { SourceAttribution } from '../model/source-ranks.ts'
import type { ChangesStreamQuery, ExportQuery, FeedQuery, Query } from '../query/queries.ts'
import type { OpenExport } from './catalog-export.ts'

/** The bytes of a response. */
export interface ResponseBody {
  readonly bytes: Buffer
  /** What comes behind `bytes`, in pieces, if a response is large. */
  readonly rest?: readonly Buffer[]
  /** Writable bytes in the same memory directly before `bytes`; 0 if absent. */
  readonly headroom?: number
  /** Returns the memory to its pool. Call it once, after the bytes were sent. */
  readonly release?: () => void
}

/** A rendered response, and the instant until which it is valid within one catalog version. */
export interface RenderedResponse {
  readonly body: ResponseBody
  /** Unix seconds; Infinity when only a new catalog version invalidates the response. */
  readonly validUntil: number
  /** The requested ids that no show has, if several were requested. */
  readonly unknownIds?: readonly string[]
  /** The content hash of what was rendered, if that may not be the current one any more. */
  readonly contentHash?: string
  /** Renders the response if that takes too long for one turn of the event loop; the body is empty then. */
  readonly renderInTurns?: () => Promise<RenderedResponse | undefined>
}

/** The count of all bytes of a body. */
export function bodyLength({ bytes, rest }: ResponseBody): number {
  return rest === undefined ? bytes.length : rest.reduce((sum, { length }) => sum + length, bytes.length)
}

/** Changes that were read from the journal for a stream. */
export interface StreamedChanges {
  readonly changes: readonly StreamedChange[]
  /** The journal token behind everything that was read. */
  readonly token: string
  /** Whether there is more to read. */
  readonly hasMore: boolean
}

export interface StreamedChange {
  /** The journal token behind the change. */
  readonly token: string
  /** The change with its show, as JSON. */
  readonly json: Buffer
}

/** The ids in the reference data, for validating request parameters. */
export interface ReferenceNames {
  hasCountry(code: string): boolean
  hasGenre(id: string): boolean
  countryCodes(): readonly string[]
  genreIds(): readonly string[]
  /** The services of a country. */
  serviceIds(country: string): readonly string[]
  /** The addons of a service in a country. */
  addonIds(country: string, service: string): readonly string[]
}

/**
 * The read side as the HTTP layer sees it. All calls for one request happen in one turn of the event loop and so read
 * one catalog version.
 */
export interface QueryEngine {
  /** The current catalog version; 0 while there is no catalog. */
  version(): number
  /**
   * Letters and digits that identify the content that the answer to a query depends on; unlike the version they differ
   * between catalogs.
   */
  contentHash(query: Query): string
  names(): ReferenceNames
  /** The attribution texts that the sources require beside their data. */
  attributions(): readonly SourceAttribution[]
  /** Whether there is a show with this id of any kind. */
  hasShow(id: string): boolean
  /**
   * The response to a query, or undefined where the show or country does not exist.
   *
   * @param isRepeated whether the same query object may come again, so that its result is worth keeping
   */
  execute(query: Query, now: number, isRepeated?: boolean): RenderedResponse | undefined
  /** The own id of the show with an id of any kind; undefined if there is none. */
  findShowId(id: string): string | undefined
  /** The token at which a stream begins. Throws for one that is malformed or has expired. */
  resolveStreamToken(since: string): string
  /** Reads the next changes of a stream behind a token, as many as one turn of the event loop should. */
  streamChanges(query: ChangesStreamQuery, token: string, now: number): StreamedChanges
  /** The changes of a feed, each with its show as JSON; undefined if it is about a show that does not exist. */
  feedChanges(query: FeedQuery, now: number): readonly Buffer[] | undefined
  /** Opens an export; undefined while as many as a process may have are open. */
  openExport(query: ExportQuery, now: number): OpenExport | undefined
}
