import { basename } from 'node:path'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import {
  buildServiceRecord,
  type Connector,
  ConnectorError,
  type GivenOptions,
  resolveCountries,
} from '../connector.ts'
import { parseCountry } from '../records/locales.ts'
import { addOption, emptyOptions, type OptionsByCountry } from '../records/streaming-options.ts'
import { withRecordId } from '../records/values.ts'
import { ExternalSort, MAX_GROUP_LENGTH, ScratchFolder } from '../streams/external-sort.ts'
import { SeasonJoin, SeriesSpool } from '../streams/series-builder.ts'
import { PagedFiles } from '../streams/source-files.ts'
import { readXmlRecords, type XmlElement } from '../streams/xml-reader.ts'
import { readEpisodeItem, readIdentity, readInfo, readItemOffers, readSeasonItem, readShowItem } from './records.ts'

/** Apple's catalog and availability feeds (UMC), which video services publish for the TV app. */
export const openAppleUmc: Connector['open'] = async (path, options, { catalog }) => {
  const files = await PagedFiles.find(path, /\.xml(\.gz)?$/i, 'file whose name ends in .xml or .xml.gz')
  const feeds = await findFeeds(files, options, resolveCountries(options, catalog))
  const serviceId = String(options.service)
  const name = options.serviceName === undefined ? {} : { name: String(options.serviceName) }
  const context = { serviceId, service: buildServiceRecord(catalog, serviceId, name) }
  return {
    lines: () => readFeeds(files, feeds, context),
    progress: () => files.progress(),
    dispose: async () => {},
  }
}

const CATALOG = 'umcCatalog'
const AVAILABILITY = 'umcAvailability'
const ITEMS: ReadonlySet<string> = new Set(['item'])

interface UmcContext {
  readonly serviceId: string
  /** The `service` of the options. */
  readonly service: object
}

/** A file of the source: the catalog, or the availability in some countries. */
interface UmcFeed {
  readonly path: string
  readonly root: string
  readonly countries: readonly string[]
}

/** Determines by their root elements what the files are. Both kinds are needed: one has the titles, the other the offers. */
async function findFeeds(
  files: PagedFiles,
  given: GivenOptions,
  countries: readonly string[],
): Promise<readonly UmcFeed[]> {
  const feeds: UmcFeed[] = []
  for (const path of files.paths) {
    const root = (await findRoot(files, path)) ?? ''
    const own = parseFileCountry(path)
    feeds.push({ path, root, countries: own === undefined ? countries : [own] })
  }
  const missing = [CATALOG, AVAILABILITY].filter((root) => !feeds.some((feed) => feed.root === root))
  if (missing.length > 0) {
    throw new ConnectorError(
      `no file has the root element <${missing.join('> or <')}>; a folder with the catalog feed and the availability feeds is needed`,
    )
  }
  const unplaced = feeds.find((feed) => feed.root === AVAILABILITY && feed.countries.length === 0)
  if (unplaced !== undefined && given.countries === undefined) {
    throw new ConnectorError(
      `${basename(unplaced.path)} does not say which country it is for; name it like availability-us.xml, or give --countries`,
    )
  }
  return feeds
}

async function findRoot(files: PagedFiles, path: string): Promise<string | undefined> {
  for await (const part of readXmlRecords(files.peek(path), ITEMS)) return 'tag' in part ? part.tag : undefined
  return undefined
}

/** The country at the end of a file name: `availability-us.xml`. */
function parseFileCountry(path: string): string | undefined {
  const code = /[^a-z]([a-z]{2})\.xml(\.gz)?$/i.exec(basename(path))?.[1]
  return code === undefined ? undefined : parseCountry(code)
}

/** What the catalog says of an item. */
interface CatalogPart {
  readonly line: number
  readonly contentType: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly show?: string | undefined
  readonly seasonId?: string | undefined
  readonly season?: number | undefined
  readonly episode?: number | undefined
}

/** A part of an item: from the catalog, or from an availability feed. */
type ItemPart = CatalogPart | { readonly line: number; readonly link?: string; readonly options: OptionsByCountry }

/** Converts the feeds into a native one. Items of the feeds are joined by their ids by sorting on disk. */
async function* readFeeds(files: PagedFiles, feeds: readonly UmcFeed[], context: UmcContext): AsyncGenerator<FeedLine> {
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source: `apple-umc/${context.serviceId}`, mode: 'snapshot' }) }
  const scratch = new ScratchFolder()
  try {
    const items = new ExternalSort(scratch)
    files.rewind()
    for (const feed of feeds) yield* readFeed(files, feed, context, items)
    yield* joinItems(items, context.serviceId, scratch)
  } finally {
    scratch.remove()
  }
}

async function* readFeed(
  files: PagedFiles,
  { path, root, countries }: UmcFeed,
  { service }: UmcContext,
  items: ExternalSort,
): AsyncGenerator<FeedLine> {
  let defaultLocale: string | undefined
  if (root !== CATALOG && root !== AVAILABILITY) {
    const detail = `${basename(path)}: the root element is <${root}>; <${CATALOG}> or <${AVAILABILITY}> is needed`
    yield { line: 1, problem: 'unreadable_line', detail }
    return
  }
  for await (const part of readXmlRecords(files.open(path), ITEMS)) {
    if ('problem' in part) yield part.problem
    else if ('leaf' in part && part.leaf === 'defaultLocale') defaultLocale = part.text
    if (!('record' in part)) continue
    const { record: item, line } = part
    const identity = readIdentity(item)
    if (identity === undefined) {
      yield { line, problem: 'unreadable_line', detail: 'the item has no contentType or no contentId' }
      continue
    }
    const { contentType, contentId } = identity
    if (root === CATALOG) {
      const read = readCatalogItem(item, contentType, defaultLocale)
      if (read === undefined)
        yield { line, note: 'left_out', detail: `the item is of the type ${contentType}`, record: contentId }
      else items.add(toSortKey(contentId), JSON.stringify({ line, contentType, ...read }))
    } else {
      const { skipped, ...read } = readItemOffers(item, { service, countries })
      for (const detail of skipped) yield { line, note: 'left_out', detail, record: contentId }
      items.add(toSortKey(contentId), JSON.stringify({ line, ...read }))
    }
  }
}

/** What the catalog says of an item; undefined for types that are neither movies nor series nor parts of series. */
function readCatalogItem(
  item: XmlElement,
  contentType: string,
  defaultLocale: string | undefined,
): Omit<CatalogPart, 'line' | 'contentType'> | undefined {
  const show = readInfo(item, 'showContentId')
  const season = toNumber(readInfo(item, 'seasonNumber'))
  switch (contentType) {
    case 'movie':
      return { fields: readShowItem(item, 'movie', defaultLocale) }
    case 'tv_show':
      return { fields: readShowItem(item, 'series', defaultLocale) }
    case 'tv_season':
      return { fields: readSeasonItem(item, defaultLocale), show, season }
    case 'tv_episode': {
      const episode = toNumber(readInfo(item, 'episodeNumber'))
      const seasonId = readInfo(item, 'seasonContentId')
      return { fields: readEpisodeItem(item, defaultLocale), show, seasonId, season, episode }
    }
  }
  return undefined
}

/** Emits movies, and collects the parts of series until the end. */
function* joinItems(items: ExternalSort, serviceId: string, scratch: ScratchFolder): Generator<FeedLine> {
  const series = new SeriesSpool(serviceId, scratch)
  const seasons = new SeasonJoin(series, scratch)
  let unlisted = 0
  for (const { key: id, texts, size } of items.groups()) {
    const parts = texts.map((text) => JSON.parse(text) as ItemPart)
    const own = parts.find((part): part is CatalogPart => 'fields' in part)
    const line = (own ?? parts[0])?.line ?? 1
    if (size > MAX_GROUP_LENGTH) {
      const detail = `${id} has ${size} letters, at most ${MAX_GROUP_LENGTH} are read`
      yield { line, problem: 'line_too_long', detail }
    } else if (own === undefined) unlisted++
    else yield* addItem(id, withLink(own, parts), mergeOptions(parts), { serviceId, series, seasons })
  }
  yield* seasons.flush()
  yield* series.lines()
  if (unlisted > 0) {
    const detail = `items of the availability feeds that the catalog feed does not have: ${unlisted}`
    yield { line: 1, note: 'left_out', detail }
  }
}

function* addItem(
  id: string,
  { line, contentType, fields, show, seasonId, season, episode }: CatalogPart,
  options: OptionsByCountry,
  { serviceId, series, seasons }: { serviceId: string; series: SeriesSpool; seasons: SeasonJoin },
): Generator<FeedLine> {
  if (contentType === 'movie') {
    yield { line, text: JSON.stringify(withRecordId({ ...fields, streamingOptions: options }, serviceId, id)) }
  } else if (contentType === 'tv_show') yield* series.add(id, { line, fields, options })
  else if (show === undefined && (contentType === 'tv_season' || seasonId === undefined)) {
    const detail = `the ${contentType} ${id} does not say which show it is of`
    yield { line, problem: 'unreadable_line', detail }
  } else if (contentType === 'tv_season') {
    seasons.addSeason(id, String(show), season)
    yield* series.add(String(show), { line, season, fields, options })
  } else if (season === undefined && seasonId !== undefined) {
    seasons.addEpisode(seasonId, { line, episode, fields, options }, show)
  } else if (show !== undefined) {
    // A series without seasons has its episodes in season 1.
    yield* series.add(show, { line, season: season ?? 1, episode, fields, options })
  }
}

/** Gives a series or season its page, to which options lead that the importer rolls up from episodes. */
function withLink(own: CatalogPart, parts: readonly ItemPart[]): CatalogPart {
  if (own.contentType !== 'tv_show' && own.contentType !== 'tv_season') return own
  const link = parts.flatMap((part) => ('options' in part ? (part.link ?? []) : []))[0]
  return link === undefined ? own : { ...own, fields: { ...own.fields, link } }
}

function mergeOptions(parts: readonly ItemPart[]): OptionsByCountry {
  const merged = emptyOptions()
  for (const part of parts) {
    if (!('options' in part)) continue
    for (const [country, list] of Object.entries(part.options)) {
      for (const option of list) addOption(merged, [country], option)
    }
  }
  return merged
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

/** Replaces the characters that separate keys and entries in the files of the sort. */
function toSortKey(id: string): string {
  return id.replace(/[\t\n\r]/g, ' ')
}
