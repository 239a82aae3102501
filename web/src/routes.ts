import type { Viewer } from './app/viewer.ts'
import { countryQuestion, popularQuestion, showQuestion } from './data/queries.ts'
import type { Question } from './data/query-cache.ts'

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

/** Who opens a page; `rest` is what the `*` of its path stands for. */
export interface Visit extends Viewer {
  readonly rest: string
}

/**
 * What a page has to know before it shows anything of worth. The service sends the answers along with the page: it
 * reads from the build which requests these questions make. What is further down a page is asked for by itself.
 */
export const FIRST_QUESTIONS: Readonly<Partial<Record<PagePath, (visit: Visit) => readonly Question<unknown>[]>>> = {
  '/': (visit) => [countryQuestion(visit), popularQuestion(visit)],
  '/show/*': (visit) => [showQuestion(visit, visit.rest)],
}
