import { createHash } from 'node:crypto'
import type { ProviderMapping } from './provider-mapping.ts'
import type { TitleKind } from './title-key.ts'

/** What of the world a sync is about. */
export interface SyncScope {
  /** Countries whose offers are wanted, in lower case. */
  readonly countries: readonly string[]
  /** Languages whose texts and images are wanted. */
  readonly languages: readonly string[]
}

/** What the operator wants of a sync. */
export interface SyncWish extends SyncScope {
  readonly kinds: readonly TitleKind[]
  /** How many titles are held, the most popular ones of both kinds together. */
  readonly limit: number
  /** Titles that were fetched longer ago are fetched anew, whether TMDB says that they changed or not. */
  readonly refreshDays: number
  readonly mapping: ProviderMapping
}

/** Names what a record depends on: a title that was fetched for something else has to be fetched again. */
export function scopeKey({ countries, languages, mapping }: SyncWish): string {
  return digest([[...countries].sort(), [...languages].sort(), [...mapping].sort(([a], [b]) => a - b)])
}

/** Names what a plan depends on: one that was made for something else is made anew. */
export function wishKey(wish: SyncWish): string {
  return digest([scopeKey(wish), wish.kinds, wish.limit])
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
}
