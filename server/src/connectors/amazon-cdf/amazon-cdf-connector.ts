import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import type { ShowType } from '../../model/show.ts'
import {
  buildServiceRecord,
  type Connector,
  type ConnectorContext,
  ConnectorError,
  type GivenOptions,
} from '../connector.ts'
import { preferredText } from '../records/locales.ts'
import type { OptionsByCountry } from '../records/streaming-options.ts'
import { slugify, withRecordId } from '../records/values.ts'
import { ScratchFolder } from '../streams/external-sort.ts'
import { SeasonJoin, SeriesSpool } from '../streams/series-builder.ts'
import { PagedFiles } from '../streams/source-files.ts'
import { childText, readXmlRecords, type XmlElement } from '../streams/xml-reader.ts'
import {
  fillLink,
  type LinkValues,
  type OfferContext,
  readEpisodeWork,
  readLocalTexts,
  readOffers,
  readSeasonWork,
  readShowWork,
} from './records.ts'

/** Amazon's catalog data format (CDF), which video services write for Fire TV. */
export const openAmazonCdf: Connector['open'] = async (path, options, context) => {
  const files = await PagedFiles.find(path, /\.xml(\.gz)?$/i, 'file whose name ends in .xml or .xml.gz')
  const feedContext = await resolveContext(files, options, context)
  return {
    lines: () => readCatalogFiles(files, feedContext),
    progress: () => files.progress(),
    dispose: async () => {},
  }
}

/** Elements that are works, and which kinds of shows those are that are no parts. */
const SHOW_TYPES: ReadonlyMap<string, ShowType> = new Map([
  ['Movie', 'movie'],
  ['TvSpecial', 'movie'],
  ['TvShow', 'series'],
  ['MiniSeries', 'series'],
])
const WORKS: ReadonlySet<string> = new Set([
  ...SHOW_TYPES.keys(),
  'TvSeason',
  'TvEpisode',
  'MiniSeriesEpisode',
  'Extra',
])

const ROOT = 'Catalog'

interface CdfContext extends OfferContext {
  readonly serviceId: string
}

/** Determines the service: from the options, else from the partner that the catalog names. */
async function resolveContext(
  files: PagedFiles,
  given: GivenOptions,
  { catalog }: ConnectorContext,
): Promise<CdfContext> {
  const partner = given.service === undefined ? await findPartner(files) : undefined
  const id = given.service === undefined ? slugify(partner ?? '') : String(given.service)
  if (id === undefined) throw new ConnectorError('nothing in it says which service it is of; give --service <id>')
  const linkTemplate = String(given.linkTemplate)
  const name = given.serviceName ?? partner
  const service = buildServiceRecord(catalog, id, {
    ...(name !== undefined && { name: String(name) }),
    homePage: new URL(linkTemplate.replace(/[{}]/g, '')).origin,
  })
  return { serviceId: id, service, linkTemplate }
}

async function findPartner(files: PagedFiles): Promise<string | undefined> {
  for (const path of files.paths) {
    for await (const part of readXmlRecords(files.peek(path), WORKS)) {
      if ('leaf' in part && part.leaf === 'Partner') return part.text
      if ('record' in part) break
    }
  }
  return undefined
}

/**
 * Converts catalog files into a native feed. Movies are emitted at once; series are spooled until the end, since their
 * seasons and episodes may be anywhere.
 */
async function* readCatalogFiles(files: PagedFiles, context: CdfContext): AsyncGenerator<FeedLine> {
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source: `amazon-cdf/${context.serviceId}`, mode: 'snapshot' }) }
  const scratch = new ScratchFolder()
  try {
    const reader = new WorkReader(context, scratch)
    files.rewind()
    for (const path of files.paths) {
      for await (const part of readXmlRecords(files.open(path), WORKS)) {
        if ('problem' in part) yield part.problem
        else if ('record' in part) yield* reader.read(part.record, part.line)
        else if ('tag' in part && part.parent === undefined && part.tag !== ROOT) {
          const detail = `the root element is <${part.tag}>; <${ROOT}> is needed`
          yield { line: part.line, problem: 'unreadable_line', detail }
          break
        } else if ('tag' in part && part.parent === 'Works') {
          yield { line: part.line, note: 'left_out', detail: `a work of the type ${part.tag}` }
        }
      }
    }
    yield* reader.flush()
  } finally {
    scratch.remove()
  }
}

/** Converts works: movies into records, the parts of series into the spool. */
class WorkReader {
  private readonly context: CdfContext
  private readonly series: SeriesSpool
  private readonly seasons: SeasonJoin

  constructor(context: CdfContext, scratch: ScratchFolder) {
    this.context = context
    this.series = new SeriesSpool(context.serviceId, scratch)
    this.seasons = new SeasonJoin(this.series, scratch)
  }

  *read(work: XmlElement, line: number): Generator<FeedLine> {
    const id = childText(work, 'ID')
    if (id === undefined) {
      yield { line, problem: 'unreadable_line', detail: `the ${work.name} has no ID` }
      return
    }
    if (work.name === 'Extra') {
      yield { line, note: 'left_out', detail: `an extra (${childText(work, 'Type') ?? 'of no type'})`, record: id }
      return
    }
    const values = readLinkValues(work, id)
    const { options, skipped } = readOffers(work, values, this.context)
    for (const detail of skipped) yield { line, note: 'left_out', detail, record: id }
    const link = fillLink(this.context.linkTemplate, { ...values, launchId: id })
    const showType = SHOW_TYPES.get(work.name)
    if (showType === 'movie') {
      const show = { ...readShowWork(work, 'movie'), streamingOptions: options }
      yield { line, text: JSON.stringify(withRecordId(show, this.context.serviceId, id)) }
    } else if (showType === 'series') {
      yield* this.series.add(id, { line, fields: { ...readShowWork(work, 'series'), link }, options })
    } else yield* this.readPart(work, id, { line, link, options })
  }

  /** Emits the series, after all works were read. */
  *flush(): Generator<FeedLine> {
    yield* this.seasons.flush()
    yield* this.series.lines()
  }

  /** Adds a season or an episode to its series, which it names by id or by title. */
  private *readPart(
    work: XmlElement,
    id: string,
    { line, link, options }: { line: number; link: string; options: OptionsByCountry },
  ): Generator<FeedLine> {
    const isMini = work.name === 'MiniSeriesEpisode'
    const title = preferredText(readLocalTexts(work, isMini ? 'MiniSeriesTitle' : 'ShowTitle', 'ShowTitles'))
    const series =
      childText(work, isMini ? 'MiniSeriesID' : 'ShowID') ?? (title === undefined ? undefined : `title ${title}`)
    const seasonId = childText(work, 'SeasonID')
    if (series === undefined && seasonId === undefined) {
      yield { line, problem: 'unreadable_line', detail: `the ${work.name} ${id} does not say which show it is of` }
      return
    }
    const named = title === undefined ? {} : { series: title }
    const number = toNumber(childText(work, 'SeasonInShow'))
    if (work.name === 'TvSeason') {
      this.seasons.addSeason(id, String(series), number)
      const fields = { ...readSeasonWork(work), link }
      yield* this.series.add(String(series), { line, season: number, fields, options, ...named })
      return
    }
    const episode = {
      line,
      episode: toNumber(childText(work, isMini ? 'EpisodeInSeries' : 'EpisodeInSeason')),
      fields: readEpisodeWork(work),
      options,
      ...named,
    }
    if (seasonId !== undefined && number === undefined) this.seasons.addEpisode(seasonId, episode, series)
    // Episodes of a series without seasons go to season 1.
    else yield* this.series.add(String(series), { ...episode, season: number ?? 1 })
  }
}

function readLinkValues(work: XmlElement, id: string): LinkValues {
  return {
    id,
    type: work.name.toLowerCase(),
    showId: childText(work, 'ShowID') ?? childText(work, 'MiniSeriesID'),
    season: childText(work, 'SeasonInShow'),
    episode: childText(work, 'EpisodeInSeason') ?? childText(work, 'EpisodeInSeries'),
  }
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
