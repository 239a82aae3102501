import type { HttpRequest } from '../lib/http.ts'
import type { ApiRequest } from '../workloads/api-request.ts'

/** How the requests of a workload are sent. */
export interface RequestMode {
  /** `gzip` or `br` as `Accept-Encoding`; undefined for uncompressed responses. */
  readonly encoding?: string
  /** Sends the ETag of an earlier response, so that every response is a 304. */
  readonly revalidate?: boolean
}

/** A page of results, reduced to what can be compared between targets. */
export interface Page {
  /** Ids of the shows on the page, in order. */
  readonly ids: readonly string[]
  readonly nextCursor?: string
}

/** A server that is measured: Marquee or one of its peers. */
export interface Target {
  readonly name: string
  readonly port: number
  /** Server processes, for pinning and memory figures. Their descendants are included. */
  readonly pids: readonly number[]
  /** Whether it supports an endpoint in a request mode. */
  supports(kind: ApiRequest['kind'], mode: RequestMode): boolean
  /** Builds the HTTP request; the cursor comes from a page of the same target. */
  request(request: ApiRequest, cursor?: string): HttpRequest
  parsePage(body: Buffer): Page
  stop(): Promise<void>
}

/** Parses a page from a response in Marquee's format, whatever the endpoint. */
export function parsePage(body: Buffer): Page {
  const response = JSON.parse(body.toString()) as ResponseBody | Item[]
  if (Array.isArray(response)) return { ids: response.map(itemId) }
  const items = response.changes ?? response.shows
  const ids = items === undefined ? [itemId(response)] : items.map(itemId)
  return response.nextCursor === undefined ? { ids } : { ids, nextCursor: response.nextCursor }
}

interface Item {
  readonly id?: string
  readonly showId?: string
  readonly countryCode?: string
}

interface ResponseBody extends Item {
  readonly changes?: Item[]
  readonly shows?: Item[]
  readonly nextCursor?: string
}

function itemId(item: Item): string {
  return item.showId ?? item.id ?? item.countryCode ?? ''
}
