import { GenerationalCache, type MeteredCache } from '../../lib/cache.ts'
import { RepeatFilter } from '../../lib/repeat-filter.ts'
import type { Query, StreamedQuery } from '../../query/queries.ts'
import type { ApiRequest, ApiResponse } from '../exchange/exchange.ts'
import { type ETag, type HeaderBlock, hashUrl } from '../exchange/headers.ts'

/** The query of a URL: what a request asks for, independent of its key and of the second. */
export interface PreparedQuery {
  readonly query: Query | StreamedQuery
  /** The requests that it counts for against a quota. */
  readonly cost: number
  /**
   * The catalog version and the day that it was prepared for: the validity of parameters depends on the catalog
   * (countries, genres, services) and, for changes, on the day.
   */
  readonly version: number
  readonly day: number
  /** The header that lists what was ignored; empty if there is nothing to list. */
  readonly ignoredHeader: HeaderBlock
}

/** A URL's query string as parsed in one mode: strict mode rejects unknown parameters, lenient mode lists them. */
export interface ParsedQuery {
  readonly strict: boolean
  /** The hash of URL and mode in entity tags. */
  readonly hash: string
  prepared: PreparedQuery | undefined
  /** The last tag that was sent, or that a client sent back and is fresh. */
  etag: ETag | undefined
}

/** Handles a request for a route. */
type HandleRoute = (route: CachedRoute, req: ApiRequest, res: ApiResponse, id: string) => void

/** A URL with its handler, which never changes, and the last parsed query of each mode. */
export class CachedRoute {
  readonly url: string
  /** The URL without its base path. */
  readonly target: string
  /** The path parameters by the names of the route pattern. */
  readonly path: Readonly<Record<string, string>>
  readonly handle: HandleRoute
  /** Whether the URL came before, so that the results of its queries are worth keeping. */
  isRepeated = false
  private readonly variant: string
  private lenient: ParsedQuery | undefined
  private strict: ParsedQuery | undefined

  /** @param variant a setting that changes responses */
  constructor(
    url: string,
    baseLength: number,
    path: Readonly<Record<string, string>>,
    handle: HandleRoute,
    variant: string,
  ) {
    this.url = url
    this.target = url.slice(baseLength)
    this.path = path
    this.handle = handle
    this.variant = variant
  }

  /** The query in a mode, of which nothing is parsed at first. */
  parsed(strict: boolean): ParsedQuery {
    const mode = strict ? 'strict' : 'lenient'
    this[mode] ??= this.createQuery(strict)
    return this[mode]
  }

  private createQuery(strict: boolean): ParsedQuery {
    const hash = hashUrl(strict ? `strict ${this.target}` : this.target, this.variant)
    return { strict, hash, prepared: undefined, etag: undefined }
  }
}

/** As long as the URL of a hundred shows by id can be. */
const MAX_CACHED_URL_LENGTH = 4096

/** The size of a route with its query, about; the entries of a list are strings of their own. */
const ROUTE_BYTES = 1024
const BYTES_PER_CHAR = 4

/** URLs that are remembered to have come once take four bytes each. */
const REMEMBERED_URL_BITS = 16

/**
 * Routes by URL: most requests repeat a recent one. A route is cached when its URL comes for the second time. Those that come
 * once, as a crawl or a search makes them, would evict others, and survive until the garbage collector has to go through them.
 */
export class RouteCache {
  private readonly repeats = new RepeatFilter(REMEMBERED_URL_BITS)
  private readonly routes = new GenerationalCache<string, CachedRoute>({
    name: 'routes',
    maxBytes: 12 * 1024 * 1024,
    maxEntries: 8192,
    sizeOf: ({ url }) => BYTES_PER_CHAR * url.length + ROUTE_BYTES,
  })

  get(url: string): CachedRoute | undefined {
    return this.routes.get(url)
  }

  /** To be called only after key and parameters were accepted, so that invalid requests evict nothing. */
  put(route: CachedRoute): void {
    if (route.url.length > MAX_CACHED_URL_LENGTH) return
    route.isRepeated ||= this.repeats.isRepeated(route.url)
    if (route.isRepeated) this.routes.set(route.url, route)
  }

  caches(): readonly MeteredCache[] {
    return [this.routes]
  }
}
