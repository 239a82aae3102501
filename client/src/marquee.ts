import { Changes } from './changes.ts'
import { Countries } from './countries.ts'
import { Genres } from './genres.ts'
import type { KeySource } from './key-source.ts'
import type { MarqueeOptions } from './options.ts'
import type { Quota } from './quota.ts'
import { Requester } from './requester.ts'
import { Shows } from './shows.ts'

/**
 * A client of a Marquee service.
 *
 * ```ts
 * const marquee = new Marquee({ apiKey: 'mq-key-…', baseUrl: 'https://tv.example.com/v4' })
 * for await (const show of marquee.shows.filter({ country: 'us', catalogs: ['netflix'] })) console.log(show.title)
 * ```
 */
export class Marquee {
  /** Movies and series: by id, by title, by filters, or as a service's top list. */
  readonly shows: Shows
  /** What is new, updated, removed, expiring or upcoming. */
  readonly changes: Changes
  /** Countries with their services and addons. */
  readonly countries: Countries
  /** The genres by which shows can be filtered. */
  readonly genres: Genres
  readonly #requester: Requester

  constructor(options: MarqueeOptions) {
    this.#requester = new Requester(options)
    this.shows = new Shows(this.#requester)
    this.changes = new Changes(this.#requester)
    this.countries = new Countries(this.#requester)
    this.genres = new Genres(this.#requester)
  }

  /** Where the key was obtained; undefined without a key. */
  get keySource(): KeySource | undefined {
    return this.#requester.route.source
  }

  /** The base address that requests go to. */
  get baseUrl(): string {
    return this.#requester.route.base
  }

  /** What the last answer said about the quota of the key; undefined until one did. */
  get quota(): Quota | undefined {
    return this.#requester.quota
  }
}
