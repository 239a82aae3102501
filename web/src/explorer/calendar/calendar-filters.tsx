import type { ItemType } from 'marquee-client'
import { hrefTo } from '../../app/viewer.ts'
import { SelectField } from '../../components/field.tsx'
import { useCountry } from '../../data/use-query.ts'
import { explorerMessages, shellMessages } from '../../messages/tables.ts'
import { location, navigate } from '../../routing/router.ts'

interface CalendarFiltersProps {
  readonly service: string
  readonly itemType: ItemType
  readonly showType: string
}

/** Whose changes, and of what. */
export function CalendarFilters({ service, itemType, showType }: CalendarFiltersProps) {
  const t = explorerMessages.current
  const types = shellMessages.current.search.types
  const country = useCountry()
  const services = country.state === 'ready' ? country.value.services : []
  return (
    <div class="calendar-filters">
      <SelectField
        label={t.calendar.service}
        value={service}
        onChange={({ currentTarget }) => changeCalendar({ service: currentTarget.value })}
      >
        <option value="">{t.calendar.everyService}</option>
        {service !== '' && country.state !== 'ready' && <option value={service}>{service}</option>}
        {services.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t.calendar.item}
        value={itemType}
        onChange={({ currentTarget }) => changeCalendar({ item_type: currentTarget.value })}
      >
        {Object.entries(t.calendar.items).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t.browse.showType}
        value={showType}
        onChange={({ currentTarget }) => changeCalendar({ show_type: currentTarget.value })}
      >
        <option value="">{t.browse.everyType}</option>
        <option value="movie">{types.movie}</option>
        <option value="series">{types.series}</option>
      </SelectField>
    </div>
  )
}

/** The address of the same calendar with something else chosen; an empty value takes a choice back. */
export function calendarHref(values: Readonly<Record<string, string>>): string {
  const { path, query } = location.value
  return hrefTo(path, { ...Object.fromEntries(query), ...values })
}

function changeCalendar(values: Readonly<Record<string, string>>): void {
  navigate(calendarHref(values))
}
