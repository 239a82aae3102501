import { createReadStream, createWriteStream, type ReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { csvFeed } from './csv-feed.ts'
import type { CsvMapping } from './csv-mapping.ts'
import { feedLines } from './feed-lines.ts'
import type { FeedSource } from './import-feed.ts'

/** A feed that is ready to be read, as often as needed, until it is disposed of. */
export interface OpenFeed {
  readonly lines: FeedSource
  /** How much of the feed has been read in the current reading, from 0 to 1. */
  readonly progress: () => number
  dispose(): Promise<void>
}

/**
 * Opens a feed: a file's path, or `-` for standard input, which is kept in a file meanwhile. With a mapping it is
 * read as a table, otherwise as a native feed.
 */
export async function openFeed(path: string, mapping?: CsvMapping): Promise<OpenFeed> {
  if (path !== '-') return fileFeed(path, mapping)
  const folder = await mkdtemp(join(tmpdir(), 'marquee-feed-'))
  const file = join(folder, 'feed')
  await pipeline(process.stdin, createWriteStream(file))
  return { ...(await fileFeed(file, mapping)), dispose: () => rm(folder, { recursive: true }) }
}

async function fileFeed(path: string, mapping: CsvMapping | undefined): Promise<OpenFeed> {
  const { size } = await stat(path)
  let stream: ReadStream | undefined
  return {
    lines: () => {
      stream = createReadStream(path, { highWaterMark: 1 << 20 })
      return mapping === undefined ? feedLines(stream) : csvFeed(stream, mapping)
    },
    progress: () => (size === 0 ? 1 : (stream?.bytesRead ?? 0) / size),
    dispose: async () => {},
  }
}
