import type { Query } from '../query/queries.ts'
import { type ETag, urlHash } from './etag.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import type { Fields } from './header-fields.ts'

/** What was made of a URL: everything about a request that depends on neither the key nor the second. */
export interface PreparedRequest {
  readonly query: Query
  /**
   * The version of the catalog and the day that it was made for: which parameters are good depends on the catalog
   * (countries, genres, services) and, for changes, on the day.
   */
  readonly version: number
  readonly day: number
}

/** One way to read a URL: with unknown parameters named, or with unknown parameters refused. */
export interface Reading {
  readonly strict: boolean
  readonly hash: string
  prepared: PreparedRequest | undefined
  /** The header field that names ignored parameters, empty if there are none. */
  ignored: Fields | undefined
  /** The last tag that was given for it, or that came back and held. */
  tag: ETag | undefined
}

/** Answers a request for a URL that is known. */
export type AnswerUrl = (known: KnownUrl, req: ApiRequest, res: ApiResponse, id: string) => void

/** What is known of a URL: where it leads, which is always the same, and what was last made of it. */
export interface KnownUrl {
  readonly url: string
  /** What follows the base, which is the same on both. */
  readonly target: string
  /** What the router read from the path, by the names that the routes give it. */
  readonly path: Readonly<Record<string, string>>
  readonly answer: AnswerUrl
  readonly lenient: Reading
  readonly strict: Reading
}

/** A URL of which nothing is known but where it leads; `variant` is what else shapes its answers. */
export function newUrl(
  url: string,
  baseLength: number,
  path: Readonly<Record<string, string>>,
  answer: AnswerUrl,
  variant: string,
): KnownUrl {
  const target = url.slice(baseLength)
  const reading = (strict: boolean): Reading => ({
    strict,
    hash: urlHash(strict ? `strict ${target}` : target, variant),
    prepared: undefined,
    ignored: undefined,
    tag: undefined,
  })
  return { url, target, path, answer, lenient: reading(false), strict: reading(true) }
}

/** Remembers URLs, since most requests repeat a recent one. */
export interface KnownUrls {
  get(url: string): KnownUrl | undefined
  /** To be called once a key was good and the parameters too, lest nonsense displace what is worth keeping. */
  remember(known: KnownUrl): void
}

/** Twice this many are remembered at most. */
const GENERATION = 4096
const LONGEST_URL = 512

/**
 * A bounded memory in two generations. When the young one is full it becomes the old one, and what was in the old one
 * and not asked for since is forgotten. A hit costs one look-up; keeping all in order of use would cost several writes.
 */
export function createKnownUrls(): KnownUrls {
  let young = new Map<string, KnownUrl>()
  let old = new Map<string, KnownUrl>()

  function remember(known: KnownUrl): void {
    if (known.url.length > LONGEST_URL) return
    if (young.size >= GENERATION) {
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
    remember,
  }
}
