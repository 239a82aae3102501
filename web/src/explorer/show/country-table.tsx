import { offersByType, type ServiceInfo, type Show, type StreamingOptionType } from 'marquee-client'
import { useFormats, useHref, useLocation, useMessages, useViewer } from '../../app/context.ts'
import { textLanguage } from '../../app/viewer.ts'
import { Skeleton } from '../../components/feedback.tsx'
import { Table } from '../../components/table.tsx'
import { useQuery } from '../../data/use-query.ts'
import type { Formats } from '../../i18n/formats.ts'
import { Failure } from '../../layout/failure.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { ServiceMark } from '../components/service-logo.tsx'
import './country-table.css'

/** The offers of a show in all countries, with links to the same page for each country. */
export function CountryTable({ show }: { show: Show }) {
  const format = useFormats()
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).show
  const viewer = useViewer()
  const { country } = viewer
  const { path } = useLocation()
  const { types } = useMessages(explorerMessages)
  const result = useQuery({
    key: `show everywhere ${show.id} ${textLanguage(viewer)}`,
    fetch: (signal, client) =>
      client.shows.get(show.id, { seriesGranularity: 'show', outputLanguage: textLanguage(viewer) }, { signal }),
  })
  return (
    <section class="countries" id="countries">
      <h2>{t.countries}</h2>
      {result.state === 'failed' && <Failure error={result.error} retry={result.retry} />}
      {result.state === 'loading' && <Skeleton height="16rem" />}
      {result.state === 'ready' && (
        <Table caption={t.countries} head={[t.country, t.services, t.ways]}>
          {countryRows(result.value, format, types).map(({ code, services, ways }) => (
            <tr key={code} class={code === country ? 'country-here' : undefined}>
              <th scope="row">
                {code === country ? (
                  <>
                    {format.regionName(code)} <span class="soft">({t.here})</span>
                  </>
                ) : (
                  <a href={hrefTo(path, { country: code })}>{format.regionName(code)}</a>
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

type OptionTypeNames = Readonly<Record<StreamingOptionType, string>>

function countryRows(show: Show, format: Formats, types: OptionTypeNames) {
  const rows = Object.entries(show.streamingOptions).map(([code, offers = []]) => {
    const services = new Map<string, ServiceInfo>()
    for (const { service } of offers) services.set(service.id, service)
    return { code, services: [...services.values()], ways: optionSummaries(offersByType(show, code), format, types) }
  })
  return rows.sort((a, b) => format.regionName(a.code).localeCompare(format.regionName(b.code)))
}

/** The types of offers in a country, with the lowest price of each. */
function optionSummaries(byType: ReturnType<typeof offersByType>, format: Formats, types: OptionTypeNames): string[] {
  return Object.entries(byType).flatMap(([type, offers]) => {
    if (offers.length === 0) return []
    const prices = offers.flatMap(({ price }) => (price === undefined ? [] : [price]))
    const lowest = prices.sort((a, b) => Number(a.amount) - Number(b.amount))[0]
    const name = types[type as StreamingOptionType]
    return [lowest === undefined ? name : `${name} ${format.price(lowest)}`]
  })
}
