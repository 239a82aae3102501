import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { encodeUnpooled } from '../../lib/bytes.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import type { PageHead } from './page.ts'
import type { WebViewer } from './viewer.ts'

/** A response of the API that is embedded in a page. */
export interface PrefetchedResponse {
  readonly request: string
  readonly json: string
}

/** The input of server-side rendering. */
interface FirstView {
  readonly path: string
  /** The query string of the URL. */
  readonly search: string
  readonly viewer: WebViewer
  /** What the page knows of the catalog without a request. */
  readonly facts: object
  /** The same as JSON. */
  readonly factsJson: string
}

/** The output of server-side rendering, as it is embedded. */
interface RenderedView {
  readonly title: string
  /** The elements of `<head>`. */
  readonly head: Buffer
  /** Bytes, which the garbage collector need not copy, and of which a cached page keeps no more than it needs. */
  readonly html: Buffer
}

/** A page with the responses that it needs. */
interface LoadedView {
  readonly responses: readonly PrefetchedResponse[]
  /** Renders the page; undefined unless all responses are there. */
  render(renderHead: (head: PageHead) => string): RenderedView | undefined
}

/** Answers a request of a page to the API; undefined unless the response is a success that may be embedded. */
export type AnswerRequest = (request: string) => Promise<string | undefined>

/** Renders the first view of a page on the server. */
export interface FirstViewRenderer {
  /** Fetches what the page needs first. */
  load(view: FirstView, answer: AnswerRequest): Promise<LoadedView>
  caches(): readonly MeteredCache[]
}

/** The module `marquee-web/first-view`. */
interface BuiltRenderer {
  showPath(show: { readonly id: string; readonly originalTitle: string }): string
  prepareView(
    view: FirstView,
    answer: AnswerRequest,
  ): Promise<{
    answers: ReadonlyMap<string, string>
    isComplete: boolean
    render(): { readonly head: PageHead; readonly html: string }
  }>
}

/** A few hundred pages. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024

/**
 * Creates the server-side renderer. Its cache key is a hash of the whole input, so a view is rendered again only when
 * something in it has changed. The module is loaded on first use, since many services never serve a page.
 */
export function createFirstViewRenderer(): FirstViewRenderer {
  const cache = new VersionedCache<string, RenderedView>({
    name: 'views',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ title, head, html }, key) => head.length + html.length + 2 * (title.length + key.length),
  })

  async function load(view: FirstView, answer: AnswerRequest): Promise<LoadedView> {
    const { prepareView } = await importRenderer()
    const prepared = await prepareView(view, answer)
    const responses = [...prepared.answers].map(([request, json]) => ({ request, json }))
    return {
      responses,
      render(renderHead) {
        if (!prepared.isComplete) return undefined
        const key = firstViewCacheKey(view, responses)
        return cache.getOrCompute(key, undefined, () => {
          const { head, html } = prepared.render()
          return { title: head.title, head: encodeUnpooled(renderHead(head)), html: encodeUnpooled(html) }
        })
      },
    }
  }

  return { load, caches: () => [cache] }
}

/** Loads the function that gives a show its path on the pages. */
export async function loadShowPath(): Promise<BuiltRenderer['showPath']> {
  return (await importRenderer()).showPath
}

let renderer: Promise<BuiltRenderer> | undefined

/** Imports the module once: finding it takes some file accesses. */
function importRenderer(): Promise<BuiltRenderer> {
  renderer ??= import(pathToFileURL(createRequire(import.meta.url).resolve('marquee-web/first-view')).href)
  return renderer
}

/** A hash of all input. */
function firstViewCacheKey(
  { path, search, viewer, factsJson }: FirstView,
  responses: readonly PrefetchedResponse[],
): string {
  const hash = createHash('sha256').update(JSON.stringify([path, search, viewer, factsJson]))
  for (const { json } of responses) hash.update(json)
  return hash.digest('base64')
}
