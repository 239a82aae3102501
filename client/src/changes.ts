import type { Change, ChangesResult, ListChangesParameters, Show } from './api-types.ts'
import { checkChangePage } from './checks.ts'
import type { WalkOptions } from './options.ts'
import { Paged } from './paged.ts'
import type { Requester } from './requester.ts'

/** A change together with the show that it is about. */
export interface ChangeWithShow extends Change {
  /** The show, with its options in the country that was asked for, without seasons. */
  show: Show
}

/** What is new, updated, removed, expiring or upcoming. */
export class Changes {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Changes in the catalogs of a country by date, page by page, each with its show. */
  list(parameters: ListChangesParameters, options: WalkOptions = {}): Paged<ChangeWithShow> {
    const fetchPage = async (cursor: string | undefined) => {
      const check = checkChangePage(cursor)
      const result = await this.#requester.get<ChangesResult>('/changes', { ...parameters, cursor }, check, options)
      return {
        items: result.changes.map((change) => ({ ...change, show: result.shows[change.showId] as Show })),
        ...(result.hasMore && { nextCursor: result.nextCursor as string }),
      }
    }
    return new Paged(fetchPage, parameters.cursor, options)
  }
}
