import { tokenize } from './analyzer.ts'

/** A filter search, parsed. */
export interface FilterQuery {
  readonly country: string
  /** Each a service, a service and type, or a service and addon. */
  readonly catalogs: readonly string[]
  readonly movie: boolean | undefined
  readonly genres: readonly string[]
  readonly allGenres: boolean
  readonly language: string | undefined
  readonly yearMin: number | undefined
  readonly yearMax: number | undefined
  readonly ratingMin: number | undefined
  readonly ratingMax: number | undefined
  /** Normalized words. */
  readonly keywords: readonly string[]
  readonly order: ShowOrder
  readonly descending: boolean
  readonly episodes: boolean
  readonly limit: number
  /** Cursor: sort value and id of the first show of the page. */
  readonly from: readonly [string, number] | undefined
}

/** Sort columns. */
export const SHOW_ORDERS = [
  'title',
  'year',
  'rating',
  'popularity_alltime',
  'popularity_1year',
  'popularity_1month',
  'popularity_1week',
] as const
export type ShowOrder = (typeof SHOW_ORDERS)[number]

/** A search for changes, parsed. */
export interface ChangesQuery {
  readonly country: string
  readonly changeType: string
  readonly itemType: string
  readonly services: readonly string[]
  readonly movie: boolean | undefined
  readonly min: number
  readonly max: number
  readonly descending: boolean
  readonly limit: number
  /** Cursor: time and rank of the first change of the page. */
  readonly from: readonly [number, number] | undefined
}

/** A show of a page: its sort key and its JSON text. */
export interface FoundShow {
  readonly id: number
  readonly value: string | number | null
  readonly text: string
}

/** A change of a page. */
export interface FoundChange {
  readonly time: number
  readonly rank: number
  readonly showId: number
  readonly body: string
  /** JSON text of the show that changed. */
  readonly text: string
}

/** A database behind the peer server. Everything it returns is prerendered JSON text. */
export interface PeerStore {
  show?(id: string, country: string | undefined): Awaitable<string | undefined>
  filters?(search: FilterQuery): Awaitable<readonly FoundShow[]>
  title?(phrase: string, country: string, movie: boolean | undefined): Awaitable<readonly string[]>
  changes?(search: ChangesQuery): Awaitable<readonly FoundChange[]>
}

type Awaitable<T> = T | Promise<T>

/** Query parameters of a request. */
export type QueryParameters = Readonly<Record<string, string | undefined>>

/** One row more than the page holds tells whether there is another page. */
export const LOOKAHEAD = 1
const MONTH_SECONDS = 31 * 86_400

/** Maps `order_by` to a column. */
function parseOrder(name: string): ShowOrder {
  if (name === 'original_title') return 'title'
  if (name === 'release_date') return 'year'
  return name as ShowOrder
}

/** Parses a filter search. Nothing is validated: Marquee has accepted the same request before. */
export function parseFilterQuery(query: QueryParameters): FilterQuery {
  const order = parseOrder(query.order_by ?? 'original_title')
  const episodes = query.series_granularity === 'episode'
  const ascending = order === 'title' || order === 'year'
  return {
    country: query.country!,
    catalogs: parseList(query.catalogs),
    movie: parseShowType(query),
    genres: parseList(query.genres),
    allGenres: query.genres_relation !== 'or',
    language: query.show_original_language,
    yearMin: parseNumber(query.year_min),
    yearMax: parseNumber(query.year_max),
    ratingMin: parseNumber(query.rating_min),
    ratingMax: parseNumber(query.rating_max),
    keywords: tokenize(query.keyword ?? ''),
    order,
    descending: query.order_direction === undefined ? !ascending : query.order_direction === 'desc',
    episodes,
    limit: pageSize(query, episodes) + LOOKAHEAD,
    from: query.cursor === undefined ? undefined : parseCursor(query.cursor),
  }
}

function pageSize({ show_type }: QueryParameters, episodes: boolean): number {
  if (show_type === 'movie' || !episodes) return 20
  return show_type === 'series' ? 10 : 15
}

/** Parses a search for changes. */
export function parseChangesQuery(query: QueryParameters, now: number): ChangesQuery {
  const isFuture = query.change_type === 'expiring' || query.change_type === 'upcoming'
  const from = query.cursor?.split(':').map(Number)
  return {
    country: query.country!,
    changeType: query.change_type!,
    itemType: query.item_type!,
    services: parseList(query.catalogs),
    movie: parseShowType(query),
    // Changes without a known day have the time 0 and are in no range.
    min: parseNumber(query.from) ?? (isFuture ? now - 86_400 : now - MONTH_SECONDS - 86_400),
    max: parseNumber(query.to) ?? (isFuture ? now + MONTH_SECONDS + 86_400 : now + 86_400),
    descending: query.order_direction === 'desc',
    limit: 25 + LOOKAHEAD,
    from: from === undefined ? undefined : [from[0]!, from[1]!],
  }
}

/** True for movies only, false for series only, undefined for both. */
export function parseShowType({ show_type }: QueryParameters): boolean | undefined {
  return show_type === undefined ? undefined : show_type === 'movie'
}

function parseCursor(cursor: string): [string, number] {
  const colon = cursor.indexOf(':')
  return [cursor.slice(colon + 1), Number(cursor.slice(0, colon))]
}

function parseList(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',')
}

function parseNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
