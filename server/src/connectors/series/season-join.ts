import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { ExternalSort, type ScratchFolder } from '../streams/external-sort.ts'
import type { SeriesSpool, SpooledPart } from './series-spool.ts'

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
