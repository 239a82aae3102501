import type { FilterShowsParameters, OrderBy } from 'marquee-client'
import { type QueryValues, textLanguage, type Viewer } from '../../app/viewer.ts'

/** The sort orders. */
export const ORDERS = [
  'popularity_1week',
  'popularity_1month',
  'popularity_1year',
  'popularity_alltime',
  'rating',
  'release_date',
  'original_title',
] as const satisfies readonly OrderBy[]

/** The filters of the browse page. The URL has them under their API names. */
export interface BrowseFilters {
  /** Whether everything is shown, or only what is included for the viewer. Chosen catalogs are shown in any case. */
  readonly ways: 'included' | 'all'
  readonly catalogs: readonly string[]
  readonly showType: 'movie' | 'series' | undefined
  readonly genres: readonly string[]
  readonly genresRelation: 'and' | 'or'
  readonly originalLanguage: string | undefined
  readonly yearMin: number | undefined
  readonly yearMax: number | undefined
  readonly ratingMin: number | undefined
  readonly ratingMax: number | undefined
  readonly keyword: string
  /** Names of people that a show must have. */
  readonly people: readonly string[]
  readonly orderBy: OrderBy
  /** Undefined for the default direction of the order. */
  readonly orderDirection: 'asc' | 'desc' | undefined
}

/** The ranges of years and ratings. */
export const YEARS = { min: 1880, max: new Date().getFullYear() + 5 }
export const RATINGS = { min: 0, max: 100 }

/** No filters, sorted by popularity. */
export const NO_FILTERS: BrowseFilters = {
  ways: 'included',
  catalogs: [],
  showType: undefined,
  genres: [],
  genresRelation: 'and',
  originalLanguage: undefined,
  yearMin: undefined,
  yearMax: undefined,
  ratingMin: undefined,
  ratingMax: undefined,
  keyword: '',
  people: [],
  orderBy: 'popularity_1week',
  orderDirection: undefined,
}

/**
 * Reads the filters from the URL. Invalid values are ignored, numbers are clamped, and reversed ranges are swapped. Whether
 * genres and catalogs exist is checked later.
 */
export function readFilters(query: URLSearchParams): BrowseFilters {
  const [yearMin, yearMax] = range(query, 'year', YEARS)
  const [ratingMin, ratingMax] = range(query, 'rating', RATINGS)
  return {
    ways: one(query, 'ways', ['all']) ?? 'included',
    catalogs: list(query, 'catalogs'),
    showType: one(query, 'show_type', ['movie', 'series']),
    genres: list(query, 'genres'),
    genresRelation: one(query, 'genres_relation', ['and', 'or']) ?? 'and',
    originalLanguage: language(query, 'show_original_language'),
    yearMin,
    yearMax,
    ratingMin,
    ratingMax,
    keyword: query.get('keyword') ?? '',
    people: list(query, 'people'),
    orderBy: one(query, 'order_by', ORDERS) ?? NO_FILTERS.orderBy,
    orderDirection: one(query, 'order_direction', ['asc', 'desc']),
  }
}

/** The filters as values of the URL, without defaults. */
export function filtersAsQuery(filters: BrowseFilters): QueryValues {
  return {
    ways: filters.ways === 'all' ? 'all' : undefined,
    catalogs: filters.catalogs,
    show_type: filters.showType,
    genres: filters.genres,
    genres_relation: filters.genresRelation === 'or' ? 'or' : undefined,
    show_original_language: filters.originalLanguage,
    year_min: filters.yearMin,
    year_max: filters.yearMax,
    rating_min: filters.ratingMin,
    rating_max: filters.ratingMax,
    keyword: filters.keyword,
    people: filters.people,
    order_by: filters.orderBy === NO_FILTERS.orderBy ? undefined : filters.orderBy,
    order_direction: filters.orderDirection,
  }
}

/** The filters as parameters of the API. Where no catalog is chosen, it is what is included for the viewer. */
export function filtersAsParameters(
  filters: BrowseFilters,
  viewer: Viewer,
  included: readonly string[] = [],
): FilterShowsParameters {
  const { ways, catalogs: chosen, genres, originalLanguage, keyword, people, genresRelation, ...rest } = filters
  const catalogs = chosen.length > 0 || ways === 'all' ? chosen : included
  return {
    ...rest,
    country: viewer.country,
    outputLanguage: textLanguage(viewer),
    ...(catalogs.length > 0 && { catalogs }),
    ...(genres.length > 0 && { genres }),
    ...(genres.length > 1 && { genresRelation }),
    ...(originalLanguage !== undefined && { showOriginalLanguage: originalLanguage }),
    ...(keyword.trim() !== '' && { keyword: keyword.trim() }),
    ...(people.length > 0 && { people }),
  }
}

function list(query: URLSearchParams, name: string): string[] {
  return (query.get(name) ?? '').split(',').filter((text) => text !== '')
}

function one<T extends string>(query: URLSearchParams, name: string, known: readonly T[]): T | undefined {
  return known.find((value) => value === query.get(name))
}

type Bounds = readonly [number | undefined, number | undefined]

function range(query: URLSearchParams, name: string, limits: typeof YEARS): Bounds {
  const [min, max] = [`${name}_min`, `${name}_max`].map((bound) => {
    const text = query.get(bound) ?? ''
    return /^\d{1,4}$/.test(text) ? Math.min(limits.max, Math.max(limits.min, Number(text))) : undefined
  })
  return min !== undefined && max !== undefined && min > max ? [max, min] : [min, max]
}

/** An alpha-2 language code that the browser knows. */
function language(query: URLSearchParams, name: string): string | undefined {
  const code = query.get(name) ?? ''
  if (!/^[a-z]{2}$/.test(code)) return undefined
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) && code
}
