import { type HttpRequest, type HttpResponse, sendExpecting } from '../lib/http.ts'
import type { Page, RequestMode, Target } from '../targets/target.ts'
import type { ApiRequest } from '../workloads/api-request.ts'

const MAX_CONCURRENT = 8

/** The HTTP requests of a workload for one target, with what each returned when it was tried. */
export interface PreparedRequests {
  readonly requests: readonly HttpRequest[]
  readonly bodyBytes: readonly number[]
  readonly pages: readonly Page[]
}

/**
 * Translates a workload into a target's HTTP requests and sends each of them once. Every one must succeed, so that a
 * target that cannot answer fails here instead of distorting the figures. Later pages use the target's own cursors.
 */
export async function prepareRequests(
  target: Target,
  workload: readonly ApiRequest[],
  mode: RequestMode = {},
): Promise<PreparedRequests> {
  const cursors = new CursorCache(target)
  const results = await mapConcurrently(workload, async (apiRequest) => {
    const plain = target.request(apiRequest, await cursors.get(apiRequest))
    const first = await sendExpecting(target.port, plain)
    const page = target.parsePage(first.body)
    const headers = modeHeaders(mode, first)
    if (headers === undefined) return { request: plain, page, bodyBytes: first.body.length }
    const request = { ...plain, headers: { ...plain.headers, ...headers } }
    const response = await sendExpecting(target.port, request, mode.revalidate ? 304 : 200)
    return { request, page, bodyBytes: response.body.length }
  })
  return {
    requests: results.map(({ request }) => request),
    bodyBytes: results.map(({ bodyBytes }) => bodyBytes),
    pages: results.map(({ page }) => page),
  }
}

function modeHeaders({ encoding, revalidate }: RequestMode, response: HttpResponse) {
  if (revalidate) return { 'If-None-Match': String(response.headers.etag) }
  return encoding === undefined ? undefined : { 'Accept-Encoding': encoding }
}

/** Cursors of later pages, found by following `nextCursor` once for each search. */
class CursorCache {
  readonly #cursors = new Map<string, Promise<string | undefined>>()
  readonly #target: Target

  constructor(target: Target) {
    this.#target = target
  }

  /** The cursor of the requested page, or of the last page if there are fewer. */
  get(request: ApiRequest): Promise<string | undefined> {
    if (request.page === 1) return Promise.resolve(undefined)
    const key = JSON.stringify([request.path, request.query, request.page])
    let cursor = this.#cursors.get(key)
    if (cursor === undefined) {
      cursor = this.#readNextCursor({ ...request, page: request.page - 1 })
      this.#cursors.set(key, cursor)
    }
    return cursor
  }

  async #readNextCursor(previous: ApiRequest): Promise<string | undefined> {
    const cursor = await this.get(previous)
    const { body } = await sendExpecting(this.#target.port, this.#target.request(previous, cursor))
    return this.#target.parsePage(body).nextCursor ?? cursor
  }
}

async function mapConcurrently<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await map(items[i]!)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  return results
}
