import { Marquee, ServiceError } from 'marquee-client'
import type { VNode } from 'preact'
import { jsxTemplate } from 'preact/jsx-runtime'
import { renderToString } from 'preact-render-to-string'
import { AppContext } from './app/context.ts'
import { loadPage, showPage } from './app/page-loader.ts'
import { renderInContext } from './app/server-hooks.ts'
import type { CatalogInfo, Viewer } from './app/viewer.ts'
import { App } from './layout/app.tsx'
import type { PageHead } from './layout/page-head.ts'
import { matchPage, preloadPage } from './pages.ts'

export { showPath } from './explorer/show-path.ts'

/** A page to render. */
interface PageView {
  readonly path: string
  /** The query string of the URL. */
  readonly search?: string
  readonly viewer: Viewer
  readonly facts: CatalogInfo
}

/** A page to render, with all data that its first render needs. */
export interface FirstView extends PageView {
  /** JSON responses of the API to the initial queries of the page, by request. */
  readonly answers: ReadonlyMap<string, string>
}

/** A rendered page: what belongs into its `<head>`, and the HTML of the app. */
export interface RenderedView {
  readonly title: string
  readonly head: PageHead
  readonly html: string
}

/** A page with its data, before it is rendered. */
export interface PreparedView {
  /** The responses that the page needs, by request, in the order of the requests. */
  readonly answers: ReadonlyMap<string, string>
  /** Whether no request was refused, so that the page can be rendered. */
  readonly isComplete: boolean
  render(): RenderedView
}

/** Answers a request of the page to the API; undefined unless the response is a success. */
type Answer = (request: string) => Promise<string | undefined>

/**
 * Fetches the data of a page, also of the not-found page for unknown paths. Rendering is left to the caller, who may have
 * the result for the same data. The first render in the browser must produce the same HTML, since it hydrates it. Each call
 * has a context of its own, so calls can run at the same time.
 */
export async function prepareView(
  { path, search = '', viewer, facts }: PageView,
  answer: Answer,
): Promise<PreparedView> {
  const query = new URLSearchParams(search)
  query.set('country', viewer.country)
  query.set('lang', viewer.language)
  const answers = new Map<string, string>()
  const app = new AppContext({
    catalog: facts,
    location: { path, query, at: 0, isReturn: false },
    client: createAnsweringClient(answer, answers),
    reuseHtml,
  })
  const match = matchPage(path)
  const [page, error] = await Promise.all([
    loadPage(path, viewer.language, match),
    preloadPage(match, app, (initial) => app.queries.fetch(initial)).then(
      () => undefined,
      (problem: unknown) => problem ?? new Error('A request failed'),
    ),
  ])
  if (page.kind === 'failed') throw page.error
  return {
    answers,
    isComplete: !(error instanceof ServiceError),
    render() {
      if (error !== undefined) throw error
      showPage(app, page, viewer.language)
      const html = renderInContext(app, () => renderToString(<App app={app} reload={async () => {}} />))
      return { title: app.head.title, head: app.head, html }
    },
  }
}

/** HTML by key, as a template without gaps. */
const reusable = new Map<string, string[]>()

/** Some languages and countries of each part, and the marks of some services; then all of them are dropped. */
const MAX_REUSABLE = 2_000

/** Renders a part once. Keys hold texts of the catalog, so there is a limit. */
function reuseHtml(key: string, render: () => VNode): VNode {
  let template = reusable.get(key)
  if (template === undefined) {
    if (reusable.size >= MAX_REUSABLE) reusable.clear()
    template = [renderToString(render())]
    reusable.set(key, template)
  }
  return jsxTemplate(template)
}

/** Renders a page from data that is there. */
export async function renderFirstView({ answers, ...view }: FirstView): Promise<RenderedView> {
  const prepared = await prepareView(view, async (request) => {
    const json = answers.get(request)
    if (json === undefined) throw new Error(`There is no preloaded response to "${request}"`)
    return json
  })
  return prepared.render()
}

/** A client that gets its responses from the server that renders the page, and records them. */
function createAnsweringClient(answer: Answer, answers: Map<string, string>): Marquee {
  return new Marquee({
    baseUrl: `${INTERNAL_ORIGIN}/v4`,
    // The requests have the limits of the server.
    retries: 0,
    timeout: Number.POSITIVE_INFINITY,
    async fetch(url) {
      const request = String(url).slice(INTERNAL_ORIGIN.length)
      const json = await answer(request)
      if (json === undefined) return response(503, '{"message":"not embedded"}')
      answers.set(request, json)
      return response(200, json)
    },
  })
}

/** Of requests that never leave the process. */
const INTERNAL_ORIGIN = 'http://localhost'

const HEADERS = new Headers({ 'Content-Type': 'application/json' })

/** What the client reads of a response. One with a stream takes as long as the rest of the request. */
function response(status: number, text: string): Response {
  return { status, headers: HEADERS, text: async () => text } as Response
}
