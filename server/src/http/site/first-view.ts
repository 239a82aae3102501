import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { WebViewer } from './viewer.ts'
import type { PrefetchedResponse } from './web-pages.ts'

/** What a page shows first. */
export interface FirstView {
  readonly path: string
  readonly viewer: WebViewer
  /** What the page is told of the catalog. */
  readonly facts: object
  readonly answers: readonly PrefetchedResponse[]
}

/** What a page shows first, as HTML, and what it is called, as text. */
export interface RenderedView {
  readonly title: string
  readonly html: string
}

/** Renders what a page shows first. */
export type RenderFirstView = (view: FirstView) => Promise<RenderedView>

/** The renderer as `marquee-web` has built it. */
interface BuiltRenderer {
  renderFirstView(view: Omit<FirstView, 'answers'> & { answers: ReadonlyMap<string, string> }): Promise<RenderedView>
}

/** Characters of HTML that are kept: a few hundred pages. */
const MAX_CACHED_CHARS = 8 * 1024 * 1024

/**
 * Opens the renderer of the pages. A view is rendered again only when something that it shows has changed. The renderer is
 * loaded with the first page, since a service may never be asked for one.
 */
export function createFirstViewRenderer(): RenderFirstView {
  const file = pathToFileURL(createRequire(import.meta.url).resolve('marquee-web/first-view')).href
  let renderer: Promise<BuiltRenderer> | undefined
  const kept = new LRUCache<string, RenderedView>({
    maxSize: MAX_CACHED_CHARS,
    sizeCalculation: ({ html }) => html.length,
  })

  return async function render(view) {
    const key = firstViewCacheKey(view)
    const known = kept.get(key)
    if (known !== undefined) return known
    renderer ??= import(file) as Promise<BuiltRenderer>
    const { renderFirstView } = await renderer
    const answers = new Map(view.answers.map(({ request, json }) => [request, json]))
    const rendered = await renderFirstView({ ...view, answers })
    kept.set(key, rendered)
    return rendered
  }
}

/** Stands for all that a view shows. */
function firstViewCacheKey({ path, viewer, facts, answers }: FirstView): string {
  const hash = createHash('sha256').update(JSON.stringify([path, viewer, facts]))
  for (const { json } of answers) hash.update(json)
  return hash.digest('base64')
}
