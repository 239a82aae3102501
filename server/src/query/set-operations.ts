import { type DocSet, EMPTY_SET, RoaringBitmap32 } from '../catalog/doc-set.ts'

/** The documents that are in any of the sets. */
export function union(sets: readonly DocSet[]): DocSet {
  const filled = sets.filter(({ size }) => size > 0)
  if (filled.length <= 1) return filled[0] ?? EMPTY_SET
  return RoaringBitmap32.orMany(filled)
}

/** The documents that are in all of the sets. */
export function intersection(sets: readonly DocSet[]): DocSet {
  const bySize = [...sets].sort((a, b) => a.size - b.size)
  const [first, second, ...rest] = bySize
  if (first === undefined || first.size === 0) return EMPTY_SET
  if (second === undefined) return first
  const result = RoaringBitmap32.and(first, second)
  for (const set of rest) result.andInPlace(set)
  return result
}
