import type { Query } from '../query/queries.ts'
import { CacheUse } from './cache-use.ts'

/**
 * What queries found, kept for as long as the query itself is and the catalog stays as it is. A request that comes
 * again brings the very same query, so nothing has to be compared.
 */
export class RecentFinds {
  readonly use = new CacheUse()
  private readonly finds = new WeakMap<Query, { readonly version: number; readonly found: unknown }>()

  of<T>(query: Query, version: number, find: () => T): T {
    const known = this.finds.get(query)
    if (known !== undefined && known.version === version) {
      this.use.hits++
      return known.found as T
    }
    this.use.misses++
    const found = find()
    this.finds.set(query, { version, found })
    return found
  }
}
