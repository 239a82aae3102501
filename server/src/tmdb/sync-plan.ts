import { SECONDS_PER_DAY } from '../model/time.ts'
import { CHANGES_REACH_DAYS, changedTitles } from './changed-titles.ts'
import { mostPopular } from './daily-export.ts'
import { type SyncWish, scopeKey } from './sync-scope.ts'
import type { SyncState } from './sync-state.ts'
import { keyParts, type TitleKey } from './title-key.ts'
import type { TmdbClient } from './tmdb-client.ts'

/** A day less than TMDB allows, so that no change falls between two days. */
const REACH_SECONDS = (CHANGES_REACH_DAYS - 1) * SECONDS_PER_DAY

/**
 * What a sync has to fetch, the most popular first: of the titles that are wanted, those that nobody has fetched yet,
 * that were fetched for other countries or languages, that changed since, that could not be had the last time, or
 * that were fetched too long ago.
 */
export async function planSync(client: TmdbClient, state: SyncState, wish: SyncWish, now: number): Promise<TitleKey[]> {
  const scope = scopeKey(wish)
  const popular = await mostPopular(client, wish.kinds, wish.limit, now)
  const known = new Map([...state.known()].map(({ key, ...title }) => [key, title]))
  const failed = new Set(state.failures().map(({ key }) => key))
  const changed = await changedSince(client, state, wish, now)
  const oldest = now - Math.min(wish.refreshDays * SECONDS_PER_DAY, REACH_SECONDS)
  const isNeeded = (key: TitleKey) => {
    const title = known.get(key)
    if (title === undefined || title.scope !== scope) return true
    return changed.has(key) || failed.has(key) || title.at < oldest
  }
  const wanted = [...new Set([...popular, ...known.keys(), ...failed])]
  return wanted.filter((key) => wish.kinds.includes(keyParts(key).kind) && isNeeded(key))
}

/** The titles that changed since they may last have been looked at. */
async function changedSince(
  client: TmdbClient,
  state: SyncState,
  { kinds }: SyncWish,
  now: number,
): Promise<ReadonlySet<TitleKey>> {
  let since = state.lastStart
  if (since === undefined) for (const { at } of state.known()) since = Math.min(since ?? at, at)
  // Nothing is held yet that could have changed.
  if (since === undefined) return new Set()
  const changed = new Set<TitleKey>()
  for (const kind of kinds) {
    const from = Math.max(since, now - REACH_SECONDS)
    for (const key of await changedTitles(client, kind, from, now)) changed.add(key)
  }
  return changed
}
