import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import {
  buildServiceRecord,
  type Connector,
  type ConnectorContext,
  ConnectorError,
  findServiceName,
  type GivenOptions,
  resolveCountries,
} from '../connector.ts'
import type { OptionsByCountry } from '../records/streaming-options.ts'
import { slugify, withRecordId } from '../records/values.ts'
import { ScratchFolder } from '../streams/external-sort.ts'
import { SeasonJoin, SeriesSpool } from '../streams/series-builder.ts'
import { PagedFiles } from '../streams/source-files.ts'
import { hasType, isWebLink, readEntities, readId, readNames, toArray, toNumber, toObjects } from './json-ld.ts'
import { type ActionContext, readActions, readEpisodeElement, readSeasonElement, readShowElement } from './records.ts'

/** Media Actions feeds: the JSON-LD that streaming services publish for search engines. */
export const openMediaActions: Connector['open'] = async (path, options, context) => {
  const files = await PagedFiles.find(
    path,
    /\.json(ld)?(\.gz)?$/i,
    'file whose name ends in .json or .jsonld, plain or .gz',
  )
  const feedContext = await resolveFeedContext(files, options, context)
  return {
    lines: () => readMediaActionsFeed(files, feedContext),
    progress: () => files.progress(),
    dispose: async () => {},
  }
}

/** Determines the service of a feed, which the format does not state: from the options, else from the first URL. */
async function resolveFeedContext(
  files: PagedFiles,
  given: GivenOptions,
  { catalog }: ConnectorContext,
): Promise<MediaActionsContext> {
  const host = await findFirstHost(files)
  const id = given.service === undefined ? toServiceId(host) : String(given.service)
  if (id === undefined) throw new ConnectorError('nothing in it says which service it is of; give --service <id>')
  const name = given.serviceName === undefined ? {} : { name: String(given.serviceName) }
  const service = buildServiceRecord(catalog, id, {
    ...name,
    ...(host !== undefined && { homePage: `https://${host}` }),
  })
  const serviceName = findServiceName(catalog, id) ?? name.name ?? id
  return { serviceId: id, service, serviceName, defaultCountries: resolveCountries(given, catalog) }
}

/** The host of the first URL in the elements of a feed. */
async function findFirstHost(files: PagedFiles): Promise<string | undefined> {
  for (const path of files.paths) {
    for await (const part of readEntities(files.peek(path))) {
      if (!('entity' in part) || !isObject(part.entity)) continue
      const element = part.entity
      for (const url of [...toArray(element.url), readId(element)]) {
        if (typeof url === 'string' && URL.canParse(url)) return new URL(url).host
      }
    }
  }
  return undefined
}

/** Derives a service id from a host: `acme` from `www.acme.co.uk`. */
function toServiceId(host: string | undefined): string | undefined {
  const labels = host?.split('.').slice(0, -1) ?? []
  const name = labels.findLast((label, i) => i === 0 || !/^(com?|net|org|gov|edu|ac)$/.test(label))
  return name === undefined ? undefined : slugify(name)
}

/** What is known of a feed before it is read. */
interface MediaActionsContext extends ActionContext {
  readonly serviceId: string
}

/**
 * Converts a Media Actions feed into a native one. Movies are emitted at once; series are spooled until the end, since
 * their seasons and episodes may be anywhere in the feed.
 */
async function* readMediaActionsFeed(files: PagedFiles, context: MediaActionsContext): AsyncGenerator<FeedLine> {
  const source = `media-actions/${context.serviceId}`
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source, mode: 'snapshot' }) }
  const scratch = new ScratchFolder()
  try {
    const reader = new ElementReader(context, scratch)
    files.rewind()
    for (const path of files.paths) {
      for await (const part of readEntities(files.open(path))) {
        if ('problem' in part) yield part.problem
        else yield* reader.read(part.entity, part.line)
      }
    }
    yield* reader.flush()
  } finally {
    scratch.remove()
  }
}

/** Converts elements: movies into records, the parts of series into the spool. */
class ElementReader {
  private readonly context: MediaActionsContext
  private readonly series: SeriesSpool
  /** Seasons, and episodes that name only their season. */
  private readonly seasons: SeasonJoin

  constructor(context: MediaActionsContext, scratch: ScratchFolder) {
    this.context = context
    this.series = new SeriesSpool(context.serviceId, scratch)
    this.seasons = new SeasonJoin(this.series, scratch)
  }

  *read(element: unknown, line: number): Generator<FeedLine> {
    const id = isObject(element) ? readId(element) : undefined
    if (!isObject(element) || id === undefined) {
      yield { line, problem: 'unreadable_line', detail: 'the element has no @id' }
      return
    }
    const { options, skipped } = readActions(element, this.context)
    for (const { note, detail } of skipped) yield { line, note, detail, record: id }
    if (typeof element.url === 'string' && element.url.startsWith('//')) {
      const detail = `the url ${JSON.stringify(element.url.slice(0, 120))} has no protocol; https:// is needed`
      yield { line, note: 'ignored_field', detail, record: id }
    }
    if (hasType(element, 'Movie')) {
      const show = { ...readShowElement(element, 'movie'), streamingOptions: options }
      yield { line, text: JSON.stringify(withRecordId(show, this.context.serviceId, id)) }
    } else if (hasType(element, 'TVSeries')) {
      const link = isWebLink(element.url) ? element.url : undefined
      const fields = { ...readShowElement(element, 'series'), link }
      yield* this.series.add(id, { line, fields, options })
    } else if (hasType(element, 'TVSeason')) yield* this.readSeason(element, id, options, line)
    else if (hasType(element, 'TVEpisode')) yield* this.readEpisode(element, id, options, line)
    else {
      const types = toArray(element['@type']).join(', ')
      yield { line, note: 'left_out', detail: `the element is of type ${types || 'none'}`, record: id }
    }
  }

  /** Emits the series, after all elements were read. */
  *flush(): Generator<FeedLine> {
    yield* this.seasons.flush()
    yield* this.series.lines()
  }

  private *readSeason(element: JsonObject, id: string, options: OptionsByCountry, line: number): Generator<FeedLine> {
    const series = readId(element.partOfSeries)
    if (series === undefined) {
      yield { line, problem: 'unreadable_line', detail: `the season ${id} does not say which series it is of` }
      return
    }
    const season = toNumber(element.seasonNumber)
    this.seasons.addSeason(id, series, season)
    yield* this.series.add(series, {
      line,
      season,
      fields: readSeasonElement(element),
      options,
      ...readSeriesTitle(element),
    })
  }

  private *readEpisode(element: JsonObject, id: string, options: OptionsByCountry, line: number): Generator<FeedLine> {
    const [season] = toObjects(element.partOfSeason)
    const seasonId = readId(element.partOfSeason)
    const series = readId(element.partOfSeries) ?? readId(season?.partOfSeries)
    const number = toNumber(season?.seasonNumber)
    const fields = readEpisodeElement(element)
    const episode = { line, episode: toNumber(element.episodeNumber), fields, options, ...readSeriesTitle(element) }
    if (series !== undefined && (number !== undefined || seasonId === undefined)) {
      // Episodes of a series without seasons go to season 1.
      yield* this.series.add(series, { ...episode, season: number ?? 1 })
    } else if (seasonId !== undefined) this.seasons.addEpisode(seasonId, episode, series)
    else yield { line, problem: 'unreadable_line', detail: `the episode ${id} does not say which series it is of` }
  }
}

/** The title of the series that a season or episode embeds. */
function readSeriesTitle({ partOfSeries }: JsonObject): { series?: string } {
  const [series] = readNames(toObjects(partOfSeries))
  return series === undefined ? {} : { series }
}
