import { isObject, type JsonObject } from '../ingest/parse/fields.ts'
import { SECONDS_PER_DAY } from '../model/time.ts'
import { numberIn, objectsIn } from './answer-fields.ts'
import { type TitleKey, type TitleKind, titleKey } from './title-key.ts'
import type { TmdbClient } from './tmdb-client.ts'

/** TMDB tells what changed within at most so many days. */
export const CHANGES_REACH_DAYS = 14

/** The titles of a kind that changed between two instants, both days included. */
export async function changedTitles(
  client: TmdbClient,
  kind: TitleKind,
  since: number,
  now: number,
): Promise<Set<TitleKey>> {
  const changed = new Set<TitleKey>()
  const query = { start_date: dateOf(since), end_date: dateOf(now + SECONDS_PER_DAY) }
  const lacks = (answer: JsonObject) => (Array.isArray(answer.results) ? undefined : 'it has no results')
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = (await client.get(`/3/${kind}/changes`, { ...query, page: String(page) }, lacks)) ?? {}
    for (const entry of objectsIn(answer, 'results')) {
      const id = isObject(entry) ? numberIn(entry, 'id') : undefined
      if (id !== undefined) changed.add(titleKey(kind, id))
    }
    pages = numberIn(answer, 'total_pages') ?? 1
  }
  return changed
}

function dateOf(instant: number): string {
  return new Date(instant * 1000).toISOString().slice(0, 10)
}
