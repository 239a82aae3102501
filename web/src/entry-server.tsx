import { Marquee } from 'marquee-client'
import { renderToString } from 'preact-render-to-string'
import { loadPage, showPage } from './app/page-loader.ts'
import { type CatalogFacts, catalogFacts, type Viewer } from './app/viewer.ts'
import { keepAnswer } from './data/query-cache.ts'
import { App } from './layout/app.tsx'
import { takeDrawnTitle } from './layout/page-title.ts'
import { type OpenedRoute, routeOf } from './pages.ts'
import { location } from './routing/router.ts'

/** A page that somebody opens, with all that it has to know before it shows anything of worth. */
export interface FirstView {
  readonly path: string
  readonly viewer: Viewer
  readonly facts: CatalogFacts
  /** The answers of the API to the first questions of the page, as JSON, by their requests. */
  readonly answers: ReadonlyMap<string, string>
}

/** What a page shows first, and what it is called. */
export interface RenderedView {
  readonly title: string
  readonly html: string
}

/**
 * The HTML of a page as the script will find it when it starts: what it draws first, it must draw in the same way. This
 * is what the service runs, also for paths that lead nowhere. Where the reader is, is told by signals that all views share, so between telling and
 * rendering nothing may wait.
 */
export async function renderFirstView(view: FirstView): Promise<RenderedView> {
  const route = arrive(view)
  const client = new Marquee({
    baseUrl: 'http://localhost/v4',
    retries: 0,
    fetch: (url) => answerIn(view, String(url)),
  })
  const { signal } = new AbortController()
  const [page, ...answers] = await Promise.all([
    loadPage(view.path, view.viewer.language, route),
    ...(route?.questions ?? []).map(async ({ key, ask }) => ({ key, value: await ask(signal, client) })),
  ])
  if (page.kind === 'failed') throw page.error

  arrive(view)
  for (const { key, value } of answers) keepAnswer(key, value)
  showPage(page, view.viewer.language)
  const html = renderToString(<App />)
  return { title: takeDrawnTitle(), html }
}

/** Puts the reader where the view is. */
function arrive({ path, viewer, facts }: FirstView): OpenedRoute | undefined {
  catalogFacts.value = facts
  const query = new URLSearchParams({ country: viewer.country, lang: viewer.language })
  location.value = { path, query, at: 0, isReturn: false }
  return routeOf(path)
}

async function answerIn({ answers }: FirstView, url: string): Promise<Response> {
  const { pathname, search } = new URL(url)
  const request = pathname + search
  const json = answers.get(request)
  if (json === undefined) throw new Error(`Nobody has answered "${request}"`)
  return new Response(json, { headers: { 'Content-Type': 'application/json' } })
}
