import type { SourceAttribution } from '../model/source.ts'
import type { Query } from '../query/queries.ts'

/** The bytes of an answer. */
export interface ResponseBody {
  readonly bytes: Buffer
  /** How many bytes of the memory in front of them may be written to; none if absent. */
  readonly headroom?: number
  /** To be called once they were sent, if it can be told: their memory is then used for others. */
  readonly release?: () => void
}

/** A finished answer: its body, and the instant from which the passing of time alone may alter it. */
export interface RenderedResponse {
  readonly body: ResponseBody
  /** Unix seconds; Infinity when only a new catalog version can alter the answer. */
  readonly validUntil: number
}

/** What the HTTP side needs to know of the reference data to judge a request. */
export interface ReferenceNames {
  hasCountry(code: string): boolean
  hasGenre(id: string): boolean
  /** Whether any country has the service. */
  hasService(id: string): boolean
  /** Whether any country has the addon on that service. */
  hasAddon(service: string, addon: string): boolean
  countryCodes(): readonly string[]
  genreIds(): readonly string[]
}

/**
 * The read side as the HTTP layer sees it. All calls that serve one request are made in one turn of the event loop,
 * and so see one version of the catalog.
 */
export interface QueryEngine {
  /** The version of the catalog that answers are read from; 0 while there is none. */
  version(): number
  /** Names the version, and unlike its number does not recur in another catalog; letters and digits. */
  contentHash(): string
  names(): ReferenceNames
  /** What the sources of the catalog want to be shown with their data. */
  attributions(): readonly SourceAttribution[]
  /** The answer, or undefined where the thing asked for (a show, a country) does not exist. */
  execute(query: Query, now: number): RenderedResponse | undefined
}
