import type { FeedOption, FeedOptions, FeedShow } from '../../../data/feed.ts'
import type { Reference } from './reference.ts'

/** A change as JSON text, with its sort and filter keys. */
export interface PrerenderedChange {
  readonly country: string
  readonly changeType: string
  readonly itemType: string
  /** 0 if the day is unknown. */
  readonly time: number
  /** Tie-breaker in the order of the API: show, season, episode, then service, type and addon. */
  readonly rank: number
  readonly movie: boolean
  readonly showId: number
  readonly service: string
  readonly body: string
}

/** A past change in an exported feed. */
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

/** Prerenders a change. */
export function prerenderChange(change: FeedChange, reference: Reference): PrerenderedChange {
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
    rank: computeRank(change, reference),
    movie: showType === 'movie',
    showId: Number(showId),
    service,
    body: `{"service":${serviceText},${addonText}${JSON.stringify(text).slice(1)}`,
  }
}

/** Expiring and upcoming changes of a show, derived from the windows of its offers. */
export function* futureChanges(show: FeedShow, upcomingServices: ReadonlySet<string>): Generator<FeedChange> {
  const about = { showId: show.id, showType: show.showType }
  yield* itemChanges({ ...about, itemType: 'show' }, show.streamingOptions, upcomingServices)
  for (const [i, season] of (show.seasons ?? []).entries()) {
    yield* itemChanges({ ...about, itemType: 'season', season: i + 1 }, season.streamingOptions, upcomingServices)
    for (const [j, episode] of (season.episodes ?? []).entries()) {
      const item = { ...about, itemType: 'episode', season: i + 1, episode: j + 1 }
      yield* itemChanges(item, episode.streamingOptions, upcomingServices)
    }
  }
}

type Item = Pick<FeedChange, 'showId' | 'showType' | 'itemType' | 'season' | 'episode'>

function* itemChanges(item: Item, all: FeedOptions, upcomingServices: ReadonlySet<string>): Generator<FeedChange> {
  for (const [country, options] of Object.entries(all)) {
    const nearest = new Map<string, FeedChange>()
    for (const option of options) {
      const change = windowChange(option, upcomingServices)
      if (change === undefined) continue
      const name = [change.changeType, option.service, option.type, option.addon].join()
      const known = nearest.get(name)
      if (known && (known.timestamp ?? 0) <= (change.timestamp ?? 0)) continue
      nearest.set(name, { ...item, country, ...change })
    }
    yield* nearest.values()
  }
}

type WindowChange = Omit<FeedChange, keyof Item | 'country'>

function windowChange(option: FeedOption, upcomingServices: ReadonlySet<string>): WindowChange | undefined {
  const { service, type, addon, link, startsOn, expiresOn } = option
  const offer = { service, streamingOptionType: type, ...(addon !== undefined && { addon }), ...(link && { link }) }
  if (startsOn !== undefined) {
    if (!upcomingServices.has(service)) return undefined
    return { changeType: 'upcoming', ...offer, ...(typeof startsOn === 'number' && { timestamp: startsOn }) }
  }
  if (expiresOn !== undefined) return { changeType: 'expiring', ...offer, timestamp: expiresOn }
  return option.expiresSoon === true ? { changeType: 'expiring', ...offer } : undefined
}

const MAX_CATALOGS = 512

function computeRank(
  { showId, season = 0, episode = 0, country, service, streamingOptionType, addon }: FeedChange,
  { catalogs }: Reference,
): number {
  const name = addon === undefined ? `${service}.${streamingOptionType}` : `${service}.addon.${addon}`
  const index = sortedNames(catalogs[country] ?? []).indexOf(name)
  return ((Number(showId) * 200 + season) * 1000 + episode) * MAX_CATALOGS + Math.max(0, index)
}

const sortedCatalogs = new WeakMap<readonly string[], string[]>()

function sortedNames(names: readonly string[]): string[] {
  let list = sortedCatalogs.get(names)
  if (list === undefined) {
    list = names.toSorted()
    sortedCatalogs.set(names, list)
  }
  return list
}
