import type { ComponentType } from 'preact'
import type { AppContext, PageProps } from './app/context.ts'
import { hasCountry, ownServices, readViewer } from './app/viewer.ts'
import HomePage from './explorer/home-page.tsx'
import { type Fetch, INITIAL_QUERIES } from './initial-queries.ts'
import {
  dashboardMessages,
  explorerMessages,
  type MessageTables,
  operatorMessages,
  platformMessages,
  referenceMessages,
} from './messages/tables.ts'
import { PAGE_PATHS, type PagePath } from './routes.ts'

/** The component of a page with what it needs. */
interface Page {
  /** Loads its script, when the page is first opened. */
  readonly load: () => Promise<{ default: ComponentType<PageProps> }>
  /** The message tables that are loaded with it. */
  readonly messages: readonly MessageTables<unknown>[]
  /** Whether it shows the catalog of the viewer's country. */
  readonly isCountrySpecific: boolean
}

const explorer = { messages: [explorerMessages], isCountrySpecific: true }
const dashboard = { messages: [platformMessages, dashboardMessages], isCountrySpecific: false }
const reference = { messages: [platformMessages, referenceMessages], isCountrySpecific: false }
const operator = { messages: [platformMessages, operatorMessages], isCountrySpecific: false }

const guide = { load: () => import('./reference/guide-page.tsx'), ...reference }

const PAGES: Readonly<Record<PagePath, Page>> = {
  // Most visits begin here, so it is part of the first script.
  '/': { load: async () => ({ default: HomePage }), ...explorer },
  '/search': { load: () => import('./explorer/search-page.tsx'), ...explorer },
  '/browse': { load: () => import('./explorer/browse/browse-page.tsx'), ...explorer },
  '/show/*': { load: () => import('./explorer/show/show-page.tsx'), ...explorer },
  '/new': {
    load: async () => ({ default: (await import('./explorer/calendar/calendar-page.tsx')).NewPage }),
    ...explorer,
  },
  '/leaving': {
    load: async () => ({ default: (await import('./explorer/calendar/calendar-page.tsx')).LeavingPage }),
    ...explorer,
  },
  '/upcoming': {
    load: async () => ({ default: (await import('./explorer/calendar/calendar-page.tsx')).UpcomingPage }),
    ...explorer,
  },
  '/top': { load: () => import('./explorer/top-page.tsx'), ...explorer },
  '/settings': { load: () => import('./explorer/settings-page.tsx'), ...explorer },
  '/sign-in': {
    load: async () => ({ default: (await import('./dashboard/sign-in-pages.tsx')).SignInPage }),
    ...dashboard,
  },
  '/sign-up': {
    load: async () => ({ default: (await import('./dashboard/sign-in-pages.tsx')).SignUpPage }),
    ...dashboard,
  },
  '/forgot-password': {
    load: async () => ({ default: (await import('./dashboard/sign-in-pages.tsx')).ForgotPasswordPage }),
    ...dashboard,
  },
  '/reset-password': {
    load: async () => ({ default: (await import('./dashboard/sign-in-pages.tsx')).ResetPasswordPage }),
    ...dashboard,
  },
  '/dashboard': { load: () => import('./dashboard/usage-page.tsx'), ...dashboard },
  '/dashboard/keys': { load: () => import('./dashboard/keys-page.tsx'), ...dashboard },
  '/dashboard/alerts': { load: () => import('./dashboard/alerts-page.tsx'), ...dashboard },
  '/dashboard/account': { load: () => import('./dashboard/account-page.tsx'), ...dashboard },
  '/docs': { load: () => import('./reference/reference-page.tsx'), ...reference },
  '/docs/start': { load: () => import('./reference/start-page.tsx'), ...reference },
  '/docs/errors': { load: () => import('./reference/errors-page.tsx'), ...reference },
  '/docs/guides/using-the-api': guide,
  '/docs/guides/being-told': guide,
  '/docs/guides/errors': guide,
  '/docs/guides/assistants': guide,
  '/docs/guides/feeds': guide,
  '/docs/guides/changelog': guide,
  '/docs/api/*': { load: () => import('./reference/operation-page.tsx'), ...reference },
  '/operator': { load: () => import('./operator/status-page.tsx'), ...operator },
  '/operator/data': { load: () => import('./operator/data-page.tsx'), ...operator },
  '/operator/checks': { load: () => import('./operator/checks-page.tsx'), ...operator },
  '/operator/accounts': { load: () => import('./operator/accounts-page.tsx'), ...operator },
  '/operator/audit': { load: () => import('./operator/audit-page.tsx'), ...operator },
}

/** A page that was found for a path. */
export interface PageMatch extends Page, PageProps {
  readonly path: PagePath
}

/** The page of a URL path, or undefined. */
export function matchPage(path: string): PageMatch | undefined {
  if (!isDecodable(path)) return undefined
  for (const pattern of PAGE_PATHS) {
    const rest = matchPath(pattern, path)
    if (rest !== undefined) return { ...PAGES[pattern], path: pattern, rest }
  }
  return undefined
}

/** Fetches what the first render of a page needs. An empty catalog, and a country that it lacks, have nothing to fetch. */
export async function preloadPage(
  match: PageMatch | undefined,
  app: AppContext,
  fetch: Fetch,
  query = app.router.location.peek().query,
): Promise<void> {
  const viewer = readViewer(query, app.catalog)
  if (match === undefined) return
  const { countries } = app.catalog
  const isUncovered = countries.length === 0 || !hasCountry(app.catalog, viewer.country)
  if (match.isCountrySpecific && isUncovered) return
  const visit = { ...viewer, rest: match.rest, query, own: ownServices(app.catalog), timeZone: app.timeZone.peek() }
  await INITIAL_QUERIES[match.path]?.(visit, fetch)
}

/** Whether percent signs in a path decode to UTF-8. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function matchPath(pattern: string, path: string): string | undefined {
  if (!pattern.endsWith('*')) return pattern === path ? '' : undefined
  const start = pattern.slice(0, -1)
  return path.startsWith(start) && path.length > start.length ? path.slice(start.length) : undefined
}
