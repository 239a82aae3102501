import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { SentAnswer } from './web-pages.ts'
import type { WebViewer } from './web-viewer.ts'

/** What a page shows first. */
export interface FirstView {
  readonly path: string
  readonly viewer: WebViewer
  /** What the page is told of the catalog. */
  readonly facts: object
  readonly answers: readonly SentAnswer[]
}

/** Renders what a page shows first, as HTML. */
export type RenderFirstView = (view: FirstView) => Promise<string>

/** The renderer as `marquee-web` has built it. */
interface BuiltRenderer {
  renderFirstView(view: Omit<FirstView, 'answers'> & { answers: ReadonlyMap<string, string> }): Promise<string>
}

/** Characters of HTML that are kept: a few hundred pages. */
const MOST_KEPT = 8 * 1024 * 1024

/**
 * Opens the renderer of the pages. A view is rendered again only when something that it shows has changed. The renderer is
 * loaded with the first page, since a service may never be asked for one.
 */
export function openFirstViews(): RenderFirstView {
  const file = pathToFileURL(createRequire(import.meta.url).resolve('marquee-web/first-view')).href
  let renderer: Promise<BuiltRenderer> | undefined
  const kept = new LRUCache<string, { readonly shown: string; readonly html: string }>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ shown, html }) => shown.length + html.length,
  })

  return async function render({ path, viewer, facts, answers }) {
    const key = `${path} ${viewer.country} ${viewer.language}`
    const shown = [JSON.stringify(facts), ...answers.map(({ json }) => json)].join()
    const known = kept.get(key)
    if (known?.shown === shown) return known.html
    renderer ??= import(file) as Promise<BuiltRenderer>
    const { renderFirstView } = await renderer
    const answered = new Map(answers.map(({ request, json }) => [request, json]))
    const html = await renderFirstView({ path, viewer, facts, answers: answered })
    kept.set(key, { shown, html })
    return html
  }
}
