import type { Season } from 'marquee-client'
import { viewer } from '../../data/viewer.ts'
import { Table } from '../../ui/table.tsx'
import { explorerMessages } from '../messages.ts'
import { ServiceMark } from '../parts/service-mark.tsx'
import { type Share, seasonAvailability } from './season-availability.ts'
import './season-grid.css'

/** Which season is on which service, at a glance. */
export function SeasonGrid({ seasons }: { seasons: readonly Season[] }) {
  const t = explorerMessages.current.show
  const { services, rows } = seasonAvailability(seasons, viewer.value.country)
  if (services.length === 0) return null
  return (
    <section class="season-grid">
      <h2>{t.grid}</h2>
      <Table
        caption={t.grid}
        head={[
          t.season,
          ...services.map((service) => (
            <span key={service.id} class="season-grid-service">
              <ServiceMark service={service} />
              <span aria-hidden="true">{service.name}</span>
            </span>
          )),
        ]}
      >
        {rows.map(({ season, shares }, row) => (
          <tr key={`${row} ${season.title}`}>
            <th scope="row" dir="auto">
              {season.title}
            </th>
            {shares.map((share, column) => (
              <td key={services[column]?.id}>
                <ShareOfSeason share={share} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  )
}

function ShareOfSeason({ share }: { share: Share }) {
  const t = explorerMessages.current.show
  if (share.episodes === 0) {
    return (
      <span class="share share-none" title={t.notThere}>
        <span aria-hidden="true">–</span>
        <span class="unseen">{t.notThere}</span>
      </span>
    )
  }
  if (share.episodes >= share.of) {
    return (
      <span class="share share-all" title={t.everyEpisode}>
        <span aria-hidden="true">✓</span>
        <span class="unseen">{t.everyEpisode}</span>
      </span>
    )
  }
  return <span class="share share-some">{t.someEpisodes(share.episodes, share.of)}</span>
}
