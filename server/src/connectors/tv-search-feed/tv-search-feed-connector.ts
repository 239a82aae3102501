import { type ReadStream, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { buildServiceRecord, type Connector, resolveCountries, type WebOrigin } from '../connector.ts'
import { parseCountry } from '../records/locales.ts'
import type { OptionsByCountry } from '../records/streaming-options.ts'
import { toText, toTexts, withRecordId } from '../records/values.ts'
import { ScratchFolder } from '../streams/external-sort.ts'
import { readJsonList } from '../streams/json-list-reader.ts'
import { SeriesSpool } from '../streams/series-builder.ts'
import { PagedFiles } from '../streams/source-files.ts'
import {
  fillLinkTemplate,
  type LinkValues,
  readEpisodeAsset,
  readPlayOptions,
  readSeasonAsset,
  readShowAsset,
} from './records.ts'

/** Search feeds for TV devices, which channel publishers write so that the device finds their titles. */
export const openTvSearchFeed: Connector['open'] = async (path, options, { catalog, web }) => {
  const files = await PagedFiles.find(path, /\.json(\.gz)?$/i, 'file whose name ends in .json or .json.gz')
  const pages = new FeedPages(files, web)
  const { service: id, linkTemplate, serviceName } = options as Readonly<Record<string, string | undefined>>
  const context: TvSearchContext = {
    serviceId: String(id),
    service: buildServiceRecord(catalog, String(id), {
      ...(serviceName !== undefined && { name: serviceName }),
      homePage: new URL(String(linkTemplate).replace(/[{}]/g, '')).origin,
    }),
    linkTemplate: String(linkTemplate),
    defaultCountries: resolveCountries(options, catalog),
  }
  return {
    lines: () => readTvSearchFeed(pages, context),
    progress: () => files.progress(),
    dispose: async () => {},
  }
}

/** The member of a page that lists its assets. */
const ASSETS = 'assets'

/** What the operator states, since the format does not. */
interface TvSearchContext {
  readonly serviceId: string
  /** The `service` of the options. */
  readonly service: object
  readonly linkTemplate: string
  /** The countries of assets if the feed names none. */
  readonly defaultCountries: readonly string[]
}

/** Defaults of the assets of a page. */
interface PageDefaults {
  readonly language: string | undefined
  readonly countries: readonly string[]
}

/** Show types by asset type. */
const SHOW_TYPES: ReadonlyMap<string, 'movie' | 'series'> = new Map([
  ['movie', 'movie'],
  ['tvspecial', 'movie'],
  ['shortform', 'movie'],
  ['series', 'series'],
])

/**
 * Converts a search feed into a native one. Movies are emitted at once; series are spooled until the end, since their
 * seasons and episodes may be anywhere in the feed.
 */
async function* readTvSearchFeed(pages: FeedPages, context: TvSearchContext): AsyncGenerator<FeedLine> {
  const source = `tv-search-feed/${context.serviceId}`
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source, mode: 'snapshot' }) }
  const scratch = new ScratchFolder()
  try {
    const series = new SeriesSpool(context.serviceId, scratch)
    let defaults: PageDefaults = { language: undefined, countries: context.defaultCountries }
    pages.rewind()
    for (let page = pages.next(); page !== undefined; page = pages.next()) {
      defaults = await readPageDefaults(pages.peek(page), defaults)
      const reader = new AssetReader(context, series, defaults)
      for await (const part of readJsonList(pages.open(page), ASSETS)) {
        if ('problem' in part) yield part.problem
        else if ('element' in part) yield* reader.read(part.element, part.line)
        else if (part.member === 'nextPageUrl' && typeof part.value === 'string' && part.value !== '') {
          if (await pages.follow(part.value, page)) continue
          // Its assets are missing from this pass, so the import must not remove them.
          const detail = `the next page, ${part.value.slice(0, 200)}, is not there`
          yield { line: part.line, problem: 'truncated_feed', detail }
        }
      }
    }
    yield* series.lines()
  } finally {
    scratch.remove()
  }
}

/** Reads the defaults of a page ahead of its assets, since they may follow them; missing ones carry over. */
async function readPageDefaults(stream: Readable, previous: PageDefaults): Promise<PageDefaults> {
  let { language, countries } = previous
  const missing = new Set(['defaultLanguage', 'defaultAvailabilityCountries'])
  for await (const part of readJsonList(stream, ASSETS)) {
    if (!('member' in part)) continue
    const { member, value } = part
    if (member === 'defaultLanguage' && typeof value === 'string') language = value
    if (member === 'defaultAvailabilityCountries' && toTexts(value).length > 0) {
      countries = toTexts(value).map((code) => parseCountry(code) ?? code)
    }
    missing.delete(member)
    if (missing.size === 0) break
  }
  return { language, countries }
}

/** Converts the assets of a page: movies into records, the parts of series into the spool. */
class AssetReader {
  private readonly context: TvSearchContext
  private readonly series: SeriesSpool
  private readonly defaults: PageDefaults

  constructor(context: TvSearchContext, series: SeriesSpool, defaults: PageDefaults) {
    this.context = context
    this.series = series
    this.defaults = defaults
  }

  *read(asset: unknown, line: number): Generator<FeedLine> {
    const type = isObject(asset) ? toText(asset.type).toLowerCase() : ''
    const info = isObject(asset) ? readLinkValues(asset, type) : {}
    // Seasons need no id: their series and number say which they are.
    const id = isObject(asset) ? (toId(asset.id) ?? (type === 'season' ? info.seriesId : undefined)) : undefined
    if (!isObject(asset) || id === undefined) {
      const needed = type === 'season' ? 'the season has neither an id nor a series' : 'the asset has no id'
      yield { line, problem: 'unreadable_line', detail: needed }
      return
    }
    const showType = SHOW_TYPES.get(type)
    if (showType === undefined && type !== 'season' && type !== 'episode') {
      yield { line, note: 'left_out', detail: `the asset is of type ${String(asset.type)}`, record: String(id) }
      return
    }
    const values: LinkValues = { id, type, ...info }
    const { options, skipped } = readPlayOptions(asset, values, { ...this.context, ...this.defaults })
    for (const detail of skipped) yield { line, note: 'left_out', detail, record: String(id) }
    const link = fillLinkTemplate(this.context.linkTemplate, { ...values, playId: id })
    if (showType === 'movie') {
      const show = { ...readShowAsset(asset, 'movie', this.defaults.language), streamingOptions: options }
      yield { line, text: JSON.stringify(withRecordId(show, this.context.serviceId, String(id))) }
    } else if (showType === 'series') {
      const fields = { ...readShowAsset(asset, 'series', this.defaults.language), link }
      yield* this.series.add(String(id), { line, fields, options })
    } else yield* this.readPart(asset, values, { line, link, options })
  }

  /** Adds a season or an episode to its series. */
  private *readPart(
    asset: JsonObject,
    { id, type, seriesId, season, episode }: LinkValues,
    { line, link, options }: { line: number; link: string; options: OptionsByCountry },
  ): Generator<FeedLine> {
    const { language } = this.defaults
    if (seriesId === undefined) {
      yield { line, problem: 'unreadable_line', detail: `the ${type} ${id} does not say which series it is of` }
    } else if (type === 'season') {
      const fields = { ...readSeasonAsset(asset, language), link }
      yield* this.series.add(String(seriesId), { line, season: toNumber(season), fields, options })
    } else {
      const fields = readEpisodeAsset(asset, language)
      const numbers = { season: toNumber(season ?? 1), episode: toNumber(episode) }
      yield* this.series.add(String(seriesId), { line, ...numbers, fields, options })
    }
  }
}

/** The series and numbers of a season or episode, as far as it states them. */
function readLinkValues(asset: JsonObject, type: string): LinkValues {
  const info = asset[`${type}Info`]
  if (!isObject(info)) return {}
  const { seriesId, seasonNumber, episodeNumber } = info
  return { seriesId: toId(seriesId), season: toId(seasonNumber), episode: toId(episodeNumber) }
}

function toId(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined
}

function toNumber(value: unknown): number | undefined {
  return value === undefined ? undefined : Number(value)
}

/** Stops a chain of pages that never ends. */
const MAX_PAGES = 10_000

/**
 * A queue of the pages of a search feed: the given files, and the pages that they name as `nextPageUrl`. A next page is
 * downloaded if the feed was, else it is a file in the same folder.
 */
export class FeedPages {
  private readonly files: PagedFiles
  private readonly web: WebOrigin | undefined
  /** Downloaded pages: file by URL, and URL by file. */
  private readonly fileByUrl = new Map<string, string>()
  private readonly urlByFile = new Map<string, string>()
  private queue: string[] = []
  /** URLs, or file names without `.gz`, of the pages that were queued in this pass. */
  private readonly seen = new Set<string>()

  constructor(files: PagedFiles, web: WebOrigin | undefined) {
    this.files = files
    this.web = web
    if (web !== undefined) for (const path of files.paths) this.urlByFile.set(path, new URL(web.address).href)
  }

  /** Starts a new pass. */
  rewind(): void {
    this.files.rewind()
    this.queue = [...this.files.paths]
    this.seen.clear()
    for (const path of this.queue) this.seen.add(this.urlByFile.get(path) ?? stripGzipSuffix(basename(path)))
  }

  /** Removes the next page from the queue. */
  next(): string | undefined {
    return this.queue.shift()
  }

  open(page: string): ReadStream {
    return this.files.open(page)
  }

  /** Opens a page to look for its defaults ahead of its assets. */
  peek(page: string): ReadStream {
    return this.files.peek(page)
  }

  /** Queues the page that another page names as the next; returns false if it is missing. */
  async follow(url: string, page: string): Promise<boolean> {
    const { web } = this
    return web === undefined ? this.followFile(url, page) : this.followUrl(url, page, web)
  }

  private async followUrl(url: string, page: string, { fetchPage }: WebOrigin): Promise<boolean> {
    const base = this.urlByFile.get(page)
    if (!URL.canParse(url, base)) return false
    const { href } = new URL(url, base)
    if (this.seen.has(href)) return true
    if (this.seen.size >= MAX_PAGES) return false
    this.seen.add(href)
    // A feed is read twice, but downloaded once.
    const path = this.fileByUrl.get(href) ?? (await fetchPage(href))
    this.fileByUrl.set(href, path)
    this.urlByFile.set(path, href)
    this.queue.unshift(path)
    return true
  }

  private followFile(url: string, page: string): boolean {
    const name = toFileName(url)
    if (name === undefined) return false
    if (this.seen.has(stripGzipSuffix(name))) return true
    const path = join(dirname(page), name)
    if (this.seen.size >= MAX_PAGES || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
    this.seen.add(stripGzipSuffix(name))
    this.queue.unshift(path)
    return true
  }
}

/** A page and its gzipped copy count as one. */
function stripGzipSuffix(name: string): string {
  return name.replace(/\.gz$/i, '')
}

/** The file name of a page: the last segment of its path and the query. Undefined if it would leave the folder. */
function toFileName(url: string): string | undefined {
  const base = 'http://page.invalid/'
  if (!URL.canParse(url, base)) return undefined
  const { pathname, search } = new URL(url, base)
  const name = basename(pathname) + search
  return name === '' || /[/\\]/.test(name) ? undefined : name
}
