/** The source under which the demo states its offers. */
export const DEMO_SOURCE = 'demo'

/** What a demo catalog is made from. The same options give the same catalog to the byte. */
export interface DemoOptions {
  /** How many shows: the well-known ones first, made-up ones after them. */
  readonly shows: number
  readonly seed: number
  /** How many countries, the largest markets first. */
  readonly countries: number
  /** The instant the feed speaks of, in Unix seconds. */
  readonly at: number
  /** Where the service is reached; every URL of the catalog starts with it. */
  readonly baseUrl: string
}
