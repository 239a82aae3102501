import type { FilterQuery } from './queries.ts'

/** A page of a search: documents in order, and where the next page starts, if there is one. */
export interface Page {
  readonly docs: readonly number[]
  readonly nextCursor?: string
}

/** How many shows a page of a filter search holds. */
export function pageSize({ showType, granularity }: Pick<FilterQuery, 'showType' | 'granularity'>): number {
  if (showType === 'movie' || granularity === 'show') return 20
  return showType === 'series' && granularity === 'episode' ? 10 : 15
}
