import { type OptionsByCountry, rollUpOptions } from './streaming-options.ts'

/** What is said of a season or an episode, with its options. */
export interface PartRecord {
  readonly fields: Readonly<Record<string, unknown>>
  readonly options: OptionsByCountry
}

/** Numbers beyond these are years or numbers of production, and no places in a list. */
export const MAX_SEASONS = 500
export const MAX_EPISODES = 10_000

const EMPTY_PART: PartRecord = { fields: {}, options: {} }

interface SeasonParts {
  part: PartRecord
  readonly episodes: Map<number, PartRecord>
}

/** Gathers the seasons and episodes of a series, which a feed states as lists in which each has its place. */
export class SeriesBuilder {
  private readonly seasons = new Map<number, SeasonParts>()

  addSeason(season: number, part: PartRecord): void {
    this.season(season).part = part
  }

  addEpisode(season: number, episode: number, part: PartRecord): void {
    this.season(season).episodes.set(episode, part)
  }

  /** What is wrong with the place of a season, or of an episode in it, if anything is. */
  static findNumberProblem(season: unknown, episode?: unknown): string | undefined {
    if (!isNumberUpTo(season, MAX_SEASONS))
      return `season ${String(season)}: seasons are numbered from 1 to ${MAX_SEASONS}`
    if (episode === undefined || isNumberUpTo(episode, MAX_EPISODES)) return undefined
    return `episode ${String(episode)}: episodes are numbered from 1 to ${MAX_EPISODES}`
  }

  /** Everything that can be watched of the series. */
  *options(): Iterable<OptionsByCountry> {
    for (const { part, episodes } of this.seasons.values()) {
      yield part.options
      for (const episode of episodes.values()) yield episode.options
    }
  }

  /** The seasons in their places. One without options of its own has those of its episodes. */
  toSeasons(): object[] {
    return toNumberedList(this.seasons, (season) => {
      const { fields, options } = season?.part ?? EMPTY_PART
      const episodes = season?.episodes ?? new Map<number, PartRecord>()
      const own = Object.keys(options).length > 0
      const link = typeof fields.link === 'string' ? fields.link : undefined
      return {
        ...fields,
        link: undefined,
        streamingOptions: own
          ? options
          : rollUpOptions(
              [...episodes.values()].map((part) => part.options),
              link,
            ),
        episodes: toNumberedList(episodes, (episode = EMPTY_PART) => ({
          ...episode.fields,
          streamingOptions: episode.options,
        })),
      }
    })
  }

  private season(number: number): SeasonParts {
    let season = this.seasons.get(number)
    if (season === undefined) {
      season = { part: EMPTY_PART, episodes: new Map() }
      this.seasons.set(number, season)
    }
    return season
  }
}

function isNumberUpTo(number: unknown, most: number): number is number {
  return Number.isInteger(number) && (number as number) >= 1 && (number as number) <= most
}

/** A list up to the highest number; what nothing is said of is there, too, with nothing in it. */
function toNumberedList<T>(items: ReadonlyMap<number, T>, make: (item: T | undefined) => object): object[] {
  const last = Math.max(0, ...items.keys())
  return Array.from({ length: last }, (_, i) => make(items.get(i + 1)))
}
