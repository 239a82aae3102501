import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** Lines of a gzipped feed. */
export async function* feedLines(file: string): AsyncGenerator<string> {
  const lines = createInterface({
    input: createReadStream(file).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) if (line !== '') yield line
}

/** Whether a line is about a show, without reading all of it. */
export function isShow(line: string): boolean {
  return line.startsWith('{"kind":"show"')
}

/** Writes lines to a gzipped feed. */
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

/** A streaming option as a feed states it; what is not altered here is passed through. */
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

/** The options of an item, by country. */
export type FeedOptions = Record<string, FeedOption[]>

/** A show as a feed states it. */
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

/** A season as a feed states it. */
export interface FeedSeason {
  streamingOptions: FeedOptions
  episodes?: FeedEpisode[]
  [field: string]: unknown
}

/** An episode as a feed states it. */
export interface FeedEpisode {
  streamingOptions: FeedOptions
  [field: string]: unknown
}
