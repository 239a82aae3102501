import { SECONDS_PER_DAY } from '../model/clock.ts'
import type { Query } from '../query/queries.ts'

/** What was made of a URL: everything about a request that depends on neither the key nor the moment. */
export interface PreparedRequest {
  readonly query: Query
  readonly hash: string
  /** The header that names ignored parameters, if there are any. */
  readonly ignored: string | undefined
  /** The last tag given, with what it was made of. */
  etag: string
  validUntil: number
}

/** Remembers what was made of URLs, since most requests repeat a recent one. */
export interface PreparedRequests {
  get(url: string, version: number, now: number): PreparedRequest | undefined
  set(url: string, prepared: PreparedRequest): void
}

const REMEMBERED_URLS = 4096
const LONGEST_URL = 512

/**
 * A bounded memory. Which parameters are good depends on the catalog (countries, genres, services) and, for changes,
 * on the day; so all is forgotten when either is another.
 */
export function createPreparedRequests(): PreparedRequests {
  const known = new Map<string, PreparedRequest>()
  let knownVersion = 0
  let knownDay = 0
  return {
    get(url, version, now) {
      const day = Math.floor(now / SECONDS_PER_DAY)
      if (version !== knownVersion || day !== knownDay) {
        known.clear()
        knownVersion = version
        knownDay = day
      }
      return known.get(url)
    },
    set(url, prepared) {
      if (url.length > LONGEST_URL) return
      if (known.size >= REMEMBERED_URLS) known.delete(known.keys().next().value as string)
      known.set(url, prepared)
    },
  }
}
