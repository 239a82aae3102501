import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import type { OptionsByCountry } from '../records/streaming-options.ts'
import { toText, withRecordId } from '../records/values.ts'
import { ExternalSort, MAX_GROUP_LENGTH, type ScratchFolder } from './external-sort.ts'

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

/** An episode whose season number is not known yet. */
type PendingEpisode = Omit<SpooledPart, 'season'>

type PendingSeasonPart =
  | { readonly season: { readonly series: string; readonly number: number | undefined } }
  | { readonly episode: PendingEpisode; readonly series: string | undefined }

/**
 * Joins episodes that name only the id of their season with that season, which may come later: an external sort on disk
 * groups both by the id. The episodes then go into the spool of series.
 */
export class SeasonJoin {
  private readonly series: SeriesSpool
  private readonly sort: ExternalSort

  constructor(series: SeriesSpool, scratch: ScratchFolder) {
    this.series = series
    this.sort = new ExternalSort(scratch)
  }

  /** Adds the series and the number of a season. */
  addSeason(id: string, series: string, number: number | undefined): void {
    this.add(id, { season: { series, number } })
  }

  /** Adds an episode of a season. @param series its series, if it names that, too */
  addEpisode(season: string, episode: PendingEpisode, series: string | undefined): void {
    this.add(season, { episode, series })
  }

  /** Adds the episodes to the spool of series, after all parts were added. */
  *flush(): Generator<FeedLine> {
    for (const { key, texts } of this.sort.groups()) {
      const parts = texts.map((text) => JSON.parse(text) as PendingSeasonPart)
      const season = parts.find((part) => 'season' in part)?.season
      for (const part of parts) {
        if ('season' in part) continue
        const series = season?.series ?? part.series
        if (series !== undefined) yield* this.series.add(series, { ...part.episode, season: season?.number ?? 1 })
        else {
          const detail = `an episode is of the season ${key}, which the feed does not have`
          yield { line: part.episode.line, problem: 'unreadable_line', detail }
        }
      }
    }
  }

  private add(season: string, part: PendingSeasonPart): void {
    this.sort.add(season.replace(/[\t\n\r]/g, ' '), JSON.stringify(part))
  }
}

/** A part of a series: the series itself, a season or an episode. */
export interface SpooledPart {
  readonly line: number
  readonly season?: number | undefined
  readonly episode?: number | undefined
  /** Fields of the native record. A `link` is that of options that the importer rolls up from episodes. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly options: OptionsByCountry
  /** The title of the series, if the season or episode states it. */
  readonly series?: string
}

/**
 * Joins the parts of series, which a source may list in any order: an external sort on disk groups them by series, and
 * each group becomes one record at the end.
 */
export class SeriesSpool {
  private readonly sort: ExternalSort
  private readonly serviceId: string

  constructor(serviceId: string, scratch: ScratchFolder) {
    this.serviceId = serviceId
    this.sort = new ExternalSort(scratch)
  }

  /** Spools a part; a part with an invalid number becomes a note instead. */
  *add(series: string, part: SpooledPart): Generator<FeedLine> {
    const isSeries = !('season' in part)
    // An episode without a number must not pass as a season.
    const episode = 'episode' in part ? (part.episode ?? 'without a number') : undefined
    const problem = isSeries ? undefined : findNumberProblem(part.season, episode)
    if (problem === undefined) this.sort.add(toSortKey(series), JSON.stringify(part))
    else yield { line: part.line, note: 'left_out', detail: problem, record: series }
  }

  /** The records of all series, ordered by the id of the series. */
  *lines(): Generator<FeedLine> {
    for (const { key, texts, size } of this.sort.groups()) {
      const parts = texts.map((text) => JSON.parse(text) as SpooledPart)
      if (size <= MAX_GROUP_LENGTH) yield this.assemble(key, parts)
      else {
        const detail = `${key} has ${size} letters of seasons and episodes, at most ${MAX_GROUP_LENGTH} are read`
        yield { line: parts[0]?.line ?? 1, problem: 'line_too_long', detail }
      }
    }
  }

  private assemble(id: string, parts: readonly SpooledPart[]): FeedLine {
    const own = parts.find(({ season }) => season === undefined)
    const title = parts.find(({ series }) => series !== undefined)?.series
    const line = (own ?? parts[0])?.line ?? 1
    if (own === undefined && title === undefined) {
      return { line, problem: 'unreadable_line', detail: `the series ${id} is not in the feed, only parts of it` }
    }
    const series = new SeriesBuilder()
    for (const { season, episode, fields, options } of parts) {
      if (season !== undefined && episode !== undefined) series.addEpisode(season, episode, { fields, options })
      else if (season !== undefined) series.addSeason(season, { fields, options })
    }
    const fields = own?.fields ?? { kind: 'show', partial: true, showType: 'series', title }
    const show = { ...fields, streamingOptions: own?.options ?? {}, seasons: series.toSeasons() }
    return { line, text: JSON.stringify(withRecordId(show, this.serviceId, id)) }
  }
}

/** Replaces the characters that separate keys and entries in the files of the sort. */
function toSortKey(id: string): string {
  return id.replace(/[\t\n\r]/g, ' ')
}
