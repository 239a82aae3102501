import { offersIn, type Show } from 'marquee-client'
import { useHref, useMessages, useViewer } from '../../app/context.ts'
import { Skeleton } from '../../components/feedback.tsx'
import { layoutMessages } from '../../messages/tables.ts'
import { Poster } from './poster.tsx'
import { ServiceLogos } from './service-logo.tsx'
import './show-card.css'

/** A show among others: its poster, name and year, and who has it. */
export function ShowCard({ show }: { show: Show }) {
  const { country } = useViewer()
  const hrefTo = useHref()
  const t = useMessages(layoutMessages).search
  return (
    <article class="show-card">
      <a href={hrefTo(`/show/${show.id}`)}>
        <Poster show={show} sizes="(max-width: 30rem) 45vw, 12rem" isDecoration={true} />
        <h3 dir="auto">{show.title}</h3>
      </a>
      <p class="soft">{[showYears(show), t.types[show.showType]].filter(Boolean).join(' · ')}</p>
      <ServiceLogos offers={offersIn(show, country)} />
    </article>
  )
}

interface ShowGridProps {
  /** The shows; undefined while they are on their way. */
  readonly shows: readonly Show[] | undefined
  /** How many places are held for them. */
  readonly expected?: number
}

/** Shows side by side, as many in a row as there is room for. */
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

/** The year of a movie, or the years of a series: `2008–2013`. Empty where they are not known. */
export function showYears(show: Show): string {
  if (show.showType === 'movie') return String(show.releaseYear ?? '')
  const { firstAirYear: first, lastAirYear: last } = show
  if (first === undefined) return ''
  return last === undefined || last === first ? String(first) : `${first}–${last}`
}
