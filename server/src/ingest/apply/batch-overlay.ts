import { lookupIds, type Show } from '../../model/show.ts'
import type { ShowIndex } from './identify.ts'

/** What becomes of a show in a batch. */
export interface ShowUpdate {
  /** The show before the batch; undefined where the batch brings it. */
  readonly before: Show | undefined
  readonly after: Show
}

/** Shows of the batch that is being made, found beside those of the catalog. */
export class BatchOverlay implements ShowIndex {
  private readonly catalog: ShowIndex
  private readonly pending = new Map<string, ShowUpdate>()
  private readonly byAnyId = new Map<string, Show>()
  private readonly byTitleKey = new Map<string, Show[]>()

  constructor(catalog: ShowIndex) {
    this.catalog = catalog
  }

  /** The shows so far, each once: as it was before all that was said of it, and as it is after. */
  updates(): Iterable<ShowUpdate> {
    return this.pending.values()
  }

  findById(id: string): Show | undefined {
    const own = this.findOwnId(id)
    return own === undefined ? undefined : (this.pending.get(own)?.after ?? this.catalog.findById(id))
  }

  findOwnId(id: string): string | undefined {
    const own = this.byAnyId.get(id)?.id ?? this.catalog.findOwnId(id)
    const pending = own === undefined ? undefined : this.pending.get(own)
    // A show of the batch may have given up an id that the catalog still knows it by.
    return pending === undefined || lookupIds(pending.after).includes(id) ? own : undefined
  }

  findByTitle(title: string, year: number, showType: Show['showType']): Show[] {
    const pending = this.byTitleKey.get(titleKey(title, year, showType)) ?? []
    const known = this.catalog.findByTitle(title, year, showType).filter((show) => !this.pending.has(show.id))
    return [...pending, ...known]
  }

  /** Whether the batch holds the show with this very id. */
  has(id: string): boolean {
    return this.pending.has(id)
  }

  put(before: Show | undefined, show: Show): void {
    const pending = this.pending.get(show.id)
    this.pending.set(show.id, { before: pending === undefined ? before : pending.before, after: show })
    for (const id of lookupIds(show)) this.byAnyId.set(id, show)
    for (const title of show.deleted === true ? [] : new Set([show.title, show.originalTitle])) {
      const key = titleKey(title, show.year, show.showType)
      const equal = this.byTitleKey.get(key)
      if (equal === undefined) this.byTitleKey.set(key, [show])
      else if (pending === undefined) equal.push(show)
      else this.byTitleKey.set(key, [...equal.filter(({ id }) => id !== show.id), show])
    }
  }

  /** Forgets a show that was new in this batch. */
  delete(id: string): void {
    this.pending.delete(id)
    for (const [key, shows] of this.byTitleKey) {
      this.byTitleKey.set(
        key,
        shows.filter((show) => show.id !== id),
      )
    }
  }
}

function titleKey(title: string, year: number | undefined, showType: string): string {
  return `${showType} ${year} ${title}`
}

/**
 * Shows that a check would have brought into the catalog, if it brought anything: only what they are recognised by,
 * so that even a check of a very large feed fits into memory.
 */
export class DryRunOverlay implements ShowIndex {
  private readonly shows: BatchOverlay

  constructor(catalog: ShowIndex) {
    this.shows = new BatchOverlay(catalog)
  }

  add(shows: readonly Show[]): void {
    for (const show of shows) this.shows.put(undefined, stripForLookup(show))
  }

  /** Whether the check would have written the show with this very id. */
  has(id: string): boolean {
    return this.shows.has(id)
  }

  findById(id: string): Show | undefined {
    return this.shows.findById(id)
  }

  findOwnId(id: string): string | undefined {
    return this.shows.findOwnId(id)
  }

  findByTitle(title: string, year: number, showType: Show['showType']): Show[] {
    return this.shows.findByTitle(title, year, showType)
  }
}

const EMPTY_LIST: readonly never[] = []
const EMPTY_OBJECT = {}

function stripForLookup({ cast, directors, creators, seasons, ...show }: Show): Show {
  return {
    ...show,
    overview: '',
    genres: EMPTY_LIST,
    cast: EMPTY_LIST,
    translations: EMPTY_OBJECT,
    popularity: EMPTY_OBJECT,
    offers: EMPTY_OBJECT,
  }
}
