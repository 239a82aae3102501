import type { StoredWebhook } from '../accounts/store/account-tables.ts'
import type { StoredChange } from '../catalog/changes/stored-change.ts'

/** What decides which webhooks get a change, but for its show. */
type Place = Pick<StoredChange, 'list' | 'showType' | 'service' | 'offerType' | 'addon'>

/**
 * Finds the webhooks that get a change by looking up sets, not by asking each of them: those of its country, change and
 * item type, of its catalogs, and of its show. Places recur, so the webhooks of a place are found once.
 */
export class FilterIndex {
  private readonly webhooks: readonly StoredWebhook[]
  /** By country, change type and item type. */
  private readonly byList = new Map<string, Set<number>>()
  private readonly byCatalog = new Map<string, Set<number>>()
  private readonly byShow = new Map<string, Set<number>>()
  private readonly withoutCatalog = new Set<number>()
  private readonly places = new Map<
    string,
    { readonly anyShow: readonly number[]; readonly some: ReadonlySet<number> }
  >()

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

  /** The numbers of the webhooks that get a change. */
  find(change: StoredChange): readonly number[] {
    const { anyShow, some } = this.findPlace(change)
    const ofShow = some.size === 0 ? undefined : this.byShow.get(String(change.showId))
    if (ofShow === undefined) return anyShow
    return [...anyShow, ...[...ofShow].filter((number) => some.has(number))]
  }

  /** The webhooks of a place: those for any show, and those for some shows only. */
  private findPlace(place: Place) {
    const { list, showType, service, offerType, addon } = place
    const key = `${list.country}/${list.changeType}/${list.itemType}/${showType}/${service}/${offerType}/${addon}`
    let found = this.places.get(key)
    if (found === undefined) {
      const candidates = this.byList.get(`${list.country}/${list.changeType}/${list.itemType}`) ?? EMPTY
      const names = [service, `${service}.${offerType}`, ...(addon === '' ? [] : [`${service}.addon.${addon}`])]
      const inCatalogs = [this.withoutCatalog, ...names.map((name) => this.byCatalog.get(name) ?? EMPTY)]
      const anyShow: number[] = []
      const some = new Set<number>()
      for (const number of candidates) {
        const { filter } = this.webhooks[number] as StoredWebhook
        if (filter.showType !== undefined && filter.showType !== showType) continue
        if (!inCatalogs.some((set) => set.has(number))) continue
        if (filter.shows.length === 0) anyShow.push(number)
        else some.add(number)
      }
      found = { anyShow, some }
      this.places.set(key, found)
    }
    return found
  }
}

const EMPTY: ReadonlySet<number> = new Set()

function add(sets: Map<string, Set<number>>, key: string, number: number): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([number]))
  else set.add(number)
}
