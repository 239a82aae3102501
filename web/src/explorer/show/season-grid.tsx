import { offersIn, type Season, type ServiceInfo } from 'marquee-client'
import { useMessages, useViewer } from '../../app/context.ts'
import { Table } from '../../components/table.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { ServiceMark } from '../components/service-logo.tsx'
import './season-grid.css'

/** A table of seasons by service. */
export function SeasonGrid({ seasons }: { seasons: readonly Season[] }) {
  const t = useMessages(explorerMessages).show
  const { services, rows } = seasonAvailability(seasons, useViewer().country)
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
        {joinSeasons(rows).map(({ season, last, shares }, row) => (
          <tr key={`${row} ${season.title}`}>
            <th scope="row" dir="auto">
              {season === last ? season.title : `${season.title} – ${last.title}`}
            </th>
            {shares.map((share, column) => (
              <td key={services[column]?.id}>
                <ShareCell share={share} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  )
}

function ShareCell({ share }: { share: Share }) {
  const t = useMessages(explorerMessages).show
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

/** Number of episodes of a season that a service has. */
interface Share {
  readonly episodes: number
  readonly of: number
}

/** A season with a share for each service. */
interface SeasonRow {
  readonly season: Season
  readonly shares: readonly Share[]
}

interface SeasonAvailability {
  readonly services: readonly ServiceInfo[]
  readonly rows: readonly SeasonRow[]
}

/** Computes which episodes of each season each service has in a country. */
export function seasonAvailability(seasons: readonly Season[], country: string): SeasonAvailability {
  const services = new Map<string, ServiceInfo>()
  for (const season of seasons) {
    for (const item of [season, ...(season.episodes ?? [])]) {
      for (const { service } of offersIn(item, country)) services.set(service.id, service)
    }
  }
  const ids = [...services.keys()]
  const rows = seasons.map((season) => ({ season, shares: ids.map((id) => seasonShare(season, id, country)) }))
  return { services: [...services.values()], rows }
}

function seasonShare(season: Season, service: string, country: string): Share {
  const has = (item: Pick<Season, 'streamingOptions'>) =>
    offersIn(item, country).some((offer) => offer.service.id === service)
  const episodes = season.episodes ?? []
  const found = episodes.filter(has).length
  // Some sources have offers of seasons only. Then the season counts as complete.
  if (found === 0 && has(season)) return { episodes: Math.max(1, episodes.length), of: Math.max(1, episodes.length) }
  return { episodes: found, of: episodes.length }
}

/** Seasons that have a row each. */
const MAX_SINGLE_ROWS = 8

/** A row of a season, or of a run of seasons up to the last one. */
interface JoinedRow extends SeasonRow {
  readonly last: Season
}

/** The rows of a long series: seasons in a row that the same services have are joined. */
export function joinSeasons(rows: readonly SeasonRow[]): JoinedRow[] {
  const joined: JoinedRow[] = []
  for (const row of rows) {
    const before = joined.at(-1)
    const isSame = rows.length > MAX_SINGLE_ROWS && before !== undefined && haveSameText(before.shares, row.shares)
    if (isSame) joined[joined.length - 1] = { ...before, last: row.season }
    else joined.push({ ...row, last: row.season })
  }
  return joined
}

/** Whether two seasons are whole, missing or as incomplete on the same services. */
function haveSameText(shares: readonly Share[], others: readonly Share[]): boolean {
  return shares.every((share, at) => {
    const other = others[at]
    if (other === undefined) return false
    if (share.episodes === 0 || other.episodes === 0) return share.episodes === other.episodes
    if (share.episodes >= share.of) return other.episodes >= other.of
    return share.episodes === other.episodes && share.of === other.of
  })
}
