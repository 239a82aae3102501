import { lookupIds, type Show } from '../../model/show.ts'
import type { ShowIndex } from './identify.ts'

/** A show before and after a batch. */
interface ShowUpdate {
  /** Undefined if the batch creates the show. */
  readonly before: Show | undefined
  readonly after: Show
}

/** The shows of a batch that is being built, laid over the index of the catalog. */
export class BatchOverlay implements ShowIndex {
  private readonly catalog: ShowIndex
  private readonly byShowId = new Map<string, ShowUpdate>()
  private readonly byAnyId = new Map<string, Show>()
  private readonly byTitleKey = new Map<string, Show[]>()

  constructor(catalog: ShowIndex) {
    this.catalog = catalog
  }

  /** The updates so far, one for each show. */
  updates(): Iterable<ShowUpdate> {
    return this.byShowId.values()
  }

  findById(id: string): Show | undefined {
    const own = this.findOwnId(id)
    return own === undefined ? undefined : (this.byShowId.get(own)?.after ?? this.catalog.findById(id))
  }

  findOwnId(id: string): string | undefined {
    const own = this.byAnyId.get(id)?.id ?? this.catalog.findOwnId(id)
    const update = own === undefined ? undefined : this.byShowId.get(own)
    // A show of the batch may have lost an id that the catalog still has.
    return update === undefined || lookupIds(update.after).includes(id) ? own : undefined
  }

  findByTitle(title: string, year: number, showType: Show['showType']): Show[] {
    const written = this.byTitleKey.get(titleKey(title, year, showType)) ?? []
    const known = this.catalog.findByTitle(title, year, showType).filter((show) => !this.byShowId.has(show.id))
    return [...written, ...known]
  }

  /** Whether the batch has written the show with this own id. */
  has(id: string): boolean {
    return this.byShowId.has(id)
  }

  put(before: Show | undefined, show: Show): void {
    const earlier = this.byShowId.get(show.id)
    this.byShowId.set(show.id, { before: earlier === undefined ? before : earlier.before, after: show })
    for (const id of lookupIds(show)) this.byAnyId.set(id, show)
    for (const title of show.deleted === true ? [] : new Set([show.title, show.originalTitle])) {
      const key = titleKey(title, show.year, show.showType)
      const sameTitle = this.byTitleKey.get(key)
      if (sameTitle === undefined) this.byTitleKey.set(key, [show])
      else if (earlier === undefined) sameTitle.push(show)
      else this.byTitleKey.set(key, [...sameTitle.filter(({ id }) => id !== show.id), show])
    }
  }

  /** Deletes a show that is new in this batch. */
  delete(id: string): void {
    this.byShowId.delete(id)
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
 * The shows that the batches of a dry run would have written, laid over the index of the catalog, so that later records
 * are identified as in an import. It keeps only the fields that identification needs: a large feed must fit into memory.
 */
export class DryRunOverlay implements ShowIndex {
  private readonly shows: BatchOverlay

  constructor(catalog: ShowIndex) {
    this.shows = new BatchOverlay(catalog)
  }

  add(shows: readonly Show[]): void {
    for (const show of shows) this.shows.put(undefined, stripForLookup(show))
  }

  /** Whether the dry run would have written the show with this own id. */
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
