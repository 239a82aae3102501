import { useHref, useMessages, useOwnServices } from '../../app/context.ts'
import { useCountry } from '../../data/use-query.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { type BrowseFilters, filtersAsQuery } from '../browse/browse-filters.ts'
import { includedCatalogs } from '../included.ts'
import '../../components/choice.css'

/** The catalogs that are included for the viewer, once the services of the country are known. */
export function useIncludedCatalogs(): { readonly included: readonly string[]; readonly isKnown: boolean } {
  const own = useOwnServices()
  const country = useCountry()
  const services = country.state === 'ready' ? country.value.services : undefined
  return { included: includedCatalogs(services, own), isKnown: own.size === 0 || country.state !== 'loading' }
}

/** The choice between what is included for the viewer, and everything with rent and buy. */
export function WaysChoice({ filters }: { filters: BrowseFilters }) {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).included
  const choices = [
    ['included', t.only],
    ['all', t.all],
  ] as const
  return (
    <nav class="chips ways-choice" aria-label={t.label}>
      {choices.map(([ways, name]) => (
        <a
          key={ways}
          class="chip"
          href={hrefTo('/browse', filtersAsQuery({ ...filters, ways }))}
          aria-current={filters.ways === ways ? 'true' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}
