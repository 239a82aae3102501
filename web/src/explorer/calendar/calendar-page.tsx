import type { ChangeWithShow } from 'marquee-client'
import { useEffect } from 'preact/hooks'
import { useLocation, useMessages, useNavigate, useOwnServices, useViewer } from '../../app/context.ts'
import { Notice, Skeleton } from '../../components/feedback.tsx'
import { changesQuery } from '../../data/queries.ts'
import { usePages } from '../../data/use-pages.ts'
import { useCountry } from '../../data/use-query.ts'
import { SITE_CARD, useHead } from '../../layout/page-head.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { EndlessList } from '../components/endless-list.tsx'
import { includedCatalogs } from '../included.ts'
import { type CalendarName, calendarDirection, calendarParameters, readCalendar } from './calendar-choice.ts'
import { dayCounts, daysFrom, startOfDay } from './calendar-days.ts'
import { CalendarFilters, useCalendarHref } from './calendar-filters.tsx'
import { CalendarGrid } from './calendar-grid.tsx'
import { DayChanges } from './day-changes.tsx'
import './calendar-page.css'

/** Recent additions. */
export function NewPage() {
  return <CalendarPage name="new" />
}

/** Offers that end soon. */
export function LeavingPage() {
  return <CalendarPage name="leaving" />
}

/** Announced offers. */
export function UpcomingPage() {
  return <CalendarPage name="upcoming" />
}

/** A calendar to pick a day from, and the changes by day. */
function CalendarPage({ name }: { name: CalendarName }) {
  const calendarHref = useCalendarHref()
  const t = useMessages(explorerMessages).calendar
  const { query } = useLocation()
  const viewer = useViewer()
  useHead({ title: t[name].title, description: t[name].lead, canonical: `/${name}`, image: SITE_CARD })
  const direction = calendarDirection(name)
  const now = Math.floor(Date.now() / 1000)
  const country = useCountry()
  const services = country.state === 'ready' ? country.value.services : undefined
  const choice = readCalendar(name, query, services)
  const { day, standing, service, itemType, showType } = choice
  useDropService(query.get('service') ?? '', service)
  const own = useOwnServices()
  const parameters = calendarParameters(name, viewer, includedCatalogs(services, own), choice)
  const isKnown = (service === '' && own.size === 0) || country.state !== 'loading'
  const changes = usePages<ChangeWithShow>(
    parameters === undefined || !isKnown ? undefined : changesQuery(parameters, query.get('cursor')),
  )
  const days = byDay(changes.items)
  const isWhole = changes.state === 'idle' && changes.nextCursor === undefined
  const timestamps = changes.items.map(({ timestamp }) => timestamp)
  const counts = dayCounts(timestamps, day === undefined ? daysFrom(now, direction) : [day], isWhole)
  return (
    <>
      <h1>{t[name].title}</h1>
      <p class="soft">{t[name].lead}</p>
      <div class="calendar">
        <div class="calendar-side">
          <CalendarFilters service={service} itemType={itemType} showType={showType ?? ''} />
          <CalendarGrid direction={direction} chosen={day} counts={counts} />
        </div>
        {standing === 'known' ? (
          <EndlessList
            list={changes}
            placeholder={<Skeleton height="20rem" />}
            none={
              <Notice title={t[name].none}>
                <p>{t.help}</p>
              </Notice>
            }
          >
            {days.map(([start, ofDay]) => (
              <DayChanges key={start} day={start} changes={ofDay} />
            ))}
          </EndlessList>
        ) : (
          <div class="calendar-gone">
            <Notice title={t[standing]}>
              <p>
                <a href={calendarHref({ day: '' })}>{t.allDays}</a>
              </p>
            </Notice>
          </div>
        )}
      </div>
    </>
  )
}

/** Groups changes by day, in their order; undefined for those without a date. */
function byDay(changes: readonly ChangeWithShow[]): [number | undefined, ChangeWithShow[]][] {
  const days = new Map<number | undefined, ChangeWithShow[]>()
  for (const change of changes) {
    const day = change.timestamp === undefined ? undefined : startOfDay(change.timestamp)
    const ofDay = days.get(day)
    if (ofDay === undefined) days.set(day, [change])
    else ofDay.push(change)
  }
  return [...days]
}

/** Removes a service that the country lacks from the URL. */
function useDropService(requested: string, service: string): void {
  const navigate = useNavigate()
  const calendarHref = useCalendarHref()
  useEffect(() => {
    if (requested !== service) navigate(calendarHref({ service: '' }), { replace: true })
  }, [requested, service])
}
