/** An API request as data, which each target translates into its own HTTP request. */
export interface ApiRequest {
  readonly kind: 'show' | 'filters' | 'title' | 'changes' | 'countries' | 'export'
  /** Path below the base URL, such as `/shows/search/filters`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Page number; pages from 2 on are reached through cursors. */
  readonly page: number
}

/** Builds a request for the first page. */
export function apiRequest(kind: ApiRequest['kind'], path: string, query: Record<string, string> = {}): ApiRequest {
  return { kind, path, query, page: 1 }
}

/** Formats path and query string. */
export function formatUrl(request: ApiRequest, cursor?: string): string {
  const query = new URLSearchParams(request.query)
  if (cursor !== undefined) query.set('cursor', cursor)
  const text = query.toString()
  return text === '' ? request.path : `${request.path}?${text}`
}

/** More different requests than a round of three seconds can send: one that comes for the third time is answered from a cache. */
const FRESH_SIZE = 25_000

/** A function that returns that many requests with each call, none of which it returned before. */
export function takeFresh(create: () => ApiRequest, size = FRESH_SIZE): () => ApiRequest[] {
  const taken = new Set<string>()
  return () => {
    const requests: ApiRequest[] = []
    while (requests.length < size) {
      const request = create()
      const key = JSON.stringify(request.query)
      if (taken.has(key)) continue
      taken.add(key)
      requests.push(request)
    }
    return requests
  }
}
