/** Something to ask a catalog, as data: what every contestant can put into a request of its own. */
export interface Ask {
  readonly kind: 'show' | 'filters' | 'title' | 'changes' | 'countries'
  /** Path below the base address, such as `/shows/search/filters`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Which page of the answer; 1 unless a cursor is needed to get there. */
  readonly page: number
}

/** An ask for the first page of something. */
export function ask(kind: Ask['kind'], path: string, query: Record<string, string> = {}): Ask {
  return { kind, path, query, page: 1 }
}

/** The ask as path and query string, without a cursor. */
export function urlOf(ask: Ask, cursor?: string): string {
  const query = new URLSearchParams(ask.query)
  if (cursor !== undefined) query.set('cursor', cursor)
  const text = query.toString()
  return text === '' ? ask.path : `${ask.path}?${text}`
}
