import type { Options } from './options.ts'
import { rollUp } from './roll-up.ts'

/** What is said of a season or an episode, with its options. */
export interface Part {
  readonly fields: Readonly<Record<string, unknown>>
  readonly options: Options
}

/** Numbers beyond these are years or numbers of production, and no places in a list. */
export const MOST_SEASONS = 500
export const MOST_EPISODES = 10_000

const NOTHING: Part = { fields: {}, options: {} }

interface SeasonParts {
  part: Part
  readonly episodes: Map<number, Part>
}

/** Gathers the seasons and episodes of a series, which a feed states as lists in which each has its place. */
export class SeriesParts {
  private readonly seasons = new Map<number, SeasonParts>()

  addSeason(season: number, part: Part): void {
    this.season(season).part = part
  }

  addEpisode(season: number, episode: number, part: Part): void {
    this.season(season).episodes.set(episode, part)
  }

  /** What is wrong with the place of a season, or of an episode in it, if anything is. */
  static misplaced(season: unknown, episode?: unknown): string | undefined {
    if (!isPlace(season, MOST_SEASONS))
      return `season ${String(season)}: seasons are numbered from 1 to ${MOST_SEASONS}`
    if (episode === undefined || isPlace(episode, MOST_EPISODES)) return undefined
    return `episode ${String(episode)}: episodes are numbered from 1 to ${MOST_EPISODES}`
  }

  /** Everything that can be watched of the series. */
  *options(): Iterable<Options> {
    for (const { part, episodes } of this.seasons.values()) {
      yield part.options
      for (const episode of episodes.values()) yield episode.options
    }
  }

  /** The seasons in their places. One without options of its own has those of its episodes. */
  list(): object[] {
    return places(this.seasons, (season) => {
      const { fields, options } = season?.part ?? NOTHING
      const episodes = season?.episodes ?? new Map<number, Part>()
      const own = Object.keys(options).length > 0
      const link = typeof fields.link === 'string' ? fields.link : undefined
      return {
        ...fields,
        link: undefined,
        streamingOptions: own
          ? options
          : rollUp(
              [...episodes.values()].map((part) => part.options),
              link,
            ),
        episodes: places(episodes, (episode = NOTHING) => ({ ...episode.fields, streamingOptions: episode.options })),
      }
    })
  }

  private season(number: number): SeasonParts {
    let season = this.seasons.get(number)
    if (season === undefined) {
      season = { part: NOTHING, episodes: new Map() }
      this.seasons.set(number, season)
    }
    return season
  }
}

function isPlace(number: unknown, most: number): number is number {
  return Number.isInteger(number) && (number as number) >= 1 && (number as number) <= most
}

/** A list up to the highest number; what nothing is said of is there, too, with nothing in it. */
function places<T>(items: ReadonlyMap<number, T>, make: (item: T | undefined) => object): object[] {
  const last = Math.max(0, ...items.keys())
  return Array.from({ length: last }, (_, i) => make(items.get(i + 1)))
}
