import type {
  Change,
  ChangesResult,
  Country,
  CountShowsParameters,
  FilterShowsParameters,
  Genre,
  GetCountryParameters,
  GetShowParameters,
  GetShowsParameters,
  ListChangesParameters,
  ListCountriesParameters,
  ListGenresParameters,
  Person,
  SearchPeopleParameters,
  SearchResult,
  SearchShowsParameters,
  Show,
  ShowCount,
  ShowHistory,
  ShowHistoryParameters,
  SimilarShowsParameters,
  TopShowsParameters,
} from './api-types.ts'
import { Catalog } from './catalog.ts'
import { type ChangeStreamParameters, type ChangeWithToken, streamChanges } from './change-stream.ts'
import type { KeySource } from './credentials.ts'
import type { CallOptions, MarqueeOptions, WalkOptions } from './options.ts'
import { Paged } from './paged.ts'
import { idPath, Requester } from './requester.ts'
import {
  checkChangePage,
  checkCount,
  checkCountries,
  checkCountry,
  checkGenres,
  checkHistory,
  checkPeople,
  checkShow,
  checkShowPage,
  checkShows,
  type Quota,
} from './response.ts'

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
  /** Actors, directors and creators. */
  readonly people: People
  /** What is new, updated, removed, expiring or upcoming. */
  readonly changes: Changes
  /** All of a country at once, and copies of it. */
  readonly catalog: Catalog
  /** Countries with their services and addons. */
  readonly countries: Countries
  /** The genres by which shows can be filtered. */
  readonly genres: Genres
  readonly #requester: Requester

  constructor(options: MarqueeOptions) {
    this.#requester = new Requester(options)
    this.shows = new Shows(this.#requester)
    this.people = new People(this.#requester)
    this.changes = new Changes(this.#requester)
    this.catalog = new Catalog(this.#requester)
    this.countries = new Countries(this.#requester)
    this.genres = new Genres(this.#requester)
  }

  /** Where the key was obtained; undefined without a key. */
  get keySource(): KeySource | undefined {
    return this.#requester.credentials.source
  }

  /** The base URL of the requests. */
  get baseUrl(): string {
    return this.#requester.credentials.base
  }

  /** Quota of the key by the last response that had it; undefined before. */
  get quota(): Quota | undefined {
    return this.#requester.quota
  }
}

/** The parameter `fields`: which members are answered. */
type Fields = readonly string[] | undefined

/** Parameters with a `fields` of a type that decides the type of the answer. */
interface Choice<F extends Fields> {
  fields?: F
}

/** An answer to a request: with `fields`, required members can be missing. */
export type Chosen<T, F extends Fields> = [F] extends [readonly string[]] ? DeepPartial<T> : T

/** A value whose members, and theirs, can all be missing. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T

/** The most ids of one request for shows. */
const MAX_IDS = 100

/** Movies and series. */
export class Shows {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** One show by its id, its IMDb id (`tt0068646`) or its TMDB id (`movie/238`, `tv/1396`). */
  async get<F extends Fields = undefined>(
    id: string,
    parameters?: GetShowParameters & Choice<F>,
    options?: CallOptions,
  ): Promise<Chosen<Show, F>> {
    const given = parameters ?? {}
    return this.#requester.get(`/shows${idPath('the id of a show', id, 2)}`, given, checkShow(given), options)
  }

  /**
   * Several shows by ids of any kind: one show for each id, in their order. Ids that no show has are left out. A request
   * has at most 100 ids, so more of them are several requests, one after the other.
   */
  async getMany<F extends Fields = undefined>(
    parameters: GetShowsParameters & Choice<F>,
    options?: CallOptions,
  ): Promise<Chosen<Show, F>[]> {
    const { ids } = parameters
    const shows: Chosen<Show, F>[] = []
    for (let start = 0; start === 0 || start < ids.length; start += MAX_IDS) {
      const part = { ...parameters, ids: ids.slice(start, start + MAX_IDS) }
      shows.push(...(await this.#requester.get<typeof shows>('/shows', part, checkShows(parameters), options)))
    }
    return shows
  }

  /** Shows that can be watched in a country and resemble one, by any of its ids, the most similar first. */
  async similar<F extends Fields = undefined>(
    id: string,
    parameters: SimilarShowsParameters & Choice<F>,
    options?: CallOptions,
  ): Promise<Chosen<Show, F>[]> {
    const path = `/shows${idPath('the id of a show', id, 2)}/similar`
    return this.#requester.get(path, parameters, checkShows(parameters), options)
  }

  /** When a show was live in a country, by any of its ids: places with their spans and prices. */
  async history(id: string, parameters: ShowHistoryParameters, options?: CallOptions): Promise<ShowHistory> {
    const path = `/shows${idPath('the id of a show', id, 2)}/history`
    return this.#requester.get(path, parameters, checkHistory, options)
  }

  /** Shows by title, the best matches first: at most 20, or all whose titles are equal to the phrase. */
  async search<F extends Fields = undefined>(
    parameters: SearchShowsParameters & Choice<F>,
    options?: CallOptions,
  ): Promise<Chosen<Show, F>[]> {
    return this.#requester.get('/shows/search/title', parameters, checkShows(parameters), options)
  }

  /** Shows of a country's catalogs that pass all filters, page by page. */
  filter<F extends Fields = undefined>(
    parameters: FilterShowsParameters & Choice<F>,
    options: WalkOptions = {},
  ): Paged<Chosen<Show, F>> {
    const fetchPage = async (cursor: string | undefined) => {
      const path = '/shows/search/filters'
      const check = checkShowPage(cursor, parameters)
      const result = await this.#requester.get<SearchResult>(path, { ...parameters, cursor }, check, options)
      return {
        items: result.shows as Chosen<Show, F>[],
        ...(result.hasMore && { nextCursor: result.nextCursor as string }),
      }
    }
    return new Paged(fetchPage, parameters.cursor, options)
  }

  /** How many shows pass filters, and how many of them have each service, type, genre, year and language. */
  async count(parameters: CountShowsParameters, options?: CallOptions): Promise<ShowCount> {
    return this.#requester.get('/shows/count', parameters, checkCount, options)
  }

  /** The official top list of a service, in its order; empty for a service that publishes none. */
  async top<F extends Fields = undefined>(
    parameters: TopShowsParameters & Choice<F>,
    options?: CallOptions,
  ): Promise<Chosen<Show, F>[]> {
    return this.#requester.get('/shows/top', parameters, checkShows(parameters), options)
  }
}

/** Actors, directors and creators. */
export class People {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** People by name, with the number of their shows, the best matches first. */
  async search(parameters: SearchPeopleParameters, options?: CallOptions): Promise<Person[]> {
    return this.#requester.get('/people/search', parameters, checkPeople, options)
  }
}

/** A change together with its show. */
export interface ChangeWithShow extends Change {
  /** The show, with its options in the country that was asked for, without seasons. */
  show: Show
}

/** Parameters of `changes.since()`. */
export type ChangesSinceParameters = Omit<
  ListChangesParameters,
  'since' | 'from' | 'to' | 'cursor' | 'orderDirection' | 'includeUnknownDates'
> & {
  /** The token of the last answer, or `now`. */
  since: string
}

/** Changes after a token, and the token for the next time. */
export interface ChangesSince<F extends Fields = undefined> {
  changes: Chosen<ChangeWithShow, F>[]
  since: string
}

/** Changes are joined with their shows by `showId`, so it is always among the members that are asked for. */
function withShowIds<P extends { readonly fields?: readonly string[] | undefined }>(parameters: P): P {
  const { fields = [] } = parameters
  const hasShows = fields.some((field) => field === 'show' || field.startsWith('show.'))
  return !hasShows || fields.includes('showId') ? parameters : { ...parameters, fields: [...fields, 'showId'] }
}

/** The changes of a page, each with its show. */
function joinShows<F extends Fields>({ changes, shows }: ChangesResult): Chosen<ChangeWithShow, F>[] {
  return changes.map((change) => {
    const show = shows[change.showId]
    return show === undefined ? change : { ...change, show }
  }) as Chosen<ChangeWithShow, F>[]
}

/** What is new, updated, removed, expiring or upcoming. */
export class Changes {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Changes in the catalogs of a country by date, page by page, each with its show. */
  list<F extends Fields = undefined>(
    parameters: ListChangesParameters & Choice<F>,
    options: WalkOptions = {},
  ): Paged<Chosen<ChangeWithShow, F>> {
    const fetchPage = async (cursor: string | undefined) => {
      const check = checkChangePage(cursor, parameters)
      const request = withShowIds({ ...parameters, cursor })
      const result = await this.#requester.get<ChangesResult>('/changes', request, check, options)
      return {
        items: joinShows<F>(result),
        ...(result.hasMore && { nextCursor: result.nextCursor as string }),
      }
    }
    return new Paged(fetchPage, parameters.cursor, options)
  }

  /**
   * All past changes after a token, in the order in which they became known, and the token for the next time: nothing is
   * missed, and nothing comes twice. The first token is that of an export, or comes with `since: 'now'`. Fails with the
   * code `token_expired` when the token is older than the changes that the service keeps.
   */
  async since<F extends Fields = undefined>(
    parameters: ChangesSinceParameters & Choice<F>,
    options?: CallOptions,
  ): Promise<ChangesSince<F>> {
    const changes: Chosen<ChangeWithShow, F>[] = []
    for (let { since } = parameters; ; ) {
      const check = checkChangePage(since, parameters)
      const request = withShowIds({ ...parameters, since })
      const result = await this.#requester.get<ChangesResult>('/changes', request, check, options)
      changes.push(...joinShows<F>(result))
      since = result.since as string
      if (!result.hasMore) return { changes, since }
    }
  }

  /**
   * Past changes as they become known, without end; each has its show and `since`, the token behind it. A connection that
   * is lost is opened again and goes on behind the last change: nothing is missed, and nothing comes twice. Store `since` to
   * go on in another process. Fails with the code `token_expired` when the token is older than what the service keeps.
   * Reconnects as often as it must, or `retries` times in a row; the timeout holds for each part that arrives.
   *
   * ```ts
   * for await (const change of marquee.changes.stream({ country: 'us', changeType: ['new'], itemType: ['show'] })) …
   * ```
   */
  stream(
    parameters: ChangeStreamParameters,
    options: CallOptions = {},
  ): AsyncGenerator<ChangeWithToken, void, undefined> {
    return streamChanges(this.#requester, parameters, options)
  }
}

/** Countries with their services and the addons of those. */
export class Countries {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** All countries of the catalog. */
  async list(parameters: ListCountriesParameters = {}, options?: CallOptions): Promise<Country[]> {
    // A service can be set to answer a map by country code.
    const body = await this.#requester.get<object>('/countries', parameters, checkCountries, options)
    return Object.values(body)
  }

  /** One country by its code (ISO 3166-1 alpha-2, in any case). */
  async get(countryCode: string, parameters: GetCountryParameters = {}, options?: CallOptions): Promise<Country> {
    const path = `/countries${idPath('the code of a country', countryCode, 1)}`
    return this.#requester.get(path, parameters, checkCountry, options)
  }
}

/** The genres by which shows can be filtered. */
export class Genres {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** All genres. */
  async list(parameters: ListGenresParameters = {}, options?: CallOptions): Promise<Genre[]> {
    return this.#requester.get('/genres', parameters, checkGenres, options)
  }
}
