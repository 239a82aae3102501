import type { Show } from 'marquee-client'
import { useState } from 'preact/hooks'
import { useFormats, useHref, useLocation, useMessages, useOwnServices, useViewer } from '../../app/context.ts'
import { Chip } from '../../components/choice.tsx'
import { Badge, Skeleton } from '../../components/feedback.tsx'
import { QueryForm } from '../../components/query-form.tsx'
import { SafeLink } from '../../components/safe-url.tsx'
import { Table } from '../../components/table.tsx'
import { countriesQuery } from '../../data/queries.ts'
import { useQuery } from '../../data/use-query.ts'
import { Failure } from '../../layout/failure.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { ServiceMark } from '../components/service-logo.tsx'
import { type CountryWays, countryRows, waysFilters } from './country-rows.ts'
import type { Way } from './ways-to-watch.ts'
import './country-table.css'

/** The offers of a show in all countries, with links to the same page for each country. */
export function CountryTable({ id }: { id: string }) {
  const t = useMessages(explorerMessages).show
  const result = useQuery(countriesQuery(id))
  return (
    <section class="countries" id="countries">
      <h2>{t.countries}</h2>
      {result.state === 'failed' && <Failure error={result.error} retry={result.retry} />}
      {result.state === 'loading' && <Skeleton height="16rem" />}
      {result.state === 'ready' && <Countries show={result.value} />}
    </section>
  )
}

/** The name of the filter in the URL. */
const FILTER_NAME = 'offers'

/** The countries in which the show can be watched in a way of the chosen kind. */
function Countries({ show }: { show: Pick<Show, 'streamingOptions'> }) {
  const format = useFormats()
  const t = useMessages(explorerMessages).show
  const { country, language: lang } = useViewer()
  const { path, query } = useLocation()
  const own = useOwnServices()
  const filters = waysFilters(show, own)
  // Without a script it is chosen by the URL.
  const [chosen, choose] = useState(query.get(FILTER_NAME))
  // What the viewer has comes first: that is what the table is mostly asked for.
  const filter = (filters.find((one) => one.filter === chosen) ?? filters[0])?.filter
  const rows = countryRows(show, { own, filter: filter ?? 'all', country, name: (code) => format.regionName(code) })
  const isByPrice = filter === 'rent' || filter === 'buy'
  return (
    <>
      {filters.length > 1 && (
        <QueryForm path={`${path}#countries`} kept={{ country, lang }}>
          <fieldset class="chips country-filters">
            <legend class="unseen">{t.waysFilter}</legend>
            {filters.map(({ filter: one, countries }) => (
              <Chip key={one} name={FILTER_NAME} value={one} isOn={one === filter} onToggle={() => choose(one)}>
                {t.waysFilters[one]} <span class="option-count">{format.number(countries)}</span>
              </Chip>
            ))}
          </fieldset>
        </QueryForm>
      )}
      {isByPrice && <p class="soft country-note">{t.priceNote}</p>}
      <Table caption={t.countries} head={[t.country, t.ways]}>
        {rows.map((row) => (
          <CountryRow key={row.code} row={row} isHere={row.code === country} />
        ))}
      </Table>
    </>
  )
}

function CountryRow({ row: { code, name, ways }, isHere }: { row: CountryWays; isHere: boolean }) {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).show
  const { path } = useLocation()
  return (
    <tr class={isHere ? 'country-here' : undefined}>
      <th scope="row">
        {isHere ? (
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
  )
}

/** A service, and what it costs there: one link to the offer. */
function CountryWay({ way: { service, type, addon, offers, isIncluded } }: { way: Way }) {
  const format = useFormats()
  const t = useMessages(explorerMessages)
  const [{ price, link, videoLink }] = offers
  const kind = addon === undefined ? t.types[type] : t.show.through(addon.name)
  return (
    <SafeLink class="country-way" href={videoLink ?? link}>
      <span aria-hidden="true">
        <ServiceMark service={service} />
      </span>
      <span>
        {service.name} <span class="soft">{kind}</span>
      </span>
      {price !== undefined && <span class="country-price">{format.price(price)}</span>}
      {isIncluded && type !== 'free' && <Badge kind="good">{t.show.included}</Badge>}
    </SafeLink>
  )
}
