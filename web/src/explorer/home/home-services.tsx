import { useCountry } from '../../data/reference.ts'
import { hrefTo } from '../../routing/href-to.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { explorerMessages } from '../messages.ts'
import { ServiceLogo } from '../parts/service-logo.tsx'

/** How many services stand on the start page; they come by popularity. */
const MOST = 9

/** The services of the country, each leading to what it has. */
export function HomeServices() {
  const t = explorerMessages.current.home
  const country = useCountry()
  if (country.state === 'failed') return null
  return (
    <nav class="home-services" aria-label={t.services}>
      {country.state === 'loading' ? (
        <Skeleton height="3rem" />
      ) : (
        <ul>
          {country.value.services.slice(0, MOST).map((service) => (
            <li key={service.id}>
              <a href={hrefTo('/browse', { catalogs: [service.id] })}>
                <ServiceLogo service={service} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}
