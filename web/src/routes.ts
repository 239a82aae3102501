import type { Viewer } from './app/viewer.ts'
import { countryQuery, popularShowsQuery, showQuery } from './data/queries.ts'
import type { Query } from './data/query-cache.ts'

/**
 * The paths of all pages; `pages.ts` has their components. The server reads this list from the build. Paths of the API
 * (`/shows/…`, `/changes`, `/countries`, `/genres`, `/v4/…`, `/platform/…`) must stay free. A `*` at the end matches the
 * rest of the path.
 */
export const PAGE_PATHS = [
  '/',
  '/search',
  '/browse',
  '/show/*',
  '/new',
  '/leaving',
  '/upcoming',
  '/top',
  '/sign-in',
  '/sign-up',
  '/reset-password',
  '/dashboard',
  '/dashboard/keys',
  '/dashboard/account',
  '/docs',
  '/docs/start',
  '/docs/errors',
  '/docs/api/*',
  '/operator',
  '/operator/checks',
  '/operator/accounts',
  '/operator/audit',
] as const

export type PagePath = (typeof PAGE_PATHS)[number]

/** A visit to a page; `rest` is what the `*` of its path stands for. */
interface Visit extends Viewer {
  readonly rest: string
}

/**
 * The queries that a page needs for its first render; all pages in this table are rendered by the server. The build writes
 * their requests into `site.json`; the server embeds the responses in the HTML page and renders it with them. Other queries
 * are fetched by the browser.
 */
export const INITIAL_QUERIES: Readonly<Partial<Record<PagePath, (visit: Visit) => readonly Query<unknown>[]>>> = {
  '/': (visit) => [countryQuery(visit), popularShowsQuery(visit)],
  '/show/*': (visit) => [showQuery(visit, visit.rest)],
  // Programs and people without a script follow the `type` of an error to it.
  '/docs/errors': () => [],
}
