import type { Page } from 'marquee-client'
import { useEffect, useState } from 'preact/hooks'
import { keepAnswer, recentAnswer } from './query-cache.ts'

/** What has been loaded of a list that comes in pages. */
export interface LoadedPages<Item> {
  readonly items: readonly Item[]
  /** Leads on; undefined at the end, and before the first page. */
  readonly nextCursor: string | undefined
  readonly state: 'loading' | 'idle' | 'failed'
  readonly error?: unknown
  /** Loads the next page, or the one that failed. */
  readonly loadMore: () => void
}

interface Held<Item> {
  readonly key: string | undefined
  readonly pages: readonly Page<Item>[]
  readonly state: 'loading' | 'idle' | 'failed'
  readonly error?: unknown
}

/**
 * A list that grows page by page. `key` names what is listed; another key starts anew, and without one nothing is asked. What was loaded a short while ago
 * is there at once, so that whoever comes back finds the list as long as it was.
 */
export function usePages<Item>(
  key: string | undefined,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
): LoadedPages<Item> {
  const [held, setHeld] = useState<Held<Item>>(() => beginning(key))
  const [asked, setAsked] = useState<{ readonly key: string | undefined; readonly after: number }>()
  const now = held.key === key ? held : beginning<Item>(key)
  const { pages } = now
  const nextCursor = pages.at(-1)?.nextCursor

  useEffect(() => {
    if (key === undefined) return
    // The first page comes by itself, later ones when they are asked for.
    const isAsked = asked?.key === key && asked.after === pages.length && nextCursor !== undefined
    if (pages.length > 0 && !isAsked) return
    const controller = new AbortController()
    setHeld({ key, pages, state: 'loading' })
    fetchPage(nextCursor, controller.signal).then(
      (page) => {
        if (controller.signal.aborted) return
        const longer = [...pages, page]
        keepAnswer(key, longer)
        setHeld({ key, pages: longer, state: 'idle' })
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setHeld({ key, pages, state: 'failed', error })
      },
    )
    return () => controller.abort()
  }, [key, asked])

  return {
    items: pages.flatMap(({ items }) => items),
    nextCursor,
    state: now.state,
    error: now.error,
    loadMore: () => setAsked({ key, after: pages.length }),
  }
}

function beginning<Item>(key: string | undefined): Held<Item> {
  if (key === undefined) return { key, pages: [], state: 'loading' }
  const pages = recentAnswer<readonly Page<Item>[]>(key) ?? []
  return { key, pages, state: pages.length > 0 ? 'idle' : 'loading' }
}
