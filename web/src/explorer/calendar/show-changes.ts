import type { ChangeWithShow, Show } from 'marquee-client'

/** Consecutive episodes of a season. */
interface EpisodeRange {
  readonly from: number
  readonly to: number
}

/** The changes of one show: what changes, and on which services. */
export interface ShowChanges {
  readonly show: Show
  /** In order; a season that changes as a whole has no episodes. Empty if the show itself changes. */
  readonly seasons: readonly { readonly season: number; readonly episodes: readonly EpisodeRange[] }[]
  /** One change for each service, type and addon. */
  readonly places: readonly ChangeWithShow[]
}

/** Groups changes by show: one title often changes on several services at once, and with many episodes. */
export function groupByShow(changes: readonly ChangeWithShow[]): ShowChanges[] {
  const shows = new Map<string, [ChangeWithShow, ...ChangeWithShow[]]>()
  for (const change of changes) {
    const ofShow = shows.get(change.showId)
    if (ofShow === undefined) shows.set(change.showId, [change])
    else ofShow.push(change)
  }
  return [...shows.values()].map((ofShow) => ({
    show: ofShow[0].show,
    seasons: groupBySeason(ofShow),
    places: [...new Map(ofShow.map((change) => [placeKey(change), change])).values()],
  }))
}

/** Groups places that one link leads to: to rent and to buy on a service, for example. */
export function groupByLink(places: readonly ChangeWithShow[]): [ChangeWithShow, ...ChangeWithShow[]][] {
  const links = new Map<string, [ChangeWithShow, ...ChangeWithShow[]]>()
  for (const place of places) {
    const key = `${place.service.id} ${place.link}`
    const others = links.get(key)
    if (others === undefined) links.set(key, [place])
    else others.push(place)
  }
  return [...links.values()]
}

function placeKey({ service, streamingOptionType, addon }: ChangeWithShow): string {
  return [service.id, streamingOptionType, addon?.id].join(' ')
}

function groupBySeason(changes: readonly ChangeWithShow[]): ShowChanges['seasons'] {
  const seasons = new Map<number, Set<number>>()
  for (const { season, episode } of changes) {
    if (season === undefined) continue
    const episodes = seasons.get(season) ?? new Set()
    seasons.set(season, episodes)
    if (episode !== undefined) episodes.add(episode)
  }
  return [...seasons]
    .sort(([a], [b]) => a - b)
    .map(([season, episodes]) => ({ season, episodes: toRanges([...episodes].sort((a, b) => a - b)) }))
}

/** `1, 2, 3, 5` as `1–3` and `5`. */
function toRanges(numbers: readonly number[]): EpisodeRange[] {
  const ranges: EpisodeRange[] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last?.to === number - 1) ranges[ranges.length - 1] = { from: last.from, to: number }
    else ranges.push({ from: number, to: number })
  }
  return ranges
}
