import { createHash } from 'node:crypto'
import { SECONDS_PER_DAY } from '../../../model/time.ts'
import { parseTitleKey, type TitleKey, type TitleKind } from '../client/fetch-title.ts'
import { fetchChangedTitles, fetchPopularTitles, MAX_CHANGES_DAYS } from '../client/title-lists.ts'
import type { TmdbClient } from '../client/tmdb-client.ts'
import type { ProviderMapping } from '../records/provider-directory.ts'
import type { SyncStore } from './sync-store.ts'

/** A day less than TMDB allows, so that no change falls between two days. */
const MAX_CHANGES_AGE_SECONDS = (MAX_CHANGES_DAYS - 1) * SECONDS_PER_DAY

/**
 * What a sync has to fetch, the most popular first: of the titles that are wanted, those that nobody has fetched yet,
 * that were fetched for other countries or languages, that changed since, that could not be had the last time, or
 * that were fetched too long ago.
 */
export async function planSync(
  client: TmdbClient,
  state: SyncStore,
  wish: SyncTarget,
  now: number,
): Promise<TitleKey[]> {
  const scope = scopeKey(wish)
  const popular = await fetchPopularTitles(client, wish.kinds, wish.limit, now)
  const known = new Map([...state.importedTitles()].map(({ key, ...title }) => [key, title]))
  const failed = new Set(state.failures().map(({ key }) => key))
  const changed = await fetchChangedSince(client, state, wish, now)
  const oldest = now - Math.min(wish.refreshDays * SECONDS_PER_DAY, MAX_CHANGES_AGE_SECONDS)
  const isNeeded = (key: TitleKey) => {
    const title = known.get(key)
    if (title === undefined || title.scope !== scope) return true
    return changed.has(key) || failed.has(key) || title.at < oldest
  }
  const wanted = [...new Set([...popular, ...known.keys(), ...failed])]
  return wanted.filter((key) => wish.kinds.includes(parseTitleKey(key).kind) && isNeeded(key))
}

/** The titles that changed since they may last have been looked at. */
async function fetchChangedSince(
  client: TmdbClient,
  state: SyncStore,
  { kinds }: SyncTarget,
  now: number,
): Promise<ReadonlySet<TitleKey>> {
  let since = state.lastStart
  if (since === undefined) for (const { at } of state.importedTitles()) since = Math.min(since ?? at, at)
  // Nothing is held yet that could have changed.
  if (since === undefined) return new Set()
  const changed = new Set<TitleKey>()
  for (const kind of kinds) {
    const from = Math.max(since, now - MAX_CHANGES_AGE_SECONDS)
    for (const key of await fetchChangedTitles(client, kind, from, now)) changed.add(key)
  }
  return changed
}

/** What of the world a sync is about. */
export interface SyncScope {
  /** Countries whose offers are wanted, in lower case. */
  readonly countries: readonly string[]
  /** Languages whose texts and images are wanted. */
  readonly languages: readonly string[]
}

/** What the operator wants of a sync. */
export interface SyncTarget extends SyncScope {
  readonly kinds: readonly TitleKind[]
  /** How many titles are held, the most popular ones of both kinds together. */
  readonly limit: number
  /** Titles that were fetched longer ago are fetched anew, whether TMDB says that they changed or not. */
  readonly refreshDays: number
  readonly mapping: ProviderMapping
}

/** Names what a record depends on: a title that was fetched for something else has to be fetched again. */
export function scopeKey({ countries, languages, mapping }: SyncTarget): string {
  return digest([[...countries].sort(), [...languages].sort(), [...mapping].sort(([a], [b]) => a - b)])
}

/** Names what a plan depends on: one that was made for something else is made anew. */
export function targetKey(wish: SyncTarget): string {
  return digest([scopeKey(wish), wish.kinds, wish.limit])
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
}
