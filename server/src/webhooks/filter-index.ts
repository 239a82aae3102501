import type { StoredWebhook } from '../accounts/store/account-tables.ts'
import type { StoredChange } from '../catalog/changes/stored-change.ts'
import type { DocSet } from '../catalog/index/doc-set.ts'

/** What decides which webhooks get a change, but for its show. */
type Place = Pick<StoredChange, 'list' | 'showType' | 'service' | 'offerType' | 'addon'>

/**
 * Finds the webhooks that get a change by looking up sets, not by asking each of them: those of its country, change and
 * item type, of its catalogs, of its show and of the genres of its show. Places recur, so the webhooks of a place are
 * found once.
 */
export class FilterIndex {
  private readonly webhooks: readonly StoredWebhook[]
  /** By country, change type and item type. */
  private readonly byList = new Map<string, Set<number>>()
  private readonly byCatalog = new Map<string, Set<number>>()
  private readonly byShow = new Map<string, Set<number>>()
  private readonly withoutCatalog = new Set<number>()
  private readonly places = new Map<string, PlaceWebhooks>()

  constructor(webhooks: readonly StoredWebhook[]) {
    this.webhooks = webhooks
    webhooks.forEach(({ filter }, number) => {
      for (const changeType of filter.changeTypes) {
        for (const itemType of filter.itemTypes) {
          add(this.byList, `${filter.country}/${changeType}/${itemType}`, number)
        }
      }
      for (const catalog of filter.catalogs) add(this.byCatalog, catalog, number)
      if (filter.catalogs.length === 0) this.withoutCatalog.add(number)
      for (const show of filter.shows) add(this.byShow, show, number)
    })
  }

  /**
   * The numbers of the webhooks that get a change.
   * @param docsWithGenre the documents of a genre, which decide for webhooks that name genres
   */
  find(change: StoredChange, docsWithGenre: (genre: string) => DocSet): readonly number[] {
    const { anyShow, someShows, byGenre } = this.findPlace(change)
    if (someShows.size + byGenre.size === 0) return anyShow
    const found = new Set(anyShow)
    const ofShow = this.byShow.get(String(change.showId)) ?? EMPTY
    for (const number of ofShow) if (someShows.has(number)) found.add(number)
    for (const [genre, numbers] of byGenre) {
      if (!docsWithGenre(genre).has(change.doc)) continue
      for (const number of numbers) {
        if (this.webhooks[number]?.filter.shows.length === 0 || ofShow.has(number)) found.add(number)
      }
    }
    return [...found]
  }

  private findPlace(place: Place): PlaceWebhooks {
    const { list, showType, service, offerType, addon } = place
    const key = `${list.country}/${list.changeType}/${list.itemType}/${showType}/${service}/${offerType}/${addon}`
    let found = this.places.get(key)
    if (found === undefined) {
      const candidates = this.byList.get(`${list.country}/${list.changeType}/${list.itemType}`) ?? EMPTY
      const names = [service, `${service}.${offerType}`, ...(addon === '' ? [] : [`${service}.addon.${addon}`])]
      const inCatalogs = [this.withoutCatalog, ...names.map((name) => this.byCatalog.get(name) ?? EMPTY)]
      const anyShow: number[] = []
      const someShows = new Set<number>()
      const byGenre = new Map<string, Set<number>>()
      for (const number of candidates) {
        const { filter } = this.webhooks[number] as StoredWebhook
        if (filter.showType !== undefined && filter.showType !== showType) continue
        if (!inCatalogs.some((set) => set.has(number))) continue
        if (filter.genres !== undefined) for (const genre of filter.genres) add(byGenre, genre, number)
        else if (filter.shows.length > 0) someShows.add(number)
        else anyShow.push(number)
      }
      found = { anyShow, someShows, byGenre }
      this.places.set(key, found)
    }
    return found
  }
}

/** The webhooks of a place, each in one of three sets. */
interface PlaceWebhooks {
  /** Those that get every show. */
  readonly anyShow: readonly number[]
  /** Those that name shows, and no genres. */
  readonly someShows: ReadonlySet<number>
  /** Those that name genres, by genre. */
  readonly byGenre: ReadonlyMap<string, ReadonlySet<number>>
}

const EMPTY: ReadonlySet<number> = new Set()

function add(sets: Map<string, Set<number>>, key: string, number: number): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([number]))
  else set.add(number)
}
