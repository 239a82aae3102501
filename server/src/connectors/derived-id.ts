import { createHash } from 'node:crypto'
import { DERIVED_IDS } from '../model/show.ts'

/**
 * A show id for a title that a source knows by an id of its own only. It is the same each time, so that the title is
 * recognised again without an IMDb or TMDB id, and lies where no ids are given in order.
 */
function derivedId(...names: readonly string[]): string {
  const hash = createHash('sha256').update(names.join('\n')).digest().readBigUInt64BE()
  const { first, last } = DERIVED_IDS
  return String(BigInt(first) + (hash % BigInt(last - first + 1)))
}

/** A show that has no id that others know it by gets one that follows from the id that its service gives it. */
export function withDerivedId(show: Readonly<Record<string, unknown>>, service: string, id: string): object {
  if (show.imdbId !== undefined || show.tmdbId !== undefined) return show
  return { ...show, id: derivedId(service, id) }
}
