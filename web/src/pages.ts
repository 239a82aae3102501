import type { ComponentType } from 'preact'
import { hasCountry, viewer } from './app/viewer.ts'
import type { Question } from './data/query-cache.ts'
import HomePage from './explorer/home-page.tsx'
import {
  dashboardMessages,
  explorerMessages,
  type MessageTables,
  operatorMessages,
  platformMessages,
  referenceMessages,
} from './messages/tables.ts'
import { FIRST_QUESTIONS, PAGE_PATHS, type PagePath } from './routes.ts'

/** What every page is given. */
export interface PageProps {
  /** What the `*` of its path stands for; empty without one. */
  readonly rest: string
}

/** A page, mostly loaded when it is first opened. */
export interface Route {
  readonly load: () => Promise<{ default: ComponentType<PageProps> }>
  /** The texts that it needs, loaded beside it. */
  readonly messages: readonly MessageTables<unknown>[]
  /** Whether it shows the catalog of the viewer's country. */
  readonly isOfCountry: boolean
}

const explorer = { messages: [explorerMessages], isOfCountry: true }
const dashboard = { messages: [platformMessages, dashboardMessages], isOfCountry: false }
const reference = { messages: [platformMessages, referenceMessages], isOfCountry: false }
const operator = { messages: [platformMessages, operatorMessages], isOfCountry: false }

const ROUTES: Readonly<Record<PagePath, Route>> = {
  // Most visits begin here, so it comes with the frame.
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
  '/sign-in': {
    load: async () => ({ default: (await import('./dashboard/sign-in-pages.tsx')).SignInPage }),
    ...dashboard,
  },
  '/sign-up': {
    load: async () => ({ default: (await import('./dashboard/sign-in-pages.tsx')).SignUpPage }),
    ...dashboard,
  },
  '/dashboard': { load: () => import('./dashboard/usage-page.tsx'), ...dashboard },
  '/dashboard/keys': { load: () => import('./dashboard/keys-page.tsx'), ...dashboard },
  '/dashboard/account': { load: () => import('./dashboard/account-page.tsx'), ...dashboard },
  '/docs': { load: () => import('./reference/reference-page.tsx'), ...reference },
  '/docs/start': { load: () => import('./reference/start-page.tsx'), ...reference },
  '/docs/api/*': { load: () => import('./reference/operation-page.tsx'), ...reference },
  '/operator': { load: () => import('./operator/status-page.tsx'), ...operator },
  '/operator/accounts': { load: () => import('./operator/accounts-page.tsx'), ...operator },
  '/operator/audit': { load: () => import('./operator/audit-page.tsx'), ...operator },
}

/** A page as it is opened by a path. */
export interface OpenedRoute extends Route, PageProps {
  /** What it asks for before all else. */
  readonly questions: readonly Question<unknown>[]
}

/** The page of a path, or undefined where there is none. */
export function routeOf(path: string): OpenedRoute | undefined {
  if (!isReadable(path)) return undefined
  for (const pattern of PAGE_PATHS) {
    const rest = matched(pattern, path)
    if (rest === undefined) continue
    const visit = { ...viewer.peek(), rest }
    const questions = hasCountry(visit.country) ? FIRST_QUESTIONS[pattern]?.(visit) : undefined
    return { ...ROUTES[pattern], rest, questions: questions ?? [] }
  }
  return undefined
}

/** What is no UTF-8 behind its percent signs names nothing. */
function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function matched(pattern: string, path: string): string | undefined {
  if (!pattern.endsWith('*')) return pattern === path ? '' : undefined
  const start = pattern.slice(0, -1)
  return path.startsWith(start) && path.length > start.length ? path.slice(start.length) : undefined
}
