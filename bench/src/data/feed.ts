import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** Reads the lines of a gzipped feed. */
export async function* readFeedLines(file: string): AsyncGenerator<string> {
  const lines = createInterface({
    input: createReadStream(file).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) if (line !== '') yield line
}

/** Whether a line is a show record, without parsing it. */
export function isShowLine(line: string): boolean {
  return line.startsWith('{"kind":"show"')
}

/** Writes a gzipped feed. */
export async function writeFeed(file: string, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const gzip = createGzip({ level: 1 })
  const out = createWriteStream(file)
  gzip.pipe(out)
  for await (const line of lines) {
    if (!gzip.write(`${line}\n`)) await once(gzip, 'drain')
  }
  gzip.end()
  await finished(out)
}

/** A streaming option of a feed. Members that are not listed are passed through unchanged. */
export interface FeedOption {
  service: string
  type: string
  addon?: string
  link?: string
  quality?: string
  startsOn?: number | string
  expiresOn?: number
  [field: string]: unknown
}

/** Options by country. */
export type FeedOptions = Record<string, FeedOption[]>

/** A show record of a feed. */
export interface FeedShow {
  kind: 'show'
  showType: 'movie' | 'series'
  id: string
  imdbId: string
  tmdbId: string
  title: string
  originalTitle: string
  overview: string
  genres: string[]
  rating: number
  releaseYear?: number
  firstAirYear?: number
  originalLanguage?: string
  translations?: Record<string, { title?: string }>
  popularity?: Record<string, Record<string, number>>
  streamingOptions: FeedOptions
  seasons?: FeedSeason[]
  [field: string]: unknown
}

/** A season of a show record. */
export interface FeedSeason {
  streamingOptions: FeedOptions
  episodes?: FeedEpisode[]
  [field: string]: unknown
}

/** An episode of a season. */
export interface FeedEpisode {
  streamingOptions: FeedOptions
  [field: string]: unknown
}

/** What workloads need to know about a show of the catalog. */
export interface SampleShow {
  readonly id: string
  readonly imdbId: string
  readonly tmdbId: string
  readonly showType: 'movie' | 'series'
  readonly title: string
  readonly overview: string
  /** Countries with offers of the show. */
  readonly countries: readonly string[]
}

/** Takes at most `size` shows, evenly spread over a feed of `shows` shows. */
export async function sampleFeed(feed: string, shows: number, size: number): Promise<SampleShow[]> {
  const step = Math.max(1, Math.floor(shows / size))
  const sample: SampleShow[] = []
  let index = 0
  for await (const line of readFeedLines(feed)) {
    if (!isShowLine(line) || index++ % step !== 0 || sample.length >= size) continue
    const { id, imdbId, tmdbId, showType, title, overview, streamingOptions } = JSON.parse(line) as FeedShow
    sample.push({ id, imdbId, tmdbId, showType, title, overview, countries: Object.keys(streamingOptions) })
  }
  return sample
}

/** Seconds to decompress a feed and parse each of its lines as JSON: the lower bound of any import in Node.js. */
export async function timeParsing(feed: string): Promise<number> {
  const startedAt = performance.now()
  for await (const line of readFeedLines(feed)) JSON.parse(line)
  return (performance.now() - startedAt) / 1000
}
