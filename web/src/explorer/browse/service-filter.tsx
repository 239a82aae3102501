import type { Service, StreamingOptionType } from 'marquee-client'
import { useMessages } from '../../app/context.ts'
import { Chip } from '../../components/choice.tsx'
import { Skeleton } from '../../components/feedback.tsx'
import { useCountry } from '../../data/use-query.ts'
import { Failure } from '../../layout/failure.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { ServiceLogo } from '../components/service-logo.tsx'
import { catalogPart, hasService, togglePart, toggleService } from './catalog-choice.ts'
import { FilterGroup, OptionChip } from './filter-controls.tsx'

interface ServiceFilterProps {
  readonly catalogs: readonly string[]
  /** Titles by service. */
  readonly counts?: ReadonlyMap<string, number> | undefined
  readonly onChange: (catalogs: string[]) => void
}

const TYPES: readonly StreamingOptionType[] = ['subscription', 'free', 'rent', 'buy', 'addon']

/** The services of the country, and of selected ones their option types and addons. */
export function ServiceFilter({ catalogs, counts, onChange }: ServiceFilterProps) {
  const t = useMessages(explorerMessages).browse
  const country = useCountry()
  return (
    <FilterGroup label={t.services} isOpen={true}>
      {country.state === 'loading' && <Skeleton height="12rem" />}
      {country.state === 'failed' && <Failure error={country.error} retry={country.retry} />}
      {country.state === 'ready' && (
        <>
          <div class="service-choices">
            {country.value.services.map((service) => (
              <OptionChip
                key={service.id}
                name="catalogs"
                value={toggleService(catalogs, service.id).join()}
                isOn={hasService(catalogs, service.id)}
                count={counts && (counts.get(service.id) ?? 0)}
                onToggle={() => onChange(toggleService(catalogs, service.id))}
              >
                <ServiceLogo service={service} />
              </OptionChip>
            ))}
          </div>
          {country.value.services
            .filter(({ id }) => hasService(catalogs, id))
            .map((service) => (
              <ServiceParts key={service.id} service={service} catalogs={catalogs} onChange={onChange} />
            ))}
        </>
      )}
    </FilterGroup>
  )
}

function ServiceParts({ service, catalogs, onChange }: ServiceFilterProps & { readonly service: Service }) {
  const t = useMessages(explorerMessages)
  const types = TYPES.filter((type) => service.streamingOptionTypes[type])
  const parts = [
    ...types.map((type) => ({ part: catalogPart(service.id, type), name: t.types[type] })),
    ...service.addons.map(({ id, name }) => ({ part: catalogPart(service.id, 'addon', id), name })),
  ]
  if (parts.length < 2) return null
  return (
    <details class="service-parts" open={true}>
      <summary>{service.name}</summary>
      <div class="chips">
        <Chip
          name="catalogs"
          value={selectAll(catalogs, service.id).join()}
          isOn={catalogs.includes(service.id)}
          onToggle={() => onChange(selectAll(catalogs, service.id))}
        >
          {t.browse.allOf}
        </Chip>
        {parts.map(({ part, name }) => (
          <Chip
            key={part}
            name="catalogs"
            value={togglePart(catalogs, part).join()}
            isOn={catalogs.includes(part)}
            onToggle={() => onChange(togglePart(catalogs, part))}
          >
            {name}
          </Chip>
        ))}
      </div>
    </details>
  )
}

function selectAll(catalogs: readonly string[], service: string): string[] {
  return toggleService(toggleService(catalogs, service), service)
}
