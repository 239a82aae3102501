import { offersIn, type Show } from 'marquee-client'
import { useHref, useMessages, useOwnServices, useViewer } from '../../app/context.ts'
import { Badge, Skeleton } from '../../components/feedback.tsx'
import { layoutMessages } from '../../messages/tables.ts'
import { isIncluded } from '../included.ts'
import { showPath } from '../show-path.ts'
import { Poster } from './poster.tsx'
import { ServiceLogos } from './service-logo.tsx'
import './show-card.css'

/** Poster, title, year and services of a show. */
function ShowCard({ show }: { show: Show }) {
  const { country } = useViewer()
  const hrefTo = useHref()
  const { included, search: t } = useMessages(layoutMessages)
  const own = useOwnServices()
  const offers = offersIn(show, country)
  return (
    <article class="show-card">
      <a href={hrefTo(showPath(show))}>
        <Poster show={show} sizes="(max-width: 30rem) 45vw, 12rem" isDecoration={true} />
        <h3 dir="auto">{show.title}</h3>
      </a>
      <p class="soft">{[showYears(show), t.types[show.showType]].filter(Boolean).join(' · ')}</p>
      {offers.some((offer) => isIncluded(offer, own)) && own.size > 0 && <Badge kind="good">{included}</Badge>}
      <ServiceLogos offers={offers} />
    </article>
  )
}

interface ShowGridProps {
  /** Undefined while they are loading. */
  readonly shows: readonly Show[] | undefined
  /** The number of placeholders while loading. */
  readonly expected?: number
}

/** A grid of shows. */
export function ShowGrid({ shows, expected = 12 }: ShowGridProps) {
  const layoutText = useMessages(layoutMessages)
  if (shows === undefined) {
    return (
      <div class="show-grid" role="status" aria-label={layoutText.loading}>
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

/** The year of a movie, or the years of a series: `2008–2013`. Empty if they are unknown. */
export function showYears(show: Show): string {
  if (show.showType === 'movie') return String(show.releaseYear ?? '')
  const { firstAirYear: first, lastAirYear: last } = show
  if (first === undefined) return ''
  return last === undefined || last === first ? String(first) : `${first}–${last}`
}
