import { Readable } from 'node:stream'
import type { FeedSource } from '../../src/ingest/import-feed.ts'
import { readFeedLines } from '../../src/ingest/lines/feed-lines.ts'

/** A feed of records; it can be read any number of times. */
export function feedFromRecords(records: Iterable<object>): FeedSource {
  const lines = Array.from(records, (record, i) => ({ line: i + 1, text: JSON.stringify(record) }))
  return async function* () {
    yield* lines
  }
}

/** A feed of bytes, split into lines as a file is. */
export function feedFromBytes(bytes: Buffer): FeedSource {
  return () => readFeedLines(Readable.from([bytes]))
}

/** The bytes of a feed of records and ready lines. */
export function feedBytes(lines: Iterable<object | string>): Buffer {
  const texts = Array.from(lines, (line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  return Buffer.from(texts.map((text) => `${text}\n`).join(''))
}
