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
  '/settings',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password',
  '/dashboard',
  '/dashboard/keys',
  '/dashboard/alerts',
  '/dashboard/account',
  '/docs',
  '/docs/start',
  '/docs/errors',
  '/docs/guides/using-the-api',
  '/docs/guides/being-told',
  '/docs/guides/errors',
  '/docs/guides/assistants',
  '/docs/guides/feeds',
  '/docs/guides/changelog',
  '/docs/api/*',
  '/operator',
  '/operator/data',
  '/operator/checks',
  '/operator/accounts',
  '/operator/audit',
] as const

export type PagePath = (typeof PAGE_PATHS)[number]

/** The pages that the server renders, with the module of each; the start page is part of the first script. */
export const RENDERED_PAGES: Readonly<Partial<Record<PagePath, string>>> = {
  '/': '/src/explorer/home-page.tsx',
  '/search': '/src/explorer/search-page.tsx',
  '/browse': '/src/explorer/browse/browse-page.tsx',
  '/show/*': '/src/explorer/show/show-page.tsx',
  '/new': '/src/explorer/calendar/calendar-page.tsx',
  '/leaving': '/src/explorer/calendar/calendar-page.tsx',
  '/upcoming': '/src/explorer/calendar/calendar-page.tsx',
  '/top': '/src/explorer/top-page.tsx',
  '/settings': '/src/explorer/settings-page.tsx',
  // Programs and people without a script follow the `type` of an error to it.
  '/docs/errors': '/src/reference/errors-page.tsx',
  '/docs/guides/using-the-api': '/src/reference/guide-page.tsx',
  '/docs/guides/being-told': '/src/reference/guide-page.tsx',
  '/docs/guides/errors': '/src/reference/guide-page.tsx',
  '/docs/guides/assistants': '/src/reference/guide-page.tsx',
  '/docs/guides/feeds': '/src/reference/guide-page.tsx',
  '/docs/guides/changelog': '/src/reference/guide-page.tsx',
}
