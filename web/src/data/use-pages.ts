import type { Page } from 'marquee-client'
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../app/context.ts'
import type { PagedQuery, QueryCache } from './query-cache.ts'

/** The pages that are loaded of a list. */
export interface LoadedPages<Item> {
  readonly items: readonly Item[]
  /** Cursor of the next page; undefined at the end, and before the first page. */
  readonly nextCursor: string | undefined
  readonly state: 'loading' | 'idle' | 'failed'
  readonly error?: unknown
  /** Loads the next page, or the one that failed. */
  readonly loadMore: () => void
}

interface PagesState<Item> {
  readonly key: string | undefined
  readonly pages: readonly Page<Item>[]
  readonly state: 'loading' | 'idle' | 'failed'
  readonly error?: unknown
}

/**
 * A list that grows page by page. Another key starts over; without a query nothing is fetched. Pages in the cache are
 * there at once, so on back and forward the list is as long as it was.
 */
export function usePages<Item>(query: PagedQuery<Item> | undefined): LoadedPages<Item> {
  const { queries } = useApp()
  const key = query?.key
  const [held, setHeld] = useState<PagesState<Item>>(() => initialState(queries, key))
  const [requested, setRequested] = useState<{ readonly key: string | undefined; readonly after: number }>()
  const current = held.key === key ? held : initialState<Item>(queries, key)
  const { pages } = current
  const nextCursor = pages.at(-1)?.nextCursor

  useEffect(() => {
    if (query === undefined || key === undefined) return
    // The first page is loaded at once, later ones on demand.
    const isRequested = requested?.key === key && requested.after === pages.length && nextCursor !== undefined
    if (pages.length > 0 && !isRequested) return
    const controller = new AbortController()
    setHeld({ key, pages, state: 'loading' })
    // The first page may have been prefetched, or be on its way.
    const prefetched =
      pages.length > 0 ? undefined : (queries.get<Page<Item>[]>(key) ?? queries.takePending<Page<Item>[]>(key))
    const request = prefetched ?? query.fetchPage(nextCursor, controller.signal, queries.client).then((page) => [page])
    Promise.resolve(request).then(
      (next) => {
        if (controller.signal.aborted) return
        const longer = [...pages, ...next]
        queries.set(key, longer)
        setHeld({ key, pages: longer, state: 'idle' })
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setHeld({ key, pages, state: 'failed', error })
      },
    )
    return () => controller.abort()
  }, [key, requested])

  return {
    items: pages.flatMap(({ items }) => items),
    nextCursor,
    state: current.state,
    error: current.error,
    loadMore: () => setRequested({ key, after: pages.length }),
  }
}

function initialState<Item>(queries: QueryCache, key: string | undefined): PagesState<Item> {
  if (key === undefined) return { key, pages: [], state: 'loading' }
  const pages = queries.get<readonly Page<Item>[]>(key) ?? []
  return { key, pages, state: pages.length > 0 ? 'idle' : 'loading' }
}
