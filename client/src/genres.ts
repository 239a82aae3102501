import type { Genre, ListGenresParameters } from './api-types.ts'
import { checkList } from './checks.ts'
import type { CallOptions } from './options.ts'
import type { Requester } from './requester.ts'

/** The genres by which shows can be filtered. */
export class Genres {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** All genres. */
  async list(parameters: ListGenresParameters = {}, options?: CallOptions): Promise<Genre[]> {
    return this.#requester.get('/genres', parameters, checkList('genre'), options)
  }
}
