import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { withRecordId } from '../records/ids.ts'
import type { OptionsByCountry } from '../records/streaming-options.ts'
import { ExternalSort, MAX_GROUP_LENGTH, type ScratchFolder } from '../streams/external-sort.ts'
import { findNumberProblem, SeriesBuilder } from './series-builder.ts'

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
