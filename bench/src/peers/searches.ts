import type { ChangeSearch, FilterSearch, ShowOrder } from './peer-store.ts'
import { wordsOf } from './text.ts'

export type Query = Readonly<Record<string, string | undefined>>

/** One more than a page holds, to know whether there is another. */
const ONE_MORE = 1
const MONTH = 31 * 86_400

/** The column of an `order_by`. */
function orderOf(name: string): ShowOrder {
  if (name === 'original_title') return 'title'
  if (name === 'release_date') return 'year'
  return name as ShowOrder
}

/** Reads a filter search. Peers are asked what Marquee has answered before, so nothing is checked. */
export function filterSearch(query: Query): FilterSearch {
  const order = orderOf(query.order_by ?? 'original_title')
  const episodes = query.series_granularity === 'episode'
  const upwards = order === 'title' || order === 'year'
  return {
    country: query.country!,
    catalogs: list(query.catalogs),
    movie: movieOf(query),
    genres: list(query.genres),
    allGenres: query.genres_relation !== 'or',
    language: query.show_original_language,
    yearMin: number(query.year_min),
    yearMax: number(query.year_max),
    ratingMin: number(query.rating_min),
    ratingMax: number(query.rating_max),
    keywords: wordsOf(query.keyword ?? ''),
    order,
    descending: query.order_direction === undefined ? !upwards : query.order_direction === 'desc',
    episodes,
    limit: pageSize(query, episodes) + ONE_MORE,
    from: query.cursor === undefined ? undefined : showCursor(query.cursor),
  }
}

function pageSize({ show_type }: Query, episodes: boolean): number {
  if (show_type === 'movie' || !episodes) return 20
  return show_type === 'series' ? 10 : 15
}

/** Reads a search for changes. */
export function changeSearch(query: Query, now: number): ChangeSearch {
  const coming = query.change_type === 'expiring' || query.change_type === 'upcoming'
  const from = query.cursor?.split(':').map(Number)
  return {
    country: query.country!,
    changeType: query.change_type!,
    itemType: query.item_type!,
    services: list(query.catalogs),
    movie: movieOf(query),
    // Changes without a day have the time 0, and are out of every window.
    min: number(query.from) ?? (coming ? now - 86_400 : now - MONTH - 86_400),
    max: number(query.to) ?? (coming ? now + MONTH + 86_400 : now + 86_400),
    descending: query.order_direction === 'desc',
    limit: 25 + ONE_MORE,
    from: from === undefined ? undefined : [from[0]!, from[1]!],
  }
}

/** Whether only movies, only series or both are asked for. */
export function movieOf({ show_type }: Query): boolean | undefined {
  return show_type === undefined ? undefined : show_type === 'movie'
}

function showCursor(cursor: string): [string, number] {
  const colon = cursor.indexOf(':')
  return [cursor.slice(colon + 1), Number(cursor.slice(0, colon))]
}

function list(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',')
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
