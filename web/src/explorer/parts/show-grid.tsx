import type { Show } from 'marquee-client'
import { shellMessages } from '../../shell/messages.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ShowCard } from './show-card.tsx'
import './show-grid.css'

interface ShowGridProps {
  /** The shows; undefined while they are on their way. */
  readonly shows: readonly Show[] | undefined
  /** How many places are held for them. */
  readonly expected?: number
}

/** Shows side by side, as many in a row as there is room for. */
export function ShowGrid({ shows, expected = 12 }: ShowGridProps) {
  if (shows === undefined) {
    return (
      <div class="show-grid" role="status" aria-label={shellMessages.current.loading}>
        {Array.from({ length: expected }, (_, place) => (
          <div key={place} class="show-card">
            <Skeleton height="100%" />
          </div>
        ))}
      </div>
    )
  }
  return (
    <ul class="show-grid">
      {shows.map((show) => (
        <li key={show.id}>
          <ShowCard show={show} />
        </li>
      ))}
    </ul>
  )
}
