import type { Show } from 'marquee-client'
import type { Answer } from '../../data/answer.ts'
import type { PagePath } from '../../paths.ts'
import { hrefTo } from '../../routing/href-to.ts'
import { Failure } from '../../shell/failure.tsx'
import { explorerMessages } from '../messages.ts'
import { ShowGrid } from '../parts/show-grid.tsx'

interface HomeShelfProps {
  readonly title: string
  /** The page with all of it. */
  readonly path: PagePath
  readonly shows: Answer<readonly Show[]> & { readonly retry: () => void }
  /** Whether it is in view from the start. */
  readonly isFirst?: boolean
  /** How many of the shows are shown; all if absent. */
  readonly most?: number
}

/** A few shows of one kind, and the way to the rest. An empty shelf is left out. */
export function HomeShelf({ title, path, shows, isFirst = false, most }: HomeShelfProps) {
  const t = explorerMessages.current.home
  if (shows.state === 'ready' && shows.value.length === 0 && !isFirst) return null
  return (
    <section class="home-shelf">
      <div class="home-shelf-head">
        <h2>{title}</h2>
        <a href={hrefTo(path)} aria-label={`${t.all}: ${title}`}>
          {t.all}
        </a>
      </div>
      {shows.state === 'failed' ? (
        <Failure error={shows.error} retry={shows.retry} />
      ) : (
        <ShowGrid
          shows={shows.state === 'ready' ? shows.value.slice(0, most) : undefined}
          expected={isFirst ? 12 : 6}
        />
      )}
    </section>
  )
}
