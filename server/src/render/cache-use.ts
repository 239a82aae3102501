/** How often a cache had what was asked for. */
export class CacheUse {
  hits = 0
  misses = 0
}
