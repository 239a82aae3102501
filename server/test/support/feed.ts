import { Readable } from 'node:stream'
import type { FeedSource } from '../../src/ingest/import-feed.ts'
import { readFeedLines } from '../../src/ingest/parse/feed-lines.ts'

/** Records as a feed that can be read any number of times. */
export function feedOf(records: Iterable<object>): FeedSource {
  const lines = Array.from(records, (record, i) => ({ line: i + 1, text: JSON.stringify(record) }))
  return async function* () {
    yield* lines
  }
}

/** Bytes as a feed, read as those of a file are. */
export function feedOfBytes(bytes: Buffer): FeedSource {
  return () => readFeedLines(Readable.from([bytes]))
}

/** Records and ready lines as the bytes of a feed. */
export function feedBytes(lines: Iterable<object | string>): Buffer {
  const texts = Array.from(lines, (line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  return Buffer.from(texts.map((text) => `${text}\n`).join(''))
}
