import { type TitleKey, type TitleKind, titleKey } from './title-key.ts'

/** Titles by popularity. TMDB has well over a million: they are kept as plain numbers. */
export class PopularTitles {
  private readonly ids: number[] = []
  private readonly popularity: number[] = []

  add(kind: TitleKind, id: number, popularity: number): void {
    this.ids.push(kind === 'movie' ? id : -id)
    this.popularity.push(popularity)
  }

  /** The most popular ones, the most popular first. */
  top(limit: number): TitleKey[] {
    const places = Uint32Array.from(this.ids, (_, i) => i)
    const of = (place: number) => this.popularity[place] as number
    places.sort((a, b) => of(b) - of(a) || a - b)
    return Array.from(places.subarray(0, limit), (place) => {
      const id = this.ids[place] as number
      return titleKey(id > 0 ? 'movie' : 'tv', Math.abs(id))
    })
  }
}
