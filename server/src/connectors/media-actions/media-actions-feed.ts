import type { FeedLine } from '../../ingest/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/fields.ts'
import { derivedId } from '../derived-id.ts'
import { ExternalSort, type Group, LARGEST_GROUP } from '../external-sort.ts'
import { readJsonList } from '../json-list.ts'
import type { Options } from '../options.ts'
import type { PagedFiles } from '../paged-files.ts'
import { rollUp } from '../roll-up.ts'
import { ScratchFolder } from '../scratch-folder.ts'
import { SeriesParts } from '../series-parts.ts'
import { idOf, isA, listOf, namesOf, numberOf, objectsOf } from './json-ld.ts'
import { type ActionReading, readActions } from './read-actions.ts'
import { readEpisodeElement, readSeasonElement, readShowElement } from './read-element.ts'

/** The member of a feed that holds all that it is about. */
export const ELEMENTS = 'dataFeedElement'

/** What is known of a feed before it is read. */
export interface MediaActions extends ActionReading {
  readonly serviceId: string
}

/** A part of a series as it waits for the others: the series itself, a season or an episode. */
interface WaitingPart {
  readonly line: number
  readonly season?: number | undefined
  readonly episode?: number | undefined
  readonly fields: Readonly<Record<string, unknown>>
  readonly options: Options
  /** What the series is called, where a season or an episode says so. */
  readonly series?: string
}

/**
 * A Media Actions feed as a native one. Movies follow as they come; the series with their seasons and episodes, which
 * stand anywhere in the feed, are sorted together on disk and follow in the end.
 */
export async function* mediaActionsFeed(files: PagedFiles, actions: MediaActions): AsyncGenerator<FeedLine> {
  const { serviceId } = actions
  const source = `media-actions/${serviceId}`
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
    yield* reading.series()
  } finally {
    scratch.remove()
  }
}

class Reading {
  private readonly actions: MediaActions
  private readonly bySeries: ExternalSort
  /** Seasons, and episodes that say no more than which season they are of. */
  private readonly bySeason: ExternalSort

  constructor(actions: MediaActions, scratch: ScratchFolder) {
    this.actions = actions
    this.bySeries = new ExternalSort(scratch)
    this.bySeason = new ExternalSort(scratch)
  }

  *take(element: unknown, line: number): Generator<FeedLine> {
    if (!isObject(element)) {
      yield { line, problem: 'unreadable_line', detail: 'the element is no object' }
      return
    }
    const id = idOf(element)
    const { options, leftOut } = readActions(element, this.actions)
    for (const detail of leftOut) yield { line, note: 'left_out', detail, ...(id !== undefined && { record: id }) }
    if (isA(element, 'Movie')) {
      const show = { ...readShowElement(element, 'movie'), streamingOptions: options }
      yield { line, text: JSON.stringify(this.identified(show, id)) }
    } else if (isA(element, 'TVSeries')) {
      const fields = { ...readShowElement(element, 'series'), link: element.url }
      if (id === undefined) yield* this.assembled([{ line, fields, options }], undefined)
      else this.bySeries.add(id, JSON.stringify({ line, fields, options } satisfies WaitingPart))
    } else if (isA(element, 'TVSeason')) yield* this.takeSeason(element, id, options, line)
    else if (isA(element, 'TVEpisode')) yield* this.takeEpisode(element, options, line)
    else {
      const types = listOf(element['@type']).join(', ')
      yield { line, note: 'left_out', detail: `the element is of type ${types || 'none'}` }
    }
  }

  /** The series, after everything else. */
  *series(): Generator<FeedLine> {
    for (const group of this.bySeason.groups()) yield* this.placeEpisodes(group)
    for (const group of this.bySeries.groups()) {
      const parts = group.texts.map((text) => JSON.parse(text) as WaitingPart)
      if (group.size <= LARGEST_GROUP) yield* this.assembled(parts, group.key)
      else {
        const detail = `${group.key} has ${group.size} letters of seasons and episodes, at most ${LARGEST_GROUP} are read`
        yield { line: parts[0]?.line ?? 1, problem: 'line_too_long', detail }
      }
    }
  }

  private *takeSeason(
    element: JsonObject,
    id: string | undefined,
    options: Options,
    line: number,
  ): Generator<FeedLine> {
    const series = idOf(element.partOfSeries)
    const season = numberOf(element.seasonNumber)
    if (series === undefined) {
      yield { line, problem: 'unreadable_line', detail: `the season ${id ?? ''} does not say which series it is of` }
      return
    }
    if (id !== undefined) this.bySeason.add(id, JSON.stringify({ season: { series, number: season } }))
    yield* this.wait(series, { line, season, fields: readSeasonElement(element), options, ...titleOf(element) })
  }

  private *takeEpisode(element: JsonObject, options: Options, line: number): Generator<FeedLine> {
    const [season] = objectsOf(element.partOfSeason)
    const seasonId = idOf(element.partOfSeason)
    const series = idOf(element.partOfSeries) ?? idOf(season?.partOfSeries)
    const number = numberOf(season?.seasonNumber)
    const part = { line, episode: numberOf(element.episodeNumber), fields: readEpisodeElement(element), options }
    if (series !== undefined && (number !== undefined || seasonId === undefined)) {
      // A series without seasons has one, as far as its episodes are concerned.
      yield* this.wait(series, { ...part, season: number ?? 1, ...titleOf(element) })
    } else if (seasonId !== undefined) this.bySeason.add(seasonId, JSON.stringify({ ...part, series }))
    else {
      const detail = `the episode ${idOf(element) ?? ''} does not say which series it is of`
      yield { line, problem: 'unreadable_line', detail }
    }
  }

  /** Keeps a season or an episode until all of its series has been read. */
  private *wait(series: string, part: WaitingPart): Generator<FeedLine> {
    // An episode without a number is not a season.
    const episode = 'episode' in part ? (part.episode ?? 'without a number') : undefined
    const misplaced = SeriesParts.misplaced(part.season, episode)
    if (misplaced === undefined) this.bySeries.add(series, JSON.stringify(part))
    else yield { line: part.line, note: 'left_out', detail: misplaced, record: series }
  }

  /** Puts episodes that name only their season where it is. */
  private *placeEpisodes({ key, texts }: Group): Generator<FeedLine> {
    const parts = texts.map((text) => JSON.parse(text))
    const season = parts.find((part) => part.season !== undefined)?.season
    for (const { series, ...part } of parts) {
      if (part.season !== undefined) continue
      const of = season?.series ?? series
      if (of === undefined) {
        const detail = `an episode is of the season ${key}, which the feed does not have`
        yield { line: part.line, problem: 'unreadable_line', detail }
      } else yield* this.wait(of, { ...part, season: season?.number ?? 1 })
    }
  }

  /** A series with all that belongs to it. */
  private *assembled(parts: readonly WaitingPart[], id: string | undefined): Generator<FeedLine> {
    const own = parts.find(({ season }) => season === undefined)
    const title = parts.find(({ series }) => series !== undefined)?.series
    const line = (own ?? parts[0])?.line ?? 1
    if (own === undefined && title === undefined) {
      yield { line, problem: 'unreadable_line', detail: `the series ${id} is not in the feed, only parts of it` }
      return
    }
    const series = new SeriesParts()
    for (const { season, episode, fields, options } of parts) {
      if (season !== undefined && episode !== undefined) series.addEpisode(season, episode, { fields, options })
      else if (season !== undefined) series.addSeason(season, { fields, options })
    }
    const { link, ...fields } = own?.fields ?? { kind: 'show', partial: true, showType: 'series', title }
    const hasOwn = Object.keys(own?.options ?? {}).length > 0
    const rolled = hasOwn ? own?.options : rollUp(series.options(), typeof link === 'string' ? link : undefined)
    const show = { ...fields, streamingOptions: rolled, seasons: series.list() }
    yield { line, text: JSON.stringify(this.identified(show, id)) }
  }

  /** What has no id that others know it by is known by the one that the service gives it. */
  private identified(show: Readonly<Record<string, unknown>>, id: string | undefined): object {
    if (show.imdbId !== undefined || show.tmdbId !== undefined || id === undefined) return show
    return { ...show, id: derivedId(this.actions.serviceId, id) }
  }
}

function titleOf({ partOfSeries }: JsonObject): { series?: string } {
  const [series] = namesOf(objectsOf(partOfSeries))
  return series === undefined ? {} : { series }
}
