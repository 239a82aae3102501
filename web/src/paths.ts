/**
 * Every path that answers with a page of this site. The service reads the same list from the build. Paths of the API
 * (`/shows/…`, `/changes`, `/countries`, `/genres`, `/v4/…`, `/platform/…`) must stay free. A `*` at the end stands for
 * the rest of the path.
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
  '/dashboard',
  '/dashboard/keys',
  '/dashboard/account',
  '/docs',
  '/docs/start',
  '/docs/api/*',
  '/operator',
  '/operator/accounts',
  '/operator/audit',
] as const

/** One of them. */
export type PagePath = (typeof PAGE_PATHS)[number]
