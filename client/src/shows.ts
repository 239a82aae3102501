import type {
  FilterShowsParameters,
  GetShowParameters,
  SearchResult,
  SearchShowsParameters,
  Show,
  TopShowsParameters,
} from './api-types.ts'
import { checkList, checkShow, checkShowPage } from './checks.ts'
import type { CallOptions, WalkOptions } from './options.ts'
import { Paged } from './paged.ts'
import { pathOf } from './request-url.ts'
import type { Requester } from './requester.ts'

/** Movies and series. */
export class Shows {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** One show by its id, its IMDb id (`tt0068646`) or its TMDB id (`movie/238`, `tv/1396`). */
  async get(id: string, parameters: GetShowParameters = {}, options?: CallOptions): Promise<Show> {
    return this.#requester.get(`/shows${pathOf('the id of a show', id, 2)}`, parameters, checkShow, options)
  }

  /** Shows by title, the best matches first: at most 20, or all whose titles are equal to the phrase. */
  async search(parameters: SearchShowsParameters, options?: CallOptions): Promise<Show[]> {
    return this.#requester.get('/shows/search/title', parameters, checkList('show'), options)
  }

  /** Shows of a country's catalogs that pass all filters, page by page. */
  filter(parameters: FilterShowsParameters, options: WalkOptions = {}): Paged<Show> {
    const fetchPage = async (cursor: string | undefined) => {
      const path = '/shows/search/filters'
      const check = checkShowPage(cursor)
      const result = await this.#requester.get<SearchResult>(path, { ...parameters, cursor }, check, options)
      return { items: result.shows, ...(result.hasMore && { nextCursor: result.nextCursor as string }) }
    }
    return new Paged(fetchPage, parameters.cursor, options)
  }

  /** The official top list of a service, in its order; empty for a service that publishes none. */
  async top(parameters: TopShowsParameters, options?: CallOptions): Promise<Show[]> {
    return this.#requester.get('/shows/top', parameters, checkList('show'), options)
  }
}
