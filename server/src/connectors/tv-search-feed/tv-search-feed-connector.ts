import type { Readable } from 'node:stream'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import type { Connector } from '../framework/connector.ts'
import {
  buildServiceRecord,
  COUNTRIES_OPTION,
  resolveCountries,
  SERVICE_NAME_OPTION,
  SERVICE_OPTION,
} from '../framework/options.ts'
import { withDerivedId } from '../records/ids.ts'
import { parseCountry } from '../records/locales.ts'
import { SeriesSpool } from '../records/series-spool.ts'
import { ScratchFolder } from '../streams/external-sort.ts'
import { readJsonList } from '../streams/json-list-reader.ts'
import { PagedFiles } from '../streams/source-files.ts'
import { readEpisodeAsset, readSeasonAsset, readShowAsset, toTexts } from './assets.ts'
import { FeedPages } from './feed-pages.ts'
import { fillLinkTemplate, type LinkValues, readPlayOptions, validateLinkTemplate } from './play-options.ts'

/** Search feeds for TV devices: what channel publishers write so that their titles are found. */
export const tvSearchFeedConnector: Connector = {
  name: 'tv-search-feed',
  summary: 'search feeds for TV devices (JSON, version 1), the first page or a folder of pages, plain or gzipped',
  options: {
    service: { ...SERVICE_OPTION, required: true },
    linkTemplate: {
      value: 'url',
      description: 'address of what is watched, such as https://acme.example/watch/{id}',
      required: true,
      validate: validateLinkTemplate,
    },
    serviceName: SERVICE_NAME_OPTION,
    countries: COUNTRIES_OPTION,
  },
  open: async (path, options, { catalog, web }) => {
    const files = await PagedFiles.find(path, /\.json(\.gz)?$/i, 'file whose name ends in .json or .json.gz')
    const pages = new FeedPages(files, web)
    const { service: id, linkTemplate, serviceName } = options as Readonly<Record<string, string | undefined>>
    const feed: TvSearchContext = {
      serviceId: String(id),
      service: buildServiceRecord(catalog, String(id), {
        ...(serviceName !== undefined && { name: serviceName }),
        homePage: new URL(String(linkTemplate).replace(/[{}]/g, '')).origin,
      }),
      linkTemplate: String(linkTemplate),
      defaultCountries: resolveCountries(options, catalog),
    }
    return { lines: () => readTvSearchFeed(pages, feed), progress: () => files.progress(), dispose: async () => {} }
  },
}

/** The member of a page that holds all that it is about. */
const ASSETS = 'assets'

/** What the operator says of a search feed, which does not say it itself. */
export interface TvSearchContext {
  readonly serviceId: string
  /** The service as options name it. */
  readonly service: object
  readonly linkTemplate: string
  /** Countries that are meant where the feed names none. */
  readonly defaultCountries: readonly string[]
}

/** What a page says of all its assets. */
interface PageDefaults {
  readonly language: string | undefined
  readonly countries: readonly string[]
}

/** What types of assets become. */
const SHOW_TYPES: ReadonlyMap<string, 'movie' | 'series'> = new Map([
  ['movie', 'movie'],
  ['tvspecial', 'movie'],
  ['shortform', 'movie'],
  ['series', 'series'],
])

/**
 * A search feed for TV devices as a native one. Movies follow as they come; series, whose seasons and episodes stand
 * anywhere in the feed, follow in the end.
 */
export async function* readTvSearchFeed(pages: FeedPages, feed: TvSearchContext): AsyncGenerator<FeedLine> {
  const source = `tv-search-feed/${feed.serviceId}`
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source, mode: 'snapshot' }) }
  const scratch = new ScratchFolder()
  try {
    const series = new SeriesSpool(feed.serviceId, scratch)
    let defaults: PageDefaults = { language: undefined, countries: feed.defaultCountries }
    pages.rewind()
    for (let page = pages.next(); page !== undefined; page = pages.next()) {
      defaults = await readPageDefaults(pages.open(page), defaults)
      const reader = new AssetReader(feed, series, defaults)
      for await (const part of readJsonList(pages.open(page), ASSETS)) {
        if ('problem' in part) yield part.problem
        else if ('element' in part) yield* reader.read(part.element, part.line)
        else if (part.member === 'nextPageUrl' && typeof part.value === 'string' && part.value !== '') {
          if (await pages.follow(part.value, page)) continue
          // What it holds is not known to be gone.
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

/** What a page says of all its assets, which may stand behind them; what it does not say is as on the page before. */
async function readPageDefaults(stream: Readable, before: PageDefaults): Promise<PageDefaults> {
  let { language, countries } = before
  const sought = new Set(['defaultLanguage', 'defaultAvailabilityCountries'])
  for await (const part of readJsonList(stream, ASSETS)) {
    if (!('member' in part)) continue
    const { member, value } = part
    if (member === 'defaultLanguage' && typeof value === 'string') language = value
    if (member === 'defaultAvailabilityCountries' && toTexts(value).length > 0) {
      countries = toTexts(value).map((code) => parseCountry(code) ?? code)
    }
    sought.delete(member)
    if (sought.size === 0) break
  }
  return { language, countries }
}

/** Reads the assets of a page. */
class AssetReader {
  private readonly feed: TvSearchContext
  private readonly series: SeriesSpool
  private readonly defaults: PageDefaults

  constructor(feed: TvSearchContext, series: SeriesSpool, defaults: PageDefaults) {
    this.feed = feed
    this.series = series
    this.defaults = defaults
  }

  *read(asset: unknown, line: number): Generator<FeedLine> {
    const id = isObject(asset) ? toId(asset.id) : undefined
    if (!isObject(asset) || id === undefined) {
      yield { line, problem: 'unreadable_line', detail: 'the asset has no id' }
      return
    }
    const type = String(asset.type).toLowerCase()
    const showType = SHOW_TYPES.get(type)
    if (showType === undefined && type !== 'season' && type !== 'episode') {
      yield { line, note: 'left_out', detail: `the asset is of type ${String(asset.type)}`, record: id }
      return
    }
    const values: LinkValues = { id, type, ...readLinkValues(asset, type) }
    const { options, skipped } = readPlayOptions(asset, values, { ...this.feed, ...this.defaults })
    for (const detail of skipped) yield { line, note: 'left_out', detail, record: id }
    const { language } = this.defaults
    const link = fillLinkTemplate(this.feed.linkTemplate, { ...values, playId: id })
    if (showType === 'movie') {
      const show = { ...readShowAsset(asset, 'movie', language), streamingOptions: options }
      yield { line, text: JSON.stringify(withDerivedId(show, this.feed.serviceId, id)) }
    } else if (showType === 'series') {
      const fields = { ...readShowAsset(asset, 'series', language), link }
      yield* this.series.add(id, { line, fields, options })
    } else {
      const { seriesId, season, episode } = values
      if (seriesId === undefined) {
        yield { line, problem: 'unreadable_line', detail: `the ${type} ${id} does not say which series it is of` }
      } else if (type === 'season') {
        const fields = { ...readSeasonAsset(asset, language), link }
        yield* this.series.add(String(seriesId), { line, season: toNumber(season), fields, options })
      } else {
        const fields = readEpisodeAsset(asset, language)
        const place = { season: toNumber(season ?? 1), episode: toNumber(episode) }
        yield* this.series.add(String(seriesId), { line, ...place, fields, options })
      }
    }
  }
}

/** Where a season or an episode belongs, as far as it says so. */
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
