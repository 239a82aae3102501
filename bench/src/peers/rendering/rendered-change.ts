import type { FeedOption, FeedOptions, FeedShow } from '../../support/feed.ts'
import type { Reference } from './reference.ts'

/** A change printed beforehand. */
export interface RenderedChange {
  readonly country: string
  readonly changeType: string
  readonly itemType: string
  /** 0 if the day is not known. */
  readonly time: number
  /** Breaks ties as the contract says: show, season, episode, then service, type and addon. */
  readonly rank: number
  readonly movie: boolean
  readonly showId: number
  readonly service: string
  readonly body: string
}

/** A past change as an exported feed states it. */
export interface FeedChange {
  readonly changeType: string
  readonly itemType: string
  readonly showId: string
  readonly showType: string
  readonly country: string
  readonly season?: number
  readonly episode?: number
  readonly service: string
  readonly streamingOptionType: string
  readonly addon?: string
  readonly timestamp?: number
  readonly link?: string
}

/** Prints a past change. */
export function renderChange(change: FeedChange, reference: Reference): RenderedChange {
  const { country, service, addon, changeType, itemType, showId, showType, season, episode, timestamp, link } = change
  const text = {
    changeType,
    itemType,
    showId,
    showType,
    season,
    episode,
    streamingOptionType: change.streamingOptionType,
    timestamp,
    link,
  }
  const addonText = addon === undefined ? '' : `"addon":${reference.addons[country]?.[`${service}.${addon}`] ?? '{}'},`
  const serviceText = reference.services[country]?.[service] ?? '{}'
  return {
    country,
    changeType,
    itemType,
    time: timestamp ?? 0,
    rank: rankOf(change, reference),
    movie: showType === 'movie',
    showId: Number(showId),
    service,
    body: `{"service":${serviceText},${addonText}${JSON.stringify(text).slice(1)}`,
  }
}

/** Changes that the passing of time will bring to a show: offers that end, and offers that begin. */
export function* comingChanges(show: FeedShow, announcing: ReadonlySet<string>): Generator<FeedChange> {
  const about = { showId: show.id, showType: show.showType }
  yield* ofItem({ ...about, itemType: 'show' }, show.streamingOptions, announcing)
  for (const [i, season] of (show.seasons ?? []).entries()) {
    yield* ofItem({ ...about, itemType: 'season', season: i + 1 }, season.streamingOptions, announcing)
    for (const [j, episode] of (season.episodes ?? []).entries()) {
      const item = { ...about, itemType: 'episode', season: i + 1, episode: j + 1 }
      yield* ofItem(item, episode.streamingOptions, announcing)
    }
  }
}

type Item = Pick<FeedChange, 'showId' | 'showType' | 'itemType' | 'season' | 'episode'>

function* ofItem(item: Item, all: FeedOptions, announcing: ReadonlySet<string>): Generator<FeedChange> {
  for (const [country, options] of Object.entries(all)) {
    const nearest = new Map<string, FeedChange>()
    for (const option of options) {
      const change = coming(option, announcing)
      if (change === undefined) continue
      const name = [change.changeType, option.service, option.type, option.addon].join()
      const known = nearest.get(name)
      if (known && (known.timestamp ?? 0) <= (change.timestamp ?? 0)) continue
      nearest.set(name, { ...item, country, ...change })
    }
    yield* nearest.values()
  }
}

type Coming = Omit<FeedChange, keyof Item | 'country'>

function coming(option: FeedOption, announcing: ReadonlySet<string>): Coming | undefined {
  const { service, type, addon, link, startsOn, expiresOn } = option
  const place = { service, streamingOptionType: type, ...(addon !== undefined && { addon }), ...(link && { link }) }
  if (startsOn !== undefined) {
    if (!announcing.has(service)) return undefined
    return { changeType: 'upcoming', ...place, ...(typeof startsOn === 'number' && { timestamp: startsOn }) }
  }
  if (expiresOn !== undefined) return { changeType: 'expiring', ...place, timestamp: expiresOn }
  return option.expiresSoon === true ? { changeType: 'expiring', ...place } : undefined
}

const PLACES = 512

function rankOf(
  { showId, season = 0, episode = 0, country, service, streamingOptionType, addon }: FeedChange,
  { catalogs }: Reference,
): number {
  const name = addon === undefined ? `${service}.${streamingOptionType}` : `${service}.addon.${addon}`
  const place = sorted(catalogs[country] ?? []).indexOf(name)
  return ((Number(showId) * 200 + season) * 1000 + episode) * PLACES + Math.max(0, place)
}

const sortedLists = new WeakMap<readonly string[], string[]>()

function sorted(names: readonly string[]): string[] {
  let list = sortedLists.get(names)
  if (list === undefined) {
    list = names.toSorted()
    sortedLists.set(names, list)
  }
  return list
}
