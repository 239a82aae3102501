import type { JsonObject } from '../ingest/parse/fields.ts'
import { numberIn, objectsIn, textIn, yearIn } from './answer-fields.ts'
import type { FetchedSeason } from './fetched-title.ts'
import { inPlaces } from './in-places.ts'
import { offersOf } from './offers-of.ts'
import type { ProviderDirectory } from './provider-directory.ts'

/** The seasons of a series as a native feed states them. TMDB has offers of seasons, and none of episodes. */
export function seasonsOf(
  seasons: readonly FetchedSeason[],
  countries: readonly string[],
  directory: ProviderDirectory,
): object[] {
  return inPlaces(seasons, ({ number }) => number).map((season, i) => {
    if (season === undefined) return { title: `Season ${i + 1}`, streamingOptions: {}, episodes: [] }
    const { number, summary, details = {}, providers } = season
    const episodes = objectsIn(details, 'episodes')
    const years = episodes.flatMap((episode) => yearIn(episode, 'air_date') ?? [])
    const first = yearIn(summary, 'air_date') ?? (years.length > 0 ? Math.min(...years) : 0)
    return {
      title: textIn(details, 'name') ?? textIn(summary, 'name') ?? `Season ${number}`,
      firstAirYear: first,
      lastAirYear: Math.max(first, ...years),
      streamingOptions: offersOf(providers, countries, directory),
      episodes: inPlaces(episodes, (episode) => numberIn(episode, 'episode_number') ?? 0).map(episodeOf),
    }
  })
}

function episodeOf(episode: JsonObject | undefined, i: number): object {
  const overview = episode && textIn(episode, 'overview')
  return {
    title: (episode && textIn(episode, 'name')) ?? `Episode ${i + 1}`,
    ...(overview !== undefined && { overview }),
    airYear: (episode && yearIn(episode, 'air_date')) ?? 0,
    streamingOptions: {},
  }
}
