import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type MeteredCache, VersionedCache } from '../../lib/versioned-cache.ts'
import type { WebViewer } from './viewer.ts'

/** A response of the API that is embedded in a page. */
export interface PrefetchedResponse {
  readonly request: string
  readonly json: string
}

/** The input of server-side rendering. */
interface FirstView {
  readonly path: string
  readonly viewer: WebViewer
  /** What the page knows of the catalog without a request. */
  readonly facts: object
  readonly responses: readonly PrefetchedResponse[]
}

/** The output of server-side rendering. */
export interface RenderedView {
  readonly title: string
  readonly html: string
}

/** Renders the first view of a page on the server. */
export interface FirstViewRenderer {
  render(view: FirstView): Promise<RenderedView>
  caches(): readonly MeteredCache[]
}

/** The module `marquee-web/first-view`. */
interface BuiltRenderer {
  renderFirstView(view: Omit<FirstView, 'responses'> & { answers: ReadonlyMap<string, string> }): Promise<RenderedView>
}

/** A few hundred pages. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024

/**
 * Creates the server-side renderer. Its cache key is a hash of the whole input, so a view is rendered again only when
 * something in it has changed. The module is loaded on first use, since many services never serve a page.
 */
export function createFirstViewRenderer(): FirstViewRenderer {
  const file = pathToFileURL(createRequire(import.meta.url).resolve('marquee-web/first-view')).href
  let loading: Promise<BuiltRenderer> | undefined
  const cache = new VersionedCache<string, RenderedView>({
    name: 'views',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ html }) => html.length,
  })

  async function render(view: FirstView): Promise<RenderedView> {
    const key = firstViewCacheKey(view)
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    loading ??= import(file) as Promise<BuiltRenderer>
    const { renderFirstView } = await loading
    const { responses, ...rest } = view
    const rendered = await renderFirstView({
      ...rest,
      answers: new Map(responses.map(({ request, json }) => [request, json])),
    })
    cache.set(key, rendered)
    return rendered
  }

  return { render, caches: () => [cache] }
}

/** A hash of all input. */
function firstViewCacheKey({ path, viewer, facts, responses }: FirstView): string {
  const hash = createHash('sha256').update(JSON.stringify([path, viewer, facts]))
  for (const { json } of responses) hash.update(json)
  return hash.digest('base64')
}
