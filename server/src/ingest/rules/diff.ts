import type { Mutable } from '../../lib/objects.ts'
import type { Change, PastChangeType } from '../../model/change.ts'
import { isLive, isRepeated, isSameOffer, type Offer, offerGroupKey } from '../../model/offer.ts'
import { type Item, type Show, showItems } from '../../model/show.ts'

/** The live offers of one item in one country with one service, type and addon. */
interface Group {
  readonly country: string
  readonly offers: Offer[]
}

/** The items of a show, each with its groups of live offers. */
type Groups = Map<string, { readonly item: Item; readonly groups: Map<string, Group> }>

/**
 * The changes between two states of a show: a new, updated or removed offer for each item, country, service, type and
 * addon. A series or a season is also updated where a season or an episode of it changed. The order of offers is ignored.
 */
export function diff(before: Show | undefined, after: Show, at: number): Change[] {
  if (before === undefined) return changesOfNewShow(after, at)
  const old = groupOffers(before)
  const now = groupOffers(after)
  const changes: Change[] = []
  /** For each item that contains others, the groups that changed in them. */
  const changedBelow = new Map<string, Set<string>>()

  const compare = (key: string, item: Item) => {
    const oldGroups = old.get(key)?.groups
    const newGroups = now.get(key)?.groups
    const below = changedBelow.get(key)
    const record = (changeType: PastChangeType, name: string, group: Group) => {
      changes.push(createChange(after, item, changeType, group.country, group.offers[0] as Offer, at))
      for (const container of parentKeys(item)) {
        const names = changedBelow.get(container)
        if (names === undefined) changedBelow.set(container, new Set([name]))
        else names.add(name)
      }
    }
    for (const [name, group] of newGroups ?? []) {
      const known = oldGroups?.get(name)
      if (known === undefined) record('new', name, group)
      else if (below?.has(name) || !isSameGroup(known, group)) record('updated', name, group)
    }
    for (const [name, group] of oldGroups ?? []) if (!newGroups?.has(name)) record('removed', name, group)
  }

  // Episodes first, then seasons, then the show: each needs the changes below it.
  const items = new Map([...old, ...now].map(([key, { item }]) => [key, item]))
  for (const itemType of ['episode', 'season', 'show'] as const) {
    for (const [key, item] of items) if (item.itemType === itemType) compare(key, item)
  }
  return changes
}

/** The changes of a show that is new in the catalog. */
function changesOfNewShow(show: Show, at: number): Change[] {
  const changes: Change[] = []
  for (const [item, byCountry] of showItems(show)) {
    for (const country in byCountry) {
      const offers = byCountry[country] as readonly Offer[]
      offers.forEach((offer, i) => {
        if (!isLive(offer)) return
        const sameGroup = (other: Offer) =>
          other.service === offer.service && other.type === offer.type && other.addon === offer.addon
        if (offers.findIndex((other) => isLive(other) && sameGroup(other)) < i) return
        changes.push(createChange(show, item, 'new', country, offer, at))
      })
    }
  }
  return changes
}

function groupOffers(show: Show): Groups {
  const all: Groups = new Map()
  for (const [item, byCountry] of showItems(show)) {
    const groups = new Map<string, Group>()
    for (const country in byCountry) {
      for (const offer of byCountry[country] ?? []) {
        if (!isLive(offer)) continue
        const name = `${country} ${offerGroupKey(offer)}`
        const group = groups.get(name)
        if (group === undefined) groups.set(name, { country, offers: [offer] })
        else group.offers.push(offer)
      }
    }
    all.set(itemKey(item), { item, groups })
  }
  return all
}

function itemKey({ season, episode }: Item): string {
  return season === undefined ? '' : episode === undefined ? `${season}` : `${season}.${episode}`
}

function parentKeys({ itemType, season }: Item): string[] {
  if (itemType === 'show') return []
  return itemType === 'season' ? [''] : ['', `${season}`]
}

/** Whether two groups offer the same, in any order, whichever sources state it. */
function isSameGroup({ offers: some }: Group, { offers: others }: Group): boolean {
  // Nearly every group has one offer.
  if (some.length === 1 && others.length === 1) return isSameOffer(some[0] as Offer, others[0] as Offer)
  const left = withoutRepeats(others)
  const isEqual = withoutRepeats(some).every((offer) => {
    const at = left.findIndex((other) => isSameOffer(offer, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return isEqual && left.length === 0
}

function withoutRepeats(offers: readonly Offer[]): Offer[] {
  return offers.filter((_, i) => !isRepeated(offers, i))
}

function createChange(
  show: Show,
  item: Item,
  changeType: PastChangeType,
  country: string,
  { service, type, addon, link }: Offer,
  at: number,
): Change {
  // A hot path: assignment is faster than spreading optional parts.
  const change: Mutable<Change> = {
    changeType,
    itemType: item.itemType,
    showId: show.id,
    // Seasons that a show loses when it becomes a movie were those of a series.
    showType: item.itemType === 'show' ? show.showType : 'series',
    country,
    service,
    offerType: type,
    timestamp: at,
    link,
  }
  if (item.season !== undefined) change.season = item.season
  if (item.episode !== undefined) change.episode = item.episode
  if (addon !== undefined) change.addon = addon
  return change
}

/** Whether two JSON values are equal: lists in the same order, objects with the same keys in any order. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && isEqualList(a, b)
  return !Array.isArray(b) && isEqualObject(a as PlainObject, b as PlainObject)
}

type PlainObject = Readonly<Record<string, unknown>>

function isEqualList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!isDeepEqual(a[i], b[i])) return false
  return true
}

function isEqualObject(a: PlainObject, b: PlainObject): boolean {
  let keys = 0
  for (const key in a) {
    const value = b[key]
    if (!isDeepEqual(a[key], value) || (value === undefined && !Object.hasOwn(b, key))) return false
    keys++
  }
  for (const _ in b) if (--keys < 0) return false
  return true
}
