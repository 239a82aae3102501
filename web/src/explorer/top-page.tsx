import type { Service, Show } from 'marquee-client'
import { useFormats, useHref, useLocation, useMessages, useViewer } from '../app/context.ts'
import '../components/choice.css'
import { Notice } from '../components/feedback.tsx'
import { topListsQuery } from '../data/queries.ts'
import { useCountry, useQuery } from '../data/use-query.ts'
import { Failure } from '../layout/failure.tsx'
import { SITE_CARD, useHead } from '../layout/page-head.ts'
import { explorerMessages, layoutMessages } from '../messages/tables.ts'
import { readShowType } from './calendar/calendar-choice.ts'
import { Poster } from './components/poster.tsx'
import { ServiceLogo } from './components/service-logo.tsx'
import { ShowGrid, showYears } from './components/show-card.tsx'
import { showPath } from './show-path.ts'
import './top-page.css'

/** The official top lists of all services of the country that publish one. */
export default function TopPage() {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages)
  const types = useMessages(layoutMessages).search.types
  const viewer = useViewer()
  const showType = readShowType(useLocation().query.get('show_type')) ?? 'movie'
  useHead({ title: t.top.title, description: t.top.lead, canonical: '/top', image: SITE_CARD })
  const known = useCountry()
  const lists = useQuery(known.state === 'ready' ? topListsQuery(viewer, showType, known.value.services) : undefined)
  const failed = known.state === 'failed' ? known : lists.state === 'failed' ? lists : undefined
  return (
    <div class="stack">
      <h1>{t.top.title}</h1>
      <p class="soft">{t.top.lead}</p>
      <div class="chips">
        {(['movie', 'series'] as const).map((type) => (
          <a
            key={type}
            class="chip"
            href={hrefTo('/top', { show_type: type === 'movie' ? undefined : type })}
            aria-current={showType === type ? 'true' : undefined}
          >
            {types[type]}
          </a>
        ))}
      </div>
      {failed !== undefined && <Failure error={failed.error} retry={failed.retry} />}
      {failed === undefined && lists.state === 'loading' && <ShowGrid shows={undefined} />}
      {lists.state === 'ready' && lists.value.length === 0 && (
        <Notice title={t.top.none}>
          <p>{t.top.help}</p>
        </Notice>
      )}
      {lists.state === 'ready' && (
        <div class="tops">
          {lists.value.map(({ service, shows }) => (
            <TopList key={service.id} service={service} shows={shows} />
          ))}
        </div>
      )}
    </div>
  )
}

interface TopListProps {
  readonly service: Service
  readonly shows: readonly Show[]
}

/** Length of a list. */
const MAX_RANK = 10

/** The top list of a service. */
function TopList({ service, shows }: TopListProps) {
  const format = useFormats()
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).top
  return (
    <section class="top">
      <h2>
        <ServiceLogo service={service} />
      </h2>
      <ol>
        {shows.slice(0, MAX_RANK).map((show, place) => (
          <li key={show.id} class="top-place">
            <span class="top-rank" title={t.rank(place + 1)}>
              {format.number(place + 1)}
            </span>
            <Poster show={show} sizes="48px" isDecoration={true} />
            <span class="top-text">
              <a href={hrefTo(showPath(show))} dir="auto">
                {show.title}
              </a>
              <span class="soft">{showYears(show)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
