import type { Show } from '../model/show.ts'
import type { ShowIndex } from './identify.ts'
import { PendingShows } from './pending-shows.ts'

/**
 * Shows that a check would have brought into the catalog, if it brought anything: only what they are recognised by,
 * so that even a check of a very large feed fits into memory.
 */
export class ImaginedShows implements ShowIndex {
  private readonly shows: PendingShows

  constructor(catalog: ShowIndex) {
    this.shows = new PendingShows(catalog)
  }

  add(shows: readonly Show[]): void {
    for (const show of shows) this.shows.put(undefined, outlineOf(show))
  }

  /** Whether the check would have written the show with this very id. */
  has(id: string): boolean {
    return this.shows.has(id)
  }

  byId(id: string): Show | undefined {
    return this.shows.byId(id)
  }

  ownId(id: string): string | undefined {
    return this.shows.ownId(id)
  }

  byTitle(title: string, year: number, showType: Show['showType']): Show[] {
    return this.shows.byTitle(title, year, showType)
  }
}

const NOTHING: readonly never[] = []
const NONE = {}

function outlineOf({ cast, directors, creators, seasons, ...show }: Show): Show {
  return { ...show, overview: '', genres: NOTHING, cast: NOTHING, translations: NONE, popularity: NONE, offers: NONE }
}
