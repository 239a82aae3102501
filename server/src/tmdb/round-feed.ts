import type { FeedSource } from '../ingest/import-feed.ts'
import type { FeedLine } from '../ingest/parse/feed-lines.ts'
import { TMDB_ATTRIBUTION } from './attribution.ts'
import type { SyncState } from './sync-state.ts'

/** What was fetched, as a native feed: a delta that speaks of these titles and no others. */
export function roundFeed(
  state: SyncState,
  places: readonly number[],
  { source, reference }: { readonly source: string; readonly reference: readonly object[] },
): FeedSource {
  // What was never imported need not be removed.
  const told = places.filter((place) => {
    const outcome = state.outcome(place)
    return outcome !== undefined && (outcome.record !== null || state.title(outcome.key) !== undefined)
  })
  const count = reference.length + told.length
  return async function* () {
    let line = 0
    const next = (text: string): FeedLine => ({ line: ++line, text })
    yield next(JSON.stringify({ kind: 'feed', source, mode: 'delta', count, attribution: TMDB_ATTRIBUTION }))
    for (const record of reference) yield next(JSON.stringify(record))
    for (const place of told) {
      const outcome = state.outcome(place)
      if (outcome === undefined) continue
      yield next(outcome.record ?? JSON.stringify({ kind: 'remove', tmdbId: outcome.key }))
    }
  }
}
