import type { ChangeType } from '../model/change.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { OfferType } from '../model/offer.ts'
import type { Granularity, ItemType, PopularityWindow, ShowType } from '../model/show.ts'

/** The orders of a filter search. */
export const SHOW_ORDERS = [
  'original_title',
  'release_date',
  'rating',
  'popularity_alltime',
  'popularity_1year',
  'popularity_1month',
  'popularity_1week',
] as const
export type ShowOrder = (typeof SHOW_ORDERS)[number]
export type Direction = 'asc' | 'desc'

/** The popularity window of an order by popularity; undefined for other orders. */
export function popularityWindow(order: ShowOrder): PopularityWindow | undefined {
  return order.startsWith('popularity_') ? (order.slice('popularity_'.length) as PopularityWindow) : undefined
}

/** The default direction: titles and dates ascend, ratings and popularity descend. */
export function defaultDirection(order: ShowOrder): Direction {
  return order === 'original_title' || order === 'release_date' ? 'asc' : 'desc'
}

/** A part of a country's catalogs: a service, one of its option types, or one of its addons. */
export interface CatalogSelector {
  readonly service: string
  readonly type?: OfferType
  readonly addon?: string
}

/** One show, by any of its ids. */
export interface ShowQuery {
  readonly kind: 'show'
  readonly id: string
  readonly country?: string
  readonly granularity: Granularity
  readonly language: OutputLanguage
}

/** Several shows, each by any of its ids. */
export interface ShowsQuery {
  readonly kind: 'shows'
  readonly ids: readonly string[]
  readonly country?: string
  readonly granularity: Granularity
  readonly language: OutputLanguage
}

/** Shows of a country's catalogs that match all filters, a page at a time. */
export interface FilterQuery {
  readonly kind: 'filter'
  readonly country: string
  readonly catalogs: readonly CatalogSelector[]
  readonly showType?: ShowType
  readonly genres: readonly string[]
  readonly genresRelation: 'and' | 'or'
  readonly originalLanguage?: string
  readonly yearMin?: number
  readonly yearMax?: number
  readonly ratingMin?: number
  readonly ratingMax?: number
  readonly keyword?: string
  /** Names of people, all of whom a show must have. */
  readonly people: readonly string[]
  readonly granularity: Granularity
  readonly order: ShowOrder
  readonly direction: Direction
  readonly cursor?: string
  readonly language: OutputLanguage
}

/** Shows by title. */
export interface TitleQuery {
  readonly kind: 'title'
  readonly title: string
  readonly country: string
  /** Only shows of these catalogs; of any, and of none, if empty. */
  readonly catalogs: readonly CatalogSelector[]
  readonly showType?: ShowType
  readonly genres: readonly string[]
  readonly yearMin?: number
  readonly yearMax?: number
  /** The most results. Without it the default applies, which titles equal to the phrase may exceed. */
  readonly limit?: number
  readonly granularity: Granularity
  readonly language: OutputLanguage
}

/** People by name. */
export interface PeopleQuery {
  readonly kind: 'people'
  readonly name: string
  readonly limit: number
}

/** A service's official top list. */
export interface TopQuery {
  readonly kind: 'top'
  readonly country: string
  readonly service: string
  readonly showType?: ShowType
  readonly language: OutputLanguage
}

/** Past or future changes in a country's catalogs within a span of time, both ends included. */
export interface ChangesQuery {
  readonly kind: 'changes'
  readonly country: string
  readonly changeTypes: readonly ChangeType[]
  readonly itemTypes: readonly ItemType[]
  readonly catalogs: readonly CatalogSelector[]
  readonly showType?: ShowType
  readonly from: number
  readonly to: number
  readonly includeUnknownDates: boolean
  readonly direction: Direction
  readonly cursor?: string
  readonly language: OutputLanguage
}

/** Past changes in a country's catalogs in the order of commits, from a journal token on. */
export interface ChangesSinceQuery
  extends Pick<ChangesQuery, 'country' | 'changeTypes' | 'itemTypes' | 'catalogs' | 'showType' | 'language'> {
  readonly kind: 'changes-since'
  /** A journal token, or `now` for none but the token of this moment. */
  readonly since: string
}

/** All shows of a country, or those that were altered after a journal token. */
export interface ExportQuery {
  readonly kind: 'export'
  readonly country: string
  readonly granularity: Granularity
  readonly language: OutputLanguage
  readonly since?: string
  /** Where an export that was cut off goes on. */
  readonly cursor?: string
}

export interface CountriesQuery {
  readonly kind: 'countries'
  readonly as: 'array' | 'map'
  readonly language: OutputLanguage
}

export interface CountryQuery {
  readonly kind: 'country'
  readonly country: string
  readonly language: OutputLanguage
}

export interface GenresQuery {
  readonly kind: 'genres'
  readonly language: OutputLanguage
}

/** A query of any kind. */
export type Query =
  | ShowQuery
  | ShowsQuery
  | FilterQuery
  | TitleQuery
  | PeopleQuery
  | TopQuery
  | ChangesQuery
  | ChangesSinceQuery
  | CountriesQuery
  | CountryQuery
  | GenresQuery
