import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { feedLines } from './feed-lines.ts'
import type { FeedSource } from './import-feed.ts'

/** A feed that is ready to be read, as often as needed, until it is disposed of. */
export interface OpenFeed {
  readonly lines: FeedSource
  dispose(): Promise<void>
}

/** Opens a feed: a file's path, or `-` for standard input, which is kept in a file meanwhile. */
export async function openFeed(path: string): Promise<OpenFeed> {
  if (path !== '-') {
    await access(path)
    return { lines: () => linesOf(path), dispose: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), 'marquee-feed-'))
  const file = join(folder, 'feed')
  await pipeline(process.stdin, createWriteStream(file))
  return { lines: () => linesOf(file), dispose: () => rm(folder, { recursive: true }) }
}

function linesOf(path: string) {
  return feedLines(createReadStream(path, { highWaterMark: 1 << 20 }))
}
