import { Marquee } from 'marquee-client'
import { renderToString } from 'preact-render-to-string'
import { AppContext } from './app/context.ts'
import { loadPage, showPage } from './app/page-loader.ts'
import type { CatalogInfo, Viewer } from './app/viewer.ts'
import { App } from './layout/app.tsx'
import { initialQueries, matchPage } from './pages.ts'

/** A page to render, with all data that its first render needs. */
export interface FirstView {
  readonly path: string
  readonly viewer: Viewer
  readonly facts: CatalogInfo
  /** JSON responses of the API to the initial queries of the page, by request. */
  readonly answers: ReadonlyMap<string, string>
}

/** A rendered page: the text of `<title>`, and the HTML of the app. */
export interface RenderedView {
  readonly title: string
  readonly html: string
}

/**
 * Renders a page to HTML, also the not-found page for unknown paths. The first render in the browser must produce the same
 * HTML, since it hydrates it. Each call has a context of its own, so calls can run at the same time.
 */
export async function renderFirstView({ path, viewer, facts, answers }: FirstView): Promise<RenderedView> {
  const query = new URLSearchParams({ country: viewer.country, lang: viewer.language })
  const app = new AppContext({
    catalog: facts,
    location: { path, query, at: 0, isReturn: false },
    client: createPreloadedClient(answers),
  })
  const match = matchPage(path)
  const [page] = await Promise.all([
    loadPage(path, viewer.language, match),
    ...initialQueries(match, app).map((initial) => app.queries.fetch(initial)),
  ])
  if (page.kind === 'failed') throw page.error
  showPage(app, page, viewer.language)
  const html = renderToString(<App app={app} reload={async () => {}} />)
  return { title: app.title, html }
}

/** A client that responds from preloaded JSON and sends no requests. */
function createPreloadedClient(answers: ReadonlyMap<string, string>): Marquee {
  return new Marquee({
    baseUrl: 'http://localhost/v4',
    retries: 0,
    async fetch(url) {
      const { pathname, search } = new URL(String(url))
      const json = answers.get(pathname + search)
      if (json === undefined) throw new Error(`There is no preloaded response to "${pathname + search}"`)
      return new Response(json, { headers: { 'Content-Type': 'application/json' } })
    },
  })
}
