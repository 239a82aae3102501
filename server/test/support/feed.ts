import type { FeedSource } from '../../src/ingest/import-feed.ts'

/** Records as a feed that can be read any number of times. */
export function feedOf(records: Iterable<object>): FeedSource {
  const lines = Array.from(records, (record, i) => ({ line: i + 1, text: JSON.stringify(record) }))
  return async function* () {
    yield* lines
  }
}
