import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useHref, useLocation, useMessages } from '../../app/context.ts'
import { ButtonLink } from '../../components/button.tsx'
import type { LoadedPages } from '../../data/use-pages.ts'
import { Failure } from '../../layout/failure.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { ShowGrid } from './show-card.tsx'
import './endless-list.css'

interface EndlessListProps {
  readonly list: LoadedPages<unknown>
  /** Shown for an empty list. */
  readonly none: ComponentChildren
  /** The loaded items. */
  readonly children: ComponentChildren
  /** Shown while a page is loading. */
  readonly placeholder?: ComponentChildren
}

/** Distance between the screen and the end of the list at which more is loaded. */
const PRELOAD_MARGIN = '900px'

/** Infinite scrolling: loads the next page near the end of the list. A button does the same for keyboards. */
export function EndlessList({ list, none, children, placeholder = <ShowGrid shows={undefined} /> }: EndlessListProps) {
  const t = useMessages(explorerMessages).list
  const end = useRef<HTMLDivElement>(null)
  const { items, nextCursor, state, loadMore } = list
  const hrefTo = useHref()
  const { path, query } = useLocation()
  const hasMore = nextCursor !== undefined

  useEffect(() => {
    if (!hasMore || state !== 'idle' || end.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) loadMore()
      },
      { rootMargin: PRELOAD_MARGIN },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [hasMore, state, items.length])

  return (
    <div class="endless">
      <div role="status">
        {state === 'idle' && (items.length > 0 ? <p class="unseen">{t.loaded(items.length)}</p> : none)}
      </div>
      {items.length > 0 && children}
      {state === 'loading' && placeholder}
      {state === 'failed' && <Failure error={list.error} retry={loadMore} />}
      <div ref={end} class="endless-end">
        {hasMore && state === 'idle' && (
          <ButtonLink
            href={hrefTo(path, { ...Object.fromEntries(query), cursor: nextCursor })}
            rel="next nofollow"
            onClick={(event) => {
              event.preventDefault()
              loadMore()
            }}
          >
            {t.more}
          </ButtonLink>
        )}
        {!hasMore && state === 'idle' && items.length > 0 && <p class="soft">{t.end(items.length)}</p>}
      </div>
    </div>
  )
}
