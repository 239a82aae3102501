import type { Change } from '../model/change.ts'
import type { Show } from '../model/show.ts'
import type { ShowIndex } from './identify.ts'

/** Shows of the batch that is being made, found beside those of the catalog. */
export class PendingShows implements ShowIndex {
  private readonly catalog: ShowIndex
  private readonly byOwnId = new Map<string, Show>()
  private readonly byAnyId = new Map<string, Show>()
  private readonly byTitleKey = new Map<string, Show[]>()
  private made: Change[] = []

  constructor(catalog: ShowIndex) {
    this.catalog = catalog
  }

  /** The shows so far, each once, as they are after all that was said of them. */
  get shows(): Show[] {
    return [...this.byOwnId.values()]
  }

  get changes(): readonly Change[] {
    return this.made
  }

  byId(id: string): Show | undefined {
    return this.byAnyId.get(id) ?? this.catalog.byId(id)
  }

  ownId(id: string): string | undefined {
    return this.byAnyId.get(id)?.id ?? this.catalog.ownId(id)
  }

  byTitle(title: string, year: number, showType: Show['showType']): Show[] {
    const pending = this.byTitleKey.get(titleKey(title, year, showType)) ?? []
    const known = this.catalog.byTitle(title, year, showType).filter((show) => !this.byOwnId.has(show.id))
    return [...pending, ...known]
  }

  add(show: Show, changes: readonly Change[]): void {
    this.byOwnId.set(show.id, show)
    const ids = show.mergedInto !== undefined ? [] : [show.id, show.imdbId, show.tmdbId, ...(show.formerIds ?? [])]
    for (const id of ids) if (id !== '') this.byAnyId.set(id, show)
    for (const title of show.withdrawn === true ? [] : new Set([show.title, show.originalTitle])) {
      const key = titleKey(title, show.year, show.showType)
      this.byTitleKey.set(key, [...(this.byTitleKey.get(key) ?? []).filter(({ id }) => id !== show.id), show])
    }
    this.addChanges(changes)
  }

  addChanges(changes: readonly Change[]): void {
    for (const change of changes) this.made.push(change)
  }

  /** Whether the batch holds the show with this very id. */
  has(id: string): boolean {
    return this.byOwnId.has(id)
  }

  /** Forgets a show that was new in this batch. */
  drop(id: string): void {
    this.byOwnId.delete(id)
    this.made = this.made.filter(({ showId }) => showId !== id)
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
