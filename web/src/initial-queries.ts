import type { Viewer } from './app/viewer.ts'
import {
  browseCountsQuery,
  browseQuery,
  changesQuery,
  countriesQuery,
  countryQuery,
  genresQuery,
  historyQuery,
  popularShowsQuery,
  seasonsQuery,
  showQuery,
  titleQuery,
  topListsQuery,
} from './data/queries.ts'
import type { Query } from './data/query-cache.ts'
import { readFilters } from './explorer/browse/browse-filters.ts'
import { knownFilters } from './explorer/browse/catalog-choice.ts'
import {
  type CalendarName,
  calendarParameters,
  readCalendar,
  readShowType,
} from './explorer/calendar/calendar-choice.ts'
import { includedCatalogs, type OwnServices } from './explorer/included.ts'
import type { GuidePath } from './reference/guide.ts'
import type { PagePath } from './routes.ts'

/** A visit to a page; `rest` is what the `*` of its path stands for. */
export interface Visit extends Viewer {
  readonly rest: string
  readonly query: URLSearchParams
  readonly own: OwnServices
  readonly timeZone: string
}

/** Fetches a query into the cache. */
export type Fetch = <T>(query: Query<T>) => Promise<T>

type Preload = (visit: Visit, fetch: Fetch) => Promise<unknown>

/**
 * Fetches what a page needs for its first render. The server does so before it renders the page, and the browser before it
 * shows it. Other queries are fetched by the components.
 */
export const INITIAL_QUERIES: Readonly<Partial<Record<PagePath, Preload>>> = {
  '/': preloadStartingPoints,
  '/search': async (visit, fetch) => {
    const title = visit.query.get('title')?.trim() ?? ''
    const found = title === '' ? [] : await fetch(titleQuery(visit, title))
    if (found.length === 0) await preloadStartingPoints(visit, fetch)
  },
  '/browse': async (visit, fetch) => {
    const [{ services }, genres] = await Promise.all([fetch(countryQuery(visit)), fetch(genresQuery(visit))])
    const filters = knownFilters(readFilters(visit.query), services, genres)
    const included = includedCatalogs(services, visit.own)
    await Promise.all([
      fetch(browseQuery(visit, filters, included, visit.query.get('cursor'))),
      fetch(browseCountsQuery(visit, filters, included)),
    ])
  },
  '/show/*': async (visit, fetch) => {
    const { id, showType } = await fetch(showQuery(visit, visit.rest))
    const seasons = showType === 'series' ? [fetch(seasonsQuery(visit, id))] : []
    // A page without its history, other countries and thousands of episodes is complete enough.
    await Promise.allSettled([...seasons, fetch(countriesQuery(id)), fetch(historyQuery(visit, id))])
  },
  '/new': (visit, fetch) => preloadCalendar('new', visit, fetch),
  '/leaving': (visit, fetch) => preloadCalendar('leaving', visit, fetch),
  '/upcoming': (visit, fetch) => preloadCalendar('upcoming', visit, fetch),
  '/docs/guides/using-the-api': (_visit, fetch) => preloadGuide('/docs/guides/using-the-api', fetch),
  '/docs/guides/being-told': (_visit, fetch) => preloadGuide('/docs/guides/being-told', fetch),
  '/docs/guides/errors': (_visit, fetch) => preloadGuide('/docs/guides/errors', fetch),
  '/docs/guides/assistants': (_visit, fetch) => preloadGuide('/docs/guides/assistants', fetch),
  '/docs/guides/feeds': (_visit, fetch) => preloadGuide('/docs/guides/feeds', fetch),
  '/docs/guides/changelog': (_visit, fetch) => preloadGuide('/docs/guides/changelog', fetch),
  '/settings': (visit, fetch) => fetch(countryQuery(visit)),
  '/top': async (visit, fetch) => {
    const { services } = await fetch(countryQuery(visit))
    await fetch(topListsQuery(visit, readShowType(visit.query.get('show_type')) ?? 'movie', services))
  },
}

/** Services, genres and popular shows. */
async function preloadStartingPoints(visit: Visit, fetch: Fetch): Promise<unknown> {
  const shared = [fetch(countryQuery(visit)), fetch(genresQuery(visit))] as const
  if (visit.own.size === 0) return Promise.all([...shared, fetch(popularShowsQuery(visit, []))])
  const [{ services }] = await Promise.all(shared)
  return fetch(popularShowsQuery(visit, includedCatalogs(services, visit.own)))
}

/** The text of a guide; its loader is only loaded for guides. */
async function preloadGuide(path: GuidePath, fetch: Fetch): Promise<void> {
  const { guideQuery } = await import('./reference/guide.ts')
  await fetch(guideQuery(path))
}

async function preloadCalendar(name: CalendarName, visit: Visit, fetch: Fetch): Promise<void> {
  const { services } = await fetch(countryQuery(visit))
  const included = includedCatalogs(services, visit.own)
  const choice = readCalendar(name, visit.query, visit.timeZone, services)
  const parameters = calendarParameters(name, visit, included, visit.timeZone, choice)
  if (parameters !== undefined) await fetch(changesQuery(parameters, visit.query.get('cursor')))
}
