import type { Show } from 'marquee-client'
import { useFormats, useHref, useLocation, useMessages, useOwnServices, useViewer } from '../../app/context.ts'
import { textLanguage } from '../../app/viewer.ts'
import { Badge, Skeleton } from '../../components/feedback.tsx'
import { Table } from '../../components/table.tsx'
import { useQuery } from '../../data/use-query.ts'
import type { Formats } from '../../i18n/formats.ts'
import { Failure } from '../../layout/failure.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { ServiceMark } from '../components/service-logo.tsx'
import type { OwnServices } from '../included.ts'
import { type Way, waysToWatch } from './ways-to-watch.ts'
import './country-table.css'

/** The offers of a show in all countries, with links to the same page for each country. */
export function CountryTable({ show }: { show: Show }) {
  const format = useFormats()
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).show
  const viewer = useViewer()
  const { country } = viewer
  const { path } = useLocation()
  const own = useOwnServices()
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
        <Table caption={t.countries} head={[t.country, t.ways]}>
          {countryRows(result.value, own, format).map(({ code, name, ways }) => (
            <tr key={code} class={code === country ? 'country-here' : undefined}>
              <th scope="row">
                {code === country ? (
                  <>
                    {name} <span class="soft">({t.here})</span>
                  </>
                ) : (
                  <a href={hrefTo(path, { country: code })}>{name}</a>
                )}
              </th>
              <td>
                <ul class="country-ways">
                  {ways.map((way) => (
                    <li key={way.key}>
                      <CountryWay way={way} />
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

/** A service, and what it costs there. */
function CountryWay({ way: { service, type, addon, offers, isIncluded } }: { way: Way }) {
  const format = useFormats()
  const t = useMessages(explorerMessages)
  const [{ price }] = offers
  const kind = addon === undefined ? t.types[type] : t.show.through(addon.name)
  return (
    <>
      <span aria-hidden="true">
        <ServiceMark service={service} />
      </span>
      <span>
        {service.name}{' '}
        <span class="soft">
          {kind}
          {price !== undefined && ` ${format.price(price)}`}
        </span>
      </span>
      {isIncluded && type !== 'free' && <Badge kind="good">{t.show.included}</Badge>}
    </>
  )
}

/** A row for each country: those with a service that the viewer has come first, then by name. */
function countryRows(show: Show, own: OwnServices, format: Formats) {
  const rows = Object.entries(show.streamingOptions).map(([code, offers = []]) => {
    const ways = waysToWatch(offers, own)
    return { code, ways, isOwn: ways.some(({ service }) => own.has(service.id)), name: format.regionName(code) }
  })
  return rows.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.name.localeCompare(b.name))
}
