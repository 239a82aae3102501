import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { ExternalSort, MAX_GROUP_LENGTH, type ScratchFolder } from '../streams/external-sort.ts'
import { withDerivedId } from './ids.ts'
import { SeriesBuilder } from './series-builder.ts'
import { type OptionsByCountry, rollUpOptions } from './streaming-options.ts'

/** A part of a series as it waits for the others: the series itself, a season or an episode. */
export interface SpooledPart {
  readonly line: number
  readonly season?: number | undefined
  readonly episode?: number | undefined
  /** HeaderBlock of the native record; a `link` is for options that follow from those of what it contains. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly options: OptionsByCountry
  /** What the series is called, where a season or an episode says so. */
  readonly series?: string
}

/**
 * Brings the parts of each series together, which stand anywhere in a source: they wait on disk, sorted by series, and
 * become one record each when everything has been read.
 */
export class SeriesSpool {
  private readonly sort: ExternalSort
  private readonly serviceId: string

  constructor(serviceId: string, scratch: ScratchFolder) {
    this.serviceId = serviceId
    this.sort = new ExternalSort(scratch)
  }

  /** Keeps a part of a series; one that has no place in it is told of instead. */
  *add(series: string, part: SpooledPart): Generator<FeedLine> {
    const isPart = 'season' in part
    // An episode without a number is no season.
    const episode = 'episode' in part ? (part.episode ?? 'without a number') : undefined
    const misplaced = isPart ? SeriesBuilder.findNumberProblem(part.season, episode) : undefined
    if (misplaced === undefined) this.sort.add(toSortKey(series), JSON.stringify(part))
    else yield { line: part.line, note: 'left_out', detail: misplaced, record: series }
  }

  /** The series, each with all that belongs to it. */
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
    const { link, ...fields } = own?.fields ?? { kind: 'show', partial: true, showType: 'series', title }
    const hasOwn = Object.keys(own?.options ?? {}).length > 0
    const streamingOptions = hasOwn
      ? own?.options
      : rollUpOptions(series.options(), typeof link === 'string' ? link : undefined)
    const show = { ...fields, streamingOptions, seasons: series.toSeasons() }
    return { line, text: JSON.stringify(withDerivedId(show, this.serviceId, id)) }
  }
}

/** An id as a key to sort by. */
function toSortKey(id: string): string {
  return id.replace(/[\t\n\r]/g, ' ')
}
