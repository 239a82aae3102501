import { offersByType, type ServiceInfo, type Show, type StreamingOptionType } from 'marquee-client'
import { hrefTo, viewer } from '../../app/viewer.ts'
import { Skeleton } from '../../components/feedback.tsx'
import { Table } from '../../components/table.tsx'
import { marquee } from '../../data/client.ts'
import { useAnswer } from '../../data/use-query.ts'
import { formatPrice, regionName } from '../../i18n/formats.ts'
import { Failure } from '../../layout/failure.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { location } from '../../routing/router.ts'
import { ServiceMark } from '../components/service-logo.tsx'
import './country-table.css'

/** Where a show can be watched in the rest of the world. A country's name leads to the same page for it. */
export function CountryTable({ show }: { show: Show }) {
  const t = explorerMessages.current.show
  const { country, language } = viewer.value
  const answer = useAnswer(`show everywhere ${show.id} ${language}`, (signal) =>
    marquee.shows.get(show.id, { seriesGranularity: 'show', outputLanguage: language }, { signal }),
  )
  return (
    <section class="countries">
      <h2>{t.countries}</h2>
      {answer.state === 'failed' && <Failure error={answer.error} retry={answer.retry} />}
      {answer.state === 'loading' && <Skeleton height="16rem" />}
      {answer.state === 'ready' && (
        <Table caption={t.countries} head={[t.country, t.services, t.ways]}>
          {rowsOf(answer.value).map(({ code, services, ways }) => (
            <tr key={code} class={code === country ? 'country-here' : undefined}>
              <th scope="row">
                {code === country ? (
                  <>
                    {regionName(code)} <span class="soft">({t.here})</span>
                  </>
                ) : (
                  <a href={hrefTo(location.value.path, { country: code })}>{regionName(code)}</a>
                )}
              </th>
              <td>
                <ul class="country-services">
                  {services.map((service) => (
                    <li key={service.id}>
                      <ServiceMark service={service} />
                      <span aria-hidden="true">{service.name}</span>
                    </li>
                  ))}
                </ul>
              </td>
              <td class="country-price">{ways.join(', ')}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

function rowsOf(show: Show) {
  const rows = Object.entries(show.streamingOptions).map(([code, offers = []]) => {
    const services = new Map<string, ServiceInfo>()
    for (const { service } of offers) services.set(service.id, service)
    return { code, services: [...services.values()], ways: waysOf(show, code) }
  })
  return rows.sort((a, b) => regionName(a.code).localeCompare(regionName(b.code)))
}

/** The ways to watch in a country; of those that cost by the piece, the least that they cost. */
function waysOf(show: Show, country: string): string[] {
  const { types } = explorerMessages.current
  return Object.entries(offersByType(show, country)).flatMap(([type, offers]) => {
    if (offers.length === 0) return []
    const prices = offers.flatMap(({ price }) => (price === undefined ? [] : [price]))
    const least = prices.sort((a, b) => Number(a.amount) - Number(b.amount))[0]
    const name = types[type as StreamingOptionType]
    return [least === undefined ? name : `${name} ${formatPrice(least)}`]
  })
}
