import type { Change } from '../model/change.ts'
import { itemsOf } from '../model/item.ts'
import type { Show } from '../model/show.ts'
import type { ShowIndex } from './identify.ts'

/** A batch is large enough when it holds so many shows or offers: memory stays bounded, writes stay few. */
const MOST_SHOWS = 2_000
const MOST_OFFERS = 40_000

/** Shows of the batch that is being made, found beside those of the catalog. */
export class PendingShows implements ShowIndex {
  private readonly catalog: ShowIndex
  private shows = new Map<string, Show>()
  private ids = new Map<string, Show>()
  private titles = new Map<string, Show[]>()
  private changes: Change[] = []
  private offers = 0

  constructor(catalog: ShowIndex) {
    this.catalog = catalog
  }

  get full(): boolean {
    return this.shows.size >= MOST_SHOWS || this.offers >= MOST_OFFERS
  }

  byId(id: string): Show | undefined {
    return this.ids.get(id) ?? this.catalog.byId(id)
  }

  ownId(id: string): string | undefined {
    return this.ids.get(id)?.id ?? this.catalog.ownId(id)
  }

  byTitle(title: string, year: number, showType: Show['showType']): Show[] {
    const pending = this.titles.get(titleKey({ title, year, showType })) ?? []
    const known = this.catalog.byTitle(title, year, showType).filter((show) => !this.shows.has(show.id))
    return [...pending, ...known]
  }

  add(show: Show, changes: readonly Change[]): void {
    this.shows.set(show.id, show)
    for (const id of [show.id, show.imdbId, show.tmdbId]) if (id !== '') this.ids.set(id, show)
    for (const title of new Set([show.title, show.originalTitle])) {
      const key = titleKey({ title, year: show.year, showType: show.showType })
      this.titles.set(key, [...(this.titles.get(key) ?? []).filter(({ id }) => id !== show.id), show])
    }
    for (const change of changes) this.changes.push(change)
    for (const [, offers] of itemsOf(show)) for (const country in offers) this.offers += offers[country]?.length ?? 0
  }

  /** The shows and changes so far; what comes next belongs to the next batch. */
  take(): { shows: Show[]; changes: Change[] } {
    const taken = { shows: [...this.shows.values()], changes: this.changes }
    this.shows = new Map()
    this.ids = new Map()
    this.titles = new Map()
    this.changes = []
    this.offers = 0
    return taken
  }
}

function titleKey({ title, year, showType }: { title: string; year: number | undefined; showType: string }): string {
  return `${showType} ${year} ${title}`
}
