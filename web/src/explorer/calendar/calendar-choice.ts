import type { ItemType, ListChangesParameters, Service, ShowType } from 'marquee-client'
import { textLanguage, type Viewer } from '../../app/viewer.ts'
import { DAY, type Direction, dayStanding, readDay } from './calendar-days.ts'

/** The calendars, by their paths. */
export type CalendarName = 'new' | 'leaving' | 'upcoming'

/** Stands for all services in the URL of a viewer who has named some. */
export const ALL_SERVICES = 'all'

const CHANGE_TYPES = { new: 'new', leaving: 'expiring', upcoming: 'upcoming' } as const

/** What the URL of a calendar selects. */
export interface CalendarChoice {
  /** The start of a day in Unix seconds; undefined for all days. */
  readonly day: number | undefined
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
  services: readonly Pick<Service, 'id'>[] | undefined,
): CalendarChoice {
  const day = readDay(query.get('day'))
  const service = query.get('service') ?? ''
  const isDropped = service !== ALL_SERVICES && services?.every(({ id }) => id !== service) === true
  return {
    day,
    standing: day === undefined ? 'known' : dayStanding(day, Date.now() / 1000, calendarDirection(name)),
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
  { day, standing, service, itemType, showType }: CalendarChoice,
): ListChangesParameters | undefined {
  if (standing !== 'known') return undefined
  const catalogs = service === '' ? included : service === ALL_SERVICES ? [] : [service]
  return {
    country: viewer.country,
    outputLanguage: textLanguage(viewer),
    changeType: CHANGE_TYPES[name],
    itemType,
    orderDirection: name === 'new' ? 'desc' : 'asc',
    ...(catalogs.length > 0 && { catalogs }),
    ...(showType !== undefined && { showType }),
    ...(day === undefined ? { includeUnknownDates: true } : { from: day, to: day + DAY - 1 }),
  }
}

/** A type of shows in the URL. */
export function readShowType(text: string | null): ShowType | undefined {
  return text === 'movie' || text === 'series' ? text : undefined
}

function readItemType(text: string | null): ItemType {
  return text === 'season' || text === 'episode' ? text : 'show'
}
