import type { ItemType, ListChangesParameters, Service, ShowType } from 'marquee-client'
import { textLanguage, type Viewer } from '../../app/viewer.ts'
import { firstWeekday } from '../../i18n/first-weekday.ts'
import { fromLocalSeconds, toLocalSeconds } from '../../i18n/time-zone.ts'
import { DAY, type Direction, dayStanding, type Period, periodDays, readDay } from './calendar-days.ts'

/** The calendars, by their paths. */
export type CalendarName = 'new' | 'leaving' | 'upcoming'

/** Stands for all services in the URL of a viewer who has named some. */
export const ALL_SERVICES = 'all'

const CHANGE_TYPES = { new: 'new', leaving: 'expiring', upcoming: 'upcoming' } as const

/** What the URL of a calendar selects. */
export interface CalendarChoice {
  /** A day; undefined for all days of the period. */
  readonly day: number | undefined
  readonly period: Period
  /** Whether the calendar covers the day. */
  readonly standing: 'known' | 'over' | 'ahead'
  /** A service; empty for what is included for the viewer, `all` for all services. */
  readonly service: string
  readonly itemType: ItemType
  readonly showType: ShowType | undefined
}

/** The direction of a calendar from today. */
export function calendarDirection(name: CalendarName): Direction {
  return name === 'new' ? 'past' : 'future'
}

/** Reads the choice from the URL. A service that the country lacks is ignored, once its services are known. */
export function readCalendar(
  name: CalendarName,
  query: URLSearchParams,
  timeZone: string,
  services: readonly Pick<Service, 'id'>[] | undefined,
): CalendarChoice {
  const day = readDay(query.get('day'))
  const service = query.get('service') ?? ''
  const isDropped = service !== ALL_SERVICES && services?.every(({ id }) => id !== service) === true
  return {
    day,
    standing: day === undefined ? 'known' : dayStanding(day, localNow(timeZone), calendarDirection(name)),
    period: readPeriod(query.get('period')),
    service: isDropped ? '' : service,
    itemType: readItemType(query.get('item_type')),
    showType: readShowType(query.get('show_type')),
  }
}

/** The choice as parameters of the API; undefined for a day that it would refuse. */
export function calendarParameters(
  name: CalendarName,
  viewer: Viewer,
  included: readonly string[],
  timeZone: string,
  { day, period, standing, service, itemType, showType }: CalendarChoice,
): ListChangesParameters | undefined {
  if (standing !== 'known') return undefined
  const days = selectedDays(name, viewer, timeZone, day, period)
  const catalogs = service === '' ? included : service === ALL_SERVICES ? [] : [service]
  return {
    country: viewer.country,
    outputLanguage: textLanguage(viewer),
    changeType: CHANGE_TYPES[name],
    itemType,
    orderDirection: name === 'new' ? 'desc' : 'asc',
    ...(catalogs.length > 0 && { catalogs }),
    ...(showType !== undefined && { showType }),
    ...(days !== undefined && {
      from: fromLocalSeconds(days.first, timeZone),
      to: fromLocalSeconds(days.last + DAY, timeZone) - 1,
    }),
  }
}

/** The days that the URL selects; undefined for all that the API covers. */
function selectedDays(
  name: CalendarName,
  { language, country }: Viewer,
  timeZone: string,
  day: number | undefined,
  period: Period,
): { readonly first: number; readonly last: number } | undefined {
  if (day !== undefined) return { first: day, last: day }
  if (period === 'all') return undefined
  const firstDay = firstWeekday(`${language}-${country.toUpperCase()}`)
  return periodDays(period, localNow(timeZone), calendarDirection(name), firstDay)
}

/** The time that the clock of a time zone shows now. */
export function localNow(timeZone: string): number {
  return toLocalSeconds(Math.floor(Date.now() / 1000), timeZone)
}

function readPeriod(text: string | null): Period {
  return text === 'week' || text === 'month' ? text : 'all'
}

/** A type of shows in the URL. */
export function readShowType(text: string | null): ShowType | undefined {
  return text === 'movie' || text === 'series' ? text : undefined
}

function readItemType(text: string | null): ItemType {
  return text === 'season' || text === 'episode' ? text : 'show'
}
