import type { ChangeType, ChangeWithShow, ItemType, ShowType } from 'marquee-client'
import { useEffect } from 'preact/hooks'
import { useLocation, useMessages, useNavigate, useViewer } from '../../app/context.ts'
import { Notice, Skeleton } from '../../components/feedback.tsx'
import { usePages } from '../../data/use-pages.ts'
import { useCountry } from '../../data/use-query.ts'
import { useTitle } from '../../layout/page-title.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { EndlessList } from '../components/endless-list.tsx'
import { DAY, type Direction, dayCounts, dayStanding, daysFrom, readDay, startOfDay } from './calendar-days.ts'
import { CalendarFilters, useCalendarHref } from './calendar-filters.tsx'
import { CalendarGrid } from './calendar-grid.tsx'
import { DayChanges } from './day-changes.tsx'
import './calendar-page.css'

/** Recent additions. */
export function NewPage() {
  return <CalendarPage changeType="new" name="new" />
}

/** Offers that end soon. */
export function LeavingPage() {
  return <CalendarPage changeType="expiring" name="leaving" />
}

/** Announced offers. */
export function UpcomingPage() {
  return <CalendarPage changeType="upcoming" name="upcoming" />
}

interface CalendarPageProps {
  readonly changeType: Extract<ChangeType, 'new' | 'expiring' | 'upcoming'>
  readonly name: 'new' | 'leaving' | 'upcoming'
}

/** A calendar to pick a day from, and the changes by day. */
function CalendarPage({ changeType, name }: CalendarPageProps) {
  const calendarHref = useCalendarHref()
  const t = useMessages(explorerMessages).calendar
  const { query } = useLocation()
  const { country, language } = useViewer()
  useTitle(t[name].title)
  const direction: Direction = changeType === 'new' ? 'past' : 'future'
  const now = Math.floor(Date.now() / 1000)
  const day = readDay(query.get('day'))
  const standing = day === undefined ? 'known' : dayStanding(day, now, direction)
  const { service, isKnown } = useKnownService(query.get('service') ?? '')
  const itemType = readItemType(query.get('item_type'))
  const showType = readShowType(query.get('show_type'))
  const parameters = {
    country,
    outputLanguage: language,
    changeType,
    itemType,
    orderDirection: direction === 'past' ? ('desc' as const) : ('asc' as const),
    ...(service !== '' && { catalogs: [service] }),
    ...(showType !== undefined && { showType }),
    ...(day === undefined ? { includeUnknownDates: true } : { from: day, to: day + DAY - 1 }),
  } as const
  // A query for another day would be refused.
  const key = standing === 'known' && isKnown ? `changes ${JSON.stringify(parameters)}` : undefined
  const changes = usePages<ChangeWithShow>(
    key === undefined
      ? undefined
      : {
          key,
          fetchPage: (cursor, signal, client) => client.changes.list({ ...parameters, cursor }, { signal }).page(),
        },
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

/** The service of the URL. One that the country lacks is removed from the URL. */
function useKnownService(requested: string): { readonly service: string; readonly isKnown: boolean } {
  const navigate = useNavigate()
  const country = useCountry()
  const calendarHref = useCalendarHref()
  const isUnknown = country.state === 'ready' && !country.value.services.some(({ id }) => id === requested)
  const isDropped = requested !== '' && isUnknown
  useEffect(() => {
    if (isDropped) navigate(calendarHref({ service: '' }), { replace: true })
  }, [isDropped, requested])
  return { service: isDropped ? '' : requested, isKnown: requested === '' || country.state !== 'loading' }
}

function readShowType(text: string | null): ShowType | undefined {
  return text === 'movie' || text === 'series' ? text : undefined
}

function readItemType(text: string | null): ItemType {
  return text === 'season' || text === 'episode' ? text : 'show'
}
