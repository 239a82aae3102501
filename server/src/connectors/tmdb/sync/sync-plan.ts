import { SECONDS_PER_DAY } from '../../../model/time.ts'
import { type ProviderMapping, sortMapping } from '../../providers/provider-mapping.ts'
import { digestScope, type SyncStore } from '../../sync/sync-store.ts'
import { parseTitleKey, type TitleKey, type TitleKind } from '../client/fetch-title.ts'
import { fetchChangedTitles, fetchPopularTitles, MAX_CHANGES_DAYS } from '../client/title-lists.ts'
import type { TmdbClient } from '../client/tmdb-client.ts'
import type { RecordScope } from '../records/titles.ts'

/** What a sync should hold. */
export interface SyncTarget extends RecordScope {
  readonly kinds: readonly TitleKind[]
  /** The number of titles, the most popular ones of all kinds together. */
  readonly limit: number
  /** The age at which titles are fetched again, whether or not TMDB lists them as changed. */
  readonly refreshDays: number
  readonly mapping: ProviderMapping
}

/** A key of everything that a record depends on. A title whose record has another key is fetched again. */
export function scopeKey({ countries, languages, mapping }: SyncTarget): string {
  return digestScope([[...countries].sort(), [...languages].sort(), sortMapping(mapping)])
}

/** A key of everything that a plan depends on. A plan with another key is not resumed. */
export function targetKey(target: SyncTarget): string {
  return digestScope([scopeKey(target), target.kinds, target.limit])
}

/** One day less than TMDB's list of changes covers, so that no change is missed at its edge. */
const MAX_CHANGES_AGE_SECONDS = (MAX_CHANGES_DAYS - 1) * SECONDS_PER_DAY

/**
 * Selects the titles to fetch, the most popular first: titles that are new, were fetched for another scope, changed,
 * failed in the last sync, or are older than the refresh age.
 */
export async function planSync(
  client: TmdbClient,
  store: SyncStore,
  target: SyncTarget,
  now: number,
): Promise<TitleKey[]> {
  const scope = scopeKey(target)
  const popular = await fetchPopularTitles(client, target.kinds, target.limit, now)
  const imported = new Map([...store.importedTitles()].map(({ key, ...title }) => [key as TitleKey, title]))
  const failed = new Set(store.failures().map(({ key }) => key as TitleKey))
  const changed = await fetchChangedSince(client, store, target, now)
  const oldest = now - Math.min(target.refreshDays * SECONDS_PER_DAY, MAX_CHANGES_AGE_SECONDS)
  const isDue = (key: TitleKey) => {
    const title = imported.get(key)
    if (title === undefined || title.scope !== scope) return true
    return changed.has(key) || failed.has(key) || title.at < oldest
  }
  const candidates = [...new Set([...popular, ...imported.keys(), ...failed])]
  return candidates.filter((key) => target.kinds.includes(parseTitleKey(key).kind) && isDue(key))
}

/** The titles that changed since the last sync, or since the oldest fetch if no sync has finished. */
async function fetchChangedSince(
  client: TmdbClient,
  store: SyncStore,
  { kinds }: SyncTarget,
  now: number,
): Promise<ReadonlySet<TitleKey>> {
  let since = store.lastStart
  if (since === undefined) for (const { at } of store.importedTitles()) since = Math.min(since ?? at, at)
  // No title was imported yet, so none can have changed.
  if (since === undefined) return new Set()
  const changed = new Set<TitleKey>()
  for (const kind of kinds) {
    const from = Math.max(since, now - MAX_CHANGES_AGE_SECONDS)
    for (const key of await fetchChangedTitles(client, kind, from, now)) changed.add(key)
  }
  return changed
}
