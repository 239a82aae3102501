import type { Service, Show, ShowType } from 'marquee-client'
import { marquee } from '../../data/marquee.ts'
import { useCountry } from '../../data/reference.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { viewer } from '../../data/viewer.ts'
import { hrefTo } from '../../routing/href-to.ts'
import { location, navigate } from '../../routing/location.ts'
import { Failure } from '../../shell/failure.tsx'
import { shellMessages } from '../../shell/messages.ts'
import { useTitle } from '../../shell/use-title.ts'
import { Chip } from '../../ui/chip.tsx'
import { Notice } from '../../ui/notice.tsx'
import { explorerMessages } from '../messages.ts'
import { ShowGrid } from '../parts/show-grid.tsx'
import { TopList } from './top-list.tsx'
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
