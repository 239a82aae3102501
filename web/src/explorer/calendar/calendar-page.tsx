import type { ChangeWithShow } from 'marquee-client'
import { useEffect } from 'preact/hooks'
import { useLocation, useMessages, useNavigate, useOwnServices, useTimeZone, useViewer } from '../../app/context.ts'
import { Notice, Skeleton } from '../../components/feedback.tsx'
import { changesQuery } from '../../data/queries.ts'
import { usePages } from '../../data/use-pages.ts'
import { useCountry } from '../../data/use-query.ts'
import { toLocalSeconds } from '../../i18n/time-zone.ts'
import { SITE_CARD, useHead } from '../../layout/page-head.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { EndlessList } from '../components/endless-list.tsx'
import { FeedLinks, useFeeds } from '../components/feed-links.tsx'
import { useWideScreen } from '../components/wide-screen.ts'
import { includedCatalogs } from '../included.ts'
import {
  ALL_SERVICES,
  type CalendarName,
  calendarDirection,
  calendarParameters,
  localNow,
  readCalendar,
} from './calendar-choice.ts'
import { dayCounts, daysFrom, type Period, startOfDay } from './calendar-days.ts'
import { CalendarFilters, useCalendarHref } from './calendar-filters.tsx'
import { CalendarGrid } from './calendar-grid.tsx'
import { DayChanges, UndatedChanges } from './day-changes.tsx'
import './calendar-page.css'
import '../../components/choice.css'

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
  const direction = calendarDirection(name)
  const timeZone = useTimeZone()
  const now = localNow(timeZone)
  const country = useCountry()
  const services = country.state === 'ready' ? country.value.services : undefined
  const choice = readCalendar(name, query, timeZone, services)
  const { day, period, standing, service, itemType, showType } = choice
  useDropService(query.get('service') ?? '', service)
  const own = useOwnServices()
  const included = includedCatalogs(services, own)
  const catalogs = service === '' ? included : service === ALL_SERVICES ? [] : [service]
  const feeds = useFeeds({ catalogs, showType }, [name === 'leaving' ? 'leaving.ics' : 'new.ics'])
  useHead({ title: t[name].title, description: t[name].lead, canonical: `/${name}`, image: SITE_CARD, feeds })
  const parameters = calendarParameters(name, viewer, included, timeZone, choice)
  const isKnown = (service === '' && own.size === 0) || country.state !== 'loading'
  const changes = usePages<ChangeWithShow>(
    parameters === undefined || !isKnown ? undefined : changesQuery(parameters, query.get('cursor')),
  )
  const days = byDay(changes.items, timeZone)
  // On a phone the list comes first, and the days of the calendar are folded.
  const isWide = useWideScreen()
  // Announced changes without a date come after all others.
  const undated = name !== 'new' && day === undefined && period === 'all' ? parameters : undefined
  const nothing = (
    <Notice title={t[name].none}>
      <p>{t.help}</p>
    </Notice>
  )
  const isWhole = changes.state === 'idle' && changes.nextCursor === undefined
  const timestamps = changes.items.map(({ timestamp }) => timestamp && toLocalSeconds(timestamp, timeZone))
  const counts = dayCounts(timestamps, day === undefined ? daysFrom(now, direction) : [day], isWhole)
  return (
    <>
      <h1>{t[name].title}</h1>
      <p class="soft">{t[name].lead}</p>
      <div class="calendar">
        <div class="calendar-side">
          <CalendarFilters service={service} itemType={itemType} showType={showType ?? ''} />
          <PeriodChoice day={day} period={period} />
          <details class="calendar-fold" open={isWide || day !== undefined}>
            <summary>{t.calendar}</summary>
            <CalendarGrid direction={direction} chosen={day} counts={counts} now={now} />
          </details>
          <p class="days-note">{t.zone(timeZone)}</p>
          <p class="row days-note">
            <FeedLinks feeds={feeds} />
          </p>
        </div>
        {standing === 'known' ? (
          <EndlessList
            list={changes}
            placeholder={<Skeleton height="20rem" />}
            none={undated === undefined ? nothing : <UndatedChanges parameters={undated} none={nothing} />}
          >
            {days.map(([start, ofDay]) => (
              <DayChanges key={start} day={start} today={startOfDay(now)} changes={ofDay} />
            ))}
            {isWhole && undated !== undefined && <UndatedChanges parameters={undated} none={null} />}
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

/** Groups changes by day, in their order. */
function byDay(changes: readonly ChangeWithShow[], timeZone: string): [number, ChangeWithShow[]][] {
  const days = new Map<number, ChangeWithShow[]>()
  for (const change of changes) {
    const day = startOfDay(toLocalSeconds(change.timestamp ?? 0, timeZone))
    const ofDay = days.get(day)
    if (ofDay === undefined) days.set(day, [change])
    else ofDay.push(change)
  }
  return [...days]
}

/** Links to this week, this month, and all days. */
function PeriodChoice({ day, period }: { day: number | undefined; period: Period }) {
  const calendarHref = useCalendarHref()
  const t = useMessages(explorerMessages).calendar
  return (
    <nav class="chips" aria-label={t.period}>
      {(['week', 'month', 'all'] as const).map((one) => (
        <a
          key={one}
          class="chip"
          href={calendarHref({ day: '', period: one === 'all' ? '' : one })}
          aria-current={day === undefined && period === one ? 'true' : undefined}
        >
          {t.periods[one]}
        </a>
      ))}
    </nav>
  )
}

/** Removes a service that the country lacks from the URL. */
function useDropService(requested: string, service: string): void {
  const navigate = useNavigate()
  const calendarHref = useCalendarHref()
  useEffect(() => {
    if (requested !== service) navigate(calendarHref({ service: '' }), { replace: true })
  }, [requested, service])
}
