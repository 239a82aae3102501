import { createHash } from 'node:crypto'
import { DERIVED_IDS } from '../model/show.ts'

/**
 * A show id for a title that a source knows by an id of its own only. It is the same each time, so that the title is
 * recognised again without an IMDb or TMDB id, and lies where no ids are given in order.
 */
export function derivedId(...names: readonly string[]): string {
  const hash = createHash('sha256').update(names.join('\n')).digest().readBigUInt64BE()
  const { first, last } = DERIVED_IDS
  return String(BigInt(first) + (hash % BigInt(last - first + 1)))
}
