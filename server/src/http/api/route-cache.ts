import type { Query } from '../../query/queries.ts'
import type { ApiRequest, ApiResponse } from '../request/exchange.ts'
import { type ETag, hashUrl } from '../response/etag.ts'
import type { HeaderBlock } from '../response/headers.ts'

/** What was made of a URL: everything about a request that depends on neither the key nor the second. */
export interface PreparedQuery {
  readonly query: Query
  /**
   * The version of the catalog and the day that it was made for: which parameters are good depends on the catalog
   * (countries, genres, services) and, for changes, on the day.
   */
  readonly version: number
  readonly day: number
}

/** One way to read a URL: with unknown parameters named, or with unknown parameters refused. */
export interface ParsedQuery {
  readonly strict: boolean
  readonly hash: string
  prepared: PreparedQuery | undefined
  /** The header field that names ignored parameters, empty if there are none. */
  ignoredHeader: HeaderBlock | undefined
  /** The last tag that was given for it, or that came back and held. */
  etag: ETag | undefined
}

/** QueryEngine a request for a URL that is known. */
export type HandleRoute = (known: CachedRoute, req: ApiRequest, res: ApiResponse, id: string) => void

/** What is known of a URL: where it leads, which is always the same, and what was last made of it. */
export interface CachedRoute {
  readonly url: string
  /** What follows the base, which is the same on both. */
  readonly target: string
  /** What the router read from the path, by the names that the routes give it. */
  readonly path: Readonly<Record<string, string>>
  readonly handle: HandleRoute
  readonly lenient: ParsedQuery
  readonly strict: ParsedQuery
}

/** A URL of which nothing is known but where it leads; `variant` is what else shapes its answers. */
export function createRoute(
  url: string,
  baseLength: number,
  path: Readonly<Record<string, string>>,
  answer: HandleRoute,
  variant: string,
): CachedRoute {
  const target = url.slice(baseLength)
  const reading = (strict: boolean): ParsedQuery => ({
    strict,
    hash: hashUrl(strict ? `strict ${target}` : target, variant),
    prepared: undefined,
    ignoredHeader: undefined,
    etag: undefined,
  })
  return { url, target, path, handle: answer, lenient: reading(false), strict: reading(true) }
}

/** Remembers URLs, since most requests repeat a recent one. */
export interface RouteCache {
  get(url: string): CachedRoute | undefined
  /** To be called once a key was good and the parameters too, lest nonsense displace what is worth keeping. */
  put(known: CachedRoute): void
}

/** Twice this many are remembered at most. */
const GENERATION_SIZE = 4096
const MAX_CACHED_URL_LENGTH = 512

/**
 * A bounded memory in two generations. When the young one is full it becomes the old one, and what was in the old one
 * and not asked for since is forgotten. A hit costs one look-up; keeping all in order of use would cost several writes.
 */
export function createRouteCache(): RouteCache {
  let young = new Map<string, CachedRoute>()
  let old = new Map<string, CachedRoute>()

  function remember(known: CachedRoute): void {
    if (known.url.length > MAX_CACHED_URL_LENGTH) return
    if (young.size >= GENERATION_SIZE) {
      old = young
      young = new Map()
    }
    young.set(known.url, known)
  }

  return {
    get(url) {
      const known = young.get(url)
      if (known !== undefined) return known
      const aged = old.get(url)
      if (aged !== undefined) remember(aged)
      return aged
    },
    put: remember,
  }
}
