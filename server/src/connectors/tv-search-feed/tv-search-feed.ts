import type { Readable } from 'node:stream'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { withDerivedId } from '../derived-id.ts'
import { readJsonList } from '../json-list.ts'
import { countryOf } from '../region-codes.ts'
import { ScratchFolder } from '../scratch-folder.ts'
import { SeriesSpool } from '../series-spool.ts'
import { fillTemplate, type LinkValues } from './link-template.ts'
import type { Pages } from './pages.ts'
import { readEpisodeAsset, readSeasonAsset, readShowAsset, textsIn } from './read-asset.ts'
import { readPlayOptions } from './read-play-options.ts'

/** The member of a page that holds all that it is about. */
const ASSETS = 'assets'

/** What the operator says of a search feed, which does not say it itself. */
export interface TvSearchFeed {
  readonly serviceId: string
  /** The service as options name it. */
  readonly service: object
  readonly linkTemplate: string
  /** Countries that are meant where the feed names none. */
  readonly everywhere: readonly string[]
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
export async function* tvSearchFeed(pages: Pages, feed: TvSearchFeed): AsyncGenerator<FeedLine> {
  const source = `tv-search-feed/${feed.serviceId}`
  yield { line: 1, text: JSON.stringify({ kind: 'feed', source, mode: 'snapshot' }) }
  const scratch = new ScratchFolder()
  try {
    const series = new SeriesSpool(feed.serviceId, scratch)
    let defaults: PageDefaults = { language: undefined, countries: feed.everywhere }
    pages.rewind()
    for (let page = pages.next(); page !== undefined; page = pages.next()) {
      defaults = await defaultsOf(pages.open(page), defaults)
      const reader = new AssetReader(feed, series, defaults)
      for await (const part of readJsonList(pages.open(page), ASSETS)) {
        if ('problem' in part) yield part.problem
        else if ('element' in part) yield* reader.take(part.element, part.line)
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
async function defaultsOf(stream: Readable, before: PageDefaults): Promise<PageDefaults> {
  let { language, countries } = before
  const sought = new Set(['defaultLanguage', 'defaultAvailabilityCountries'])
  for await (const part of readJsonList(stream, ASSETS)) {
    if (!('member' in part)) continue
    const { member, value } = part
    if (member === 'defaultLanguage' && typeof value === 'string') language = value
    if (member === 'defaultAvailabilityCountries' && textsIn(value).length > 0) {
      countries = textsIn(value).map((code) => countryOf(code) ?? code)
    }
    sought.delete(member)
    if (sought.size === 0) break
  }
  return { language, countries }
}

/** Reads the assets of a page. */
class AssetReader {
  private readonly feed: TvSearchFeed
  private readonly series: SeriesSpool
  private readonly defaults: PageDefaults

  constructor(feed: TvSearchFeed, series: SeriesSpool, defaults: PageDefaults) {
    this.feed = feed
    this.series = series
    this.defaults = defaults
  }

  *take(asset: unknown, line: number): Generator<FeedLine> {
    const id = isObject(asset) ? idOf(asset.id) : undefined
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
    const values: LinkValues = { id, type, ...placeOf(asset, type) }
    const { options, leftOut } = readPlayOptions(asset, values, { ...this.feed, ...this.defaults })
    for (const detail of leftOut) yield { line, note: 'left_out', detail, record: id }
    const { language } = this.defaults
    const link = fillTemplate(this.feed.linkTemplate, { ...values, playId: id })
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
        yield* this.series.add(String(seriesId), { line, season: numberOf(season), fields, options })
      } else {
        const fields = readEpisodeAsset(asset, language)
        const place = { season: numberOf(season ?? 1), episode: numberOf(episode) }
        yield* this.series.add(String(seriesId), { line, ...place, fields, options })
      }
    }
  }
}

/** Where a season or an episode belongs, as far as it says so. */
function placeOf(asset: JsonObject, type: string): LinkValues {
  const info = asset[`${type}Info`]
  if (!isObject(info)) return {}
  const { seriesId, seasonNumber, episodeNumber } = info
  return { seriesId: idOf(seriesId), season: idOf(seasonNumber), episode: idOf(episodeNumber) }
}

function idOf(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined
}

function numberOf(value: unknown): number | undefined {
  return value === undefined ? undefined : Number(value)
}
