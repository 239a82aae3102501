import type { Query } from '../query/queries.ts'
import { CacheUse } from './cache-use.ts'
import type { KeptPage } from './kept-pages.ts'

/** What a query found, and the page that was last made of it. */
export interface Find<T> {
  readonly version: number
  readonly found: T
  page: KeptPage | undefined
}

/**
 * What queries found, kept for as long as the query itself is and the catalog stays as it is. A request that comes
 * again brings the very same query, so nothing has to be compared.
 */
export class RecentFinds {
  readonly use = new CacheUse()
  private readonly finds = new WeakMap<Query, Find<unknown>>()

  of<T>(query: Query, version: number, find: () => T): Find<T> {
    const known = this.finds.get(query)
    if (known !== undefined && known.version === version) {
      this.use.hits++
      return known as Find<T>
    }
    this.use.misses++
    const made: Find<T> = { version, found: find(), page: undefined }
    this.finds.set(query, made)
    return made
  }
}
