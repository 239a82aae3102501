import { toText } from '../records/json-fields.ts'
import type { OptionsByCountry } from '../records/streaming-options.ts'

/** A season or an episode: fields of its native record, and its options. */
interface PartRecord {
  readonly fields: Readonly<Record<string, unknown>>
  readonly options: OptionsByCountry
}

/** Larger numbers are years or production codes, not positions. */
const MAX_SEASONS = 500
const MAX_EPISODES = 10_000

const EMPTY_PART: PartRecord = { fields: {}, options: {} }
const NO_EPISODES: ReadonlyMap<number, PartRecord> = new Map()

interface SeasonParts {
  part: PartRecord
  readonly episodes: Map<number, PartRecord>
}

/** Collects the seasons and episodes of a series by number, and builds the `seasons` list of its native record. */
export class SeriesBuilder {
  private readonly seasons = new Map<number, SeasonParts>()

  addSeason(season: number, part: PartRecord): void {
    this.getOrCreateSeason(season).part = part
  }

  addEpisode(season: number, episode: number, part: PartRecord): void {
    this.getOrCreateSeason(season).episodes.set(episode, part)
  }

  /** The seasons by number. What only an episode offers, the importer gives to its season and its series. */
  toSeasons(): object[] {
    return toNumberedList(this.seasons, (season) => {
      const { fields, options } = season?.part ?? EMPTY_PART
      return {
        ...fields,
        streamingOptions: options,
        episodes: toNumberedList(season?.episodes ?? NO_EPISODES, (episode = EMPTY_PART) => ({
          ...episode.fields,
          streamingOptions: episode.options,
        })),
      }
    })
  }

  private getOrCreateSeason(number: number): SeasonParts {
    let season = this.seasons.get(number)
    if (season === undefined) {
      season = { part: EMPTY_PART, episodes: new Map() }
      this.seasons.set(number, season)
    }
    return season
  }
}

/** Says why a season or episode number is invalid; undefined if both are valid. */
export function findNumberProblem(season: unknown, episode?: unknown): string | undefined {
  if (!isNumberUpTo(season, MAX_SEASONS)) {
    return `season ${toText(season)}: seasons are numbered from 1 to ${MAX_SEASONS}`
  }
  if (episode === undefined || isNumberUpTo(episode, MAX_EPISODES)) return undefined
  return `episode ${toText(episode)}: episodes are numbered from 1 to ${MAX_EPISODES}`
}

function isNumberUpTo(number: unknown, max: number): number is number {
  return Number.isInteger(number) && (number as number) >= 1 && (number as number) <= max
}

/** Converts numbered items into a list: number 1 comes first, and gaps are filled with `build(undefined)`. */
export function toNumberedList<T>(items: ReadonlyMap<number, T>, build: (item: T | undefined) => object): object[] {
  const last = Math.max(0, ...items.keys())
  return Array.from({ length: last }, (_, i) => build(items.get(i + 1)))
}
