import type { CacheStats, MeteredCache } from '../../src/lib/cache.ts'

/** The use and the size of the cache with a name. */
export function cacheStats(owner: { caches(): readonly MeteredCache[] }, name: string): CacheStats {
  const stats = owner
    .caches()
    .map((cache) => cache.stats())
    .find((stats) => stats.name === name)
  if (stats === undefined) throw new Error(`There is no cache ${name}.`)
  return stats
}
