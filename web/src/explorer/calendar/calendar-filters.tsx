import type { ItemType } from 'marquee-client'
import { useHref, useLocation, useMessages, useNavigate, useOwnServices } from '../../app/context.ts'
import { keptValues } from '../../app/viewer.ts'
import { SelectField } from '../../components/field.tsx'
import { QueryForm } from '../../components/query-form.tsx'
import { useCountry } from '../../data/use-query.ts'
import { explorerMessages, layoutMessages } from '../../messages/tables.ts'
import { ALL_SERVICES } from './calendar-choice.ts'

interface CalendarFiltersProps {
  readonly service: string
  readonly itemType: ItemType
  readonly showType: string
}

/** Filters by service, item type and show type. */
export function CalendarFilters({ service, itemType, showType }: CalendarFiltersProps) {
  const t = useMessages(explorerMessages)
  const { apply, search } = useMessages(layoutMessages)
  const { types } = search
  const { path, query } = useLocation()
  const country = useCountry()
  const hasOwn = useOwnServices().size > 0
  const calendarHref = useCalendarHref()
  const navigate = useNavigate()
  const changeCalendar = (values: Readonly<Record<string, string>>) => navigate(calendarHref(values))
  const services = country.state === 'ready' ? country.value.services : []
  return (
    <QueryForm class="calendar-filters" path={path} kept={keptValues(query)} submit={apply}>
      <SelectField
        label={t.calendar.service}
        name="service"
        value={service}
        onChange={({ currentTarget }) => changeCalendar({ service: currentTarget.value })}
      >
        {hasOwn && <option value="">{t.included.short}</option>}
        <option value={hasOwn ? ALL_SERVICES : ''}>{t.calendar.everyService}</option>
        {service !== '' && service !== ALL_SERVICES && country.state !== 'ready' && (
          <option value={service}>{service}</option>
        )}
        {services.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t.calendar.item}
        name="item_type"
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
        name="show_type"
        value={showType}
        onChange={({ currentTarget }) => changeCalendar({ show_type: currentTarget.value })}
      >
        <option value="">{t.browse.everyType}</option>
        <option value="movie">{types.movie}</option>
        <option value="series">{types.series}</option>
      </SelectField>
    </QueryForm>
  )
}

/** Builds the URL of the same calendar with other values; an empty value removes one. */
export function useCalendarHref(): (values: Readonly<Record<string, string>>) => string {
  const hrefTo = useHref()
  const { path, query } = useLocation()
  return (values) => hrefTo(path, { ...keptValues(query), ...values })
}
