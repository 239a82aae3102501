import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { withDerivedId } from '../derived-id.ts'
import { ExternalSort, type Group } from '../external-sort.ts'
import { readJsonList } from '../json-list.ts'
import type { Options } from '../options.ts'
import type { PagedFiles } from '../paged-files.ts'
import { ScratchFolder } from '../scratch-folder.ts'
import { type SeriesPart, SeriesSpool } from '../series-spool.ts'
import { idOf, isA, listOf, namesOf, numberOf, objectsOf } from './json-ld.ts'
import { type ActionReading, readActions } from './read-actions.ts'
import { readEpisodeElement, readSeasonElement, readShowElement } from './read-element.ts'

/** The member of a feed that holds all that it is about. */
export const ELEMENTS = 'dataFeedElement'

/** What is known of a feed before it is read. */
export interface MediaActions extends ActionReading {
  readonly serviceId: string
}

/**
 * A Media Actions feed as a native one. Movies follow as they come; series, whose seasons and episodes stand anywhere
 * in the feed, follow in the end.
 */
export async function* mediaActionsFeed(files: PagedFiles, actions: MediaActions): AsyncGenerator<FeedLine> {
  const source = `media-actions/${actions.serviceId}`
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source, mode: 'snapshot' }) }
  const scratch = new ScratchFolder()
  try {
    const reading = new Reading(actions, scratch)
    files.rewind()
    for (const path of files.paths) {
      for await (const part of readJsonList(files.open(path), ELEMENTS)) {
        if ('problem' in part) yield part.problem
        else if ('element' in part) yield* reading.take(part.element, part.line)
      }
    }
    yield* reading.rest()
  } finally {
    scratch.remove()
  }
}

/** An episode, or a season, as it waits to be brought together with the other by the season's id. */
type OfSeason =
  | { readonly season: { readonly series: string; readonly number: number | undefined } }
  | { readonly episode: Omit<SeriesPart, 'season'>; readonly series: string | undefined }

class Reading {
  private readonly actions: MediaActions
  private readonly series: SeriesSpool
  /** Seasons, and episodes that say no more than which season they are of. */
  private readonly bySeason: ExternalSort

  constructor(actions: MediaActions, scratch: ScratchFolder) {
    this.actions = actions
    this.series = new SeriesSpool(actions.serviceId, scratch)
    this.bySeason = new ExternalSort(scratch)
  }

  *take(element: unknown, line: number): Generator<FeedLine> {
    const id = isObject(element) ? idOf(element) : undefined
    if (!isObject(element) || id === undefined) {
      yield { line, problem: 'unreadable_line', detail: 'the element has no @id' }
      return
    }
    const { options, leftOut } = readActions(element, this.actions)
    for (const detail of leftOut) yield { line, note: 'left_out', detail, record: id }
    if (isA(element, 'Movie')) {
      const show = { ...readShowElement(element, 'movie'), streamingOptions: options }
      yield { line, text: JSON.stringify(withDerivedId(show, this.actions.serviceId, id)) }
    } else if (isA(element, 'TVSeries')) {
      const fields = { ...readShowElement(element, 'series'), link: element.url }
      yield* this.series.add(id, { line, fields, options })
    } else if (isA(element, 'TVSeason')) yield* this.takeSeason(element, id, options, line)
    else if (isA(element, 'TVEpisode')) yield* this.takeEpisode(element, id, options, line)
    else {
      const types = listOf(element['@type']).join(', ')
      yield { line, note: 'left_out', detail: `the element is of type ${types || 'none'}`, record: id }
    }
  }

  /** What had to wait until everything was read. */
  *rest(): Generator<FeedLine> {
    for (const group of this.bySeason.groups()) yield* this.placeEpisodes(group)
    yield* this.series.lines()
  }

  private *takeSeason(element: JsonObject, id: string, options: Options, line: number): Generator<FeedLine> {
    const series = idOf(element.partOfSeries)
    if (series === undefined) {
      yield { line, problem: 'unreadable_line', detail: `the season ${id} does not say which series it is of` }
      return
    }
    const season = numberOf(element.seasonNumber)
    this.wait(id, { season: { series, number: season } })
    yield* this.series.add(series, { line, season, fields: readSeasonElement(element), options, ...titleOf(element) })
  }

  private *takeEpisode(element: JsonObject, id: string, options: Options, line: number): Generator<FeedLine> {
    const [season] = objectsOf(element.partOfSeason)
    const seasonId = idOf(element.partOfSeason)
    const series = idOf(element.partOfSeries) ?? idOf(season?.partOfSeries)
    const number = numberOf(season?.seasonNumber)
    const fields = readEpisodeElement(element)
    const episode = { line, episode: numberOf(element.episodeNumber), fields, options, ...titleOf(element) }
    if (series !== undefined && (number !== undefined || seasonId === undefined)) {
      // A series without seasons has one, as far as its episodes are concerned.
      yield* this.series.add(series, { ...episode, season: number ?? 1 })
    } else if (seasonId !== undefined) this.wait(seasonId, { episode, series })
    else yield { line, problem: 'unreadable_line', detail: `the episode ${id} does not say which series it is of` }
  }

  private wait(season: string, part: OfSeason): void {
    this.bySeason.add(season, JSON.stringify(part))
  }

  /** Puts episodes that name only their season where it is. */
  private *placeEpisodes({ key, texts }: Group): Generator<FeedLine> {
    const parts = texts.map((text) => JSON.parse(text) as OfSeason)
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

function titleOf({ partOfSeries }: JsonObject): { series?: string } {
  const [series] = namesOf(objectsOf(partOfSeries))
  return series === undefined ? {} : { series }
}
