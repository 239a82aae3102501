import type { Service, Show, ShowType } from 'marquee-client'
import { hrefTo, viewer } from '../app/viewer.ts'
import { Chip } from '../components/choice.tsx'
import { Notice } from '../components/feedback.tsx'
import { marquee } from '../data/client.ts'
import { useAnswer, useCountry } from '../data/use-query.ts'
import { formatNumber } from '../i18n/formats.ts'
import { Failure } from '../layout/failure.tsx'
import { useTitle } from '../layout/page-title.ts'
import { explorerMessages, shellMessages } from '../messages/tables.ts'
import { location, navigate } from '../routing/router.ts'
import { Poster } from './components/poster.tsx'
import { ServiceLogo } from './components/service-logo.tsx'
import { ShowGrid, yearsOf } from './components/show-card.tsx'
import './top-page.css'

interface ListOfService {
  readonly service: Service
  readonly shows: readonly Show[]
}

/** The official top lists of all services of the country that publish one. */
export default function TopPage() {
  const t = explorerMessages.current
  const types = shellMessages.current.search.types
  const { country, language } = viewer.value
  const chosen = location.value.query.get('show_type')
  const showType: ShowType = chosen === 'series' ? 'series' : 'movie'
  useTitle(t.top.title)
  const known = useCountry()
  const services = known.state === 'ready' ? known.value.services : undefined
  const key = services === undefined ? undefined : `top ${country} ${language} ${showType}`
  const lists = useAnswer(key, async (signal): Promise<ListOfService[]> => {
    const asked = (services ?? []).map(async (service) => {
      const parameters = { country, service: service.id, showType, outputLanguage: language }
      return { service, shows: await marquee.shows.top(parameters, { signal }) }
    })
    // Which services have a list is not told beforehand; those without answer with an empty one.
    return (await Promise.all(asked)).filter(({ shows }) => shows.length > 0)
  })
  const failed = known.state === 'failed' ? known : lists.state === 'failed' ? lists : undefined
  return (
    <div class="stack">
      <h1>{t.top.title}</h1>
      <p class="soft">{t.top.lead}</p>
      <div class="chips">
        {(['movie', 'series'] as const).map((type) => (
          <Chip
            key={type}
            isOn={showType === type}
            onToggle={() => navigate(hrefTo('/top', { show_type: type === 'movie' ? undefined : type }))}
          >
            {types[type]}
          </Chip>
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

/** How many places of a list are shown. */
const MAX_RANK = 10

/** The first places of a service's list. */
export function TopList({ service, shows }: TopListProps) {
  const t = explorerMessages.current.top
  return (
    <section class="top">
      <h2>
        <ServiceLogo service={service} />
      </h2>
      <ol>
        {shows.slice(0, MAX_RANK).map((show, place) => (
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
