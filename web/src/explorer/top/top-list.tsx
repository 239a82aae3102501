import type { Service, Show } from 'marquee-client'
import { formatNumber } from '../../i18n/formats.ts'
import { hrefTo } from '../../routing/href-to.ts'
import { explorerMessages } from '../messages.ts'
import { Poster } from '../parts/poster.tsx'
import { ServiceLogo } from '../parts/service-logo.tsx'
import { yearsOf } from '../parts/years-of.ts'

interface TopListProps {
  readonly service: Service
  readonly shows: readonly Show[]
}

/** How many places of a list are shown. */
const PLACES = 10

/** The first places of a service's list. */
export function TopList({ service, shows }: TopListProps) {
  const t = explorerMessages.current.top
  return (
    <section class="top">
      <h2>
        <ServiceLogo service={service} />
      </h2>
      <ol>
        {shows.slice(0, PLACES).map((show, place) => (
          <li key={show.id} class="top-place">
            <span class="top-rank" title={t.rank(place + 1)}>
              {formatNumber(place + 1)}
            </span>
            <Poster show={show} sizes="48px" isDecoration={true} />
            <span class="top-text">
              <a href={hrefTo(`/show/${show.id}`)} dir="auto">
                {show.title}
              </a>
              <span class="soft">{yearsOf(show)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
