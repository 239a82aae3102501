import { createHash } from 'node:crypto'
import { tokenize } from '../../catalog/index/analyzer.ts'
import { DERIVED_IDS } from '../../model/show.ts'

/** A name as an id: its words in plain lower-case letters, with hyphens between; undefined where none are left. */
export function slugify(name: string): string | undefined {
  const words = tokenize(name).flatMap((word) => word.replace(/[^a-z0-9]/g, '') || [])
  const id = words.join('-').slice(0, 64).replace(/-$/, '')
  return id === '' ? undefined : id
}

/**
 * A show id for a title that a source knows by an id of its own only. It is the same each time, so that the title is
 * recognised again without an IMDb or TMDB id, and lies where no ids are given in order.
 */
function deriveShowId(...names: readonly string[]): string {
  const hash = createHash('sha256').update(names.join('\n')).digest().readBigUInt64BE()
  const { first, last } = DERIVED_IDS
  return String(BigInt(first) + (hash % BigInt(last - first + 1)))
}

/** A show that has no id that others know it by gets one that follows from the id that its service gives it. */
export function withDerivedId(show: Readonly<Record<string, unknown>>, service: string, id: string): object {
  if (show.imdbId !== undefined || show.tmdbId !== undefined) return show
  return { ...show, id: deriveShowId(service, id) }
}
