import type { CountShowsParameters, FilterShowsParameters, OrderBy } from 'marquee-client'
import { type QueryValues, textLanguage, type Viewer } from '../../app/viewer.ts'
import { countryCurrency } from '../../i18n/currency.ts'

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

/** Video qualities that can be required, the lowest first. */
export const QUALITIES = ['sd', 'hd', 'qhd', 'uhd'] as const

/** Periods within which an offer ends, in days. A period stays true in a shared URL, other than an instant. */
export const LEAVING_DAYS = { week: 7, month: 31 } as const

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
  /** In minutes. */
  readonly runtimeMin: number | undefined
  readonly runtimeMax: number | undefined
  /** Languages, one of which an offer must have; subtitles with `-cc` for closed captions. */
  readonly audios: readonly string[]
  readonly subtitles: readonly string[]
  readonly qualityMin: (typeof QUALITIES)[number] | undefined
  /** In the currency of the viewer's country. */
  readonly priceMax: string | undefined
  readonly leaving: keyof typeof LEAVING_DAYS | undefined
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
const RUNTIMES = { min: 0, max: 1000 }

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
  runtimeMin: undefined,
  runtimeMax: undefined,
  audios: [],
  subtitles: [],
  qualityMin: undefined,
  priceMax: undefined,
  leaving: undefined,
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
  const originalLanguage = query.get('show_original_language') ?? ''
  const [yearMin, yearMax] = range(query, 'year', YEARS)
  const [ratingMin, ratingMax] = range(query, 'rating', RATINGS)
  const [runtimeMin, runtimeMax] = range(query, 'runtime', RUNTIMES)
  return {
    ways: one(query, 'ways', ['all']) ?? 'included',
    catalogs: list(query, 'catalogs'),
    showType: one(query, 'show_type', ['movie', 'series']),
    genres: list(query, 'genres'),
    genresRelation: one(query, 'genres_relation', ['and', 'or']) ?? 'and',
    originalLanguage:
      /^[a-z]{2}$/.test(originalLanguage) && isLanguageCode(originalLanguage) ? originalLanguage : undefined,
    yearMin,
    yearMax,
    ratingMin,
    ratingMax,
    runtimeMin,
    runtimeMax,
    audios: list(query, 'audios').filter(isLanguageCode),
    subtitles: list(query, 'subtitles').filter((entry) => isLanguageCode(entry.replace(/-cc$/, ''))),
    qualityMin: one(query, 'quality_min', QUALITIES),
    priceMax: readPrice(query.get('price_max') ?? ''),
    leaving: one(query, 'leaving', ['week', 'month']),
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
    runtime_min: filters.runtimeMin,
    runtime_max: filters.runtimeMax,
    audios: filters.audios,
    subtitles: filters.subtitles,
    quality_min: filters.qualityMin,
    price_max: filters.priceMax,
    leaving: filters.leaving,
    keyword: filters.keyword,
    people: filters.people,
    order_by: filters.orderBy === NO_FILTERS.orderBy ? undefined : filters.orderBy,
    order_direction: filters.orderDirection,
  }
}

/** The filters and the order as parameters of the API. */
export function filtersAsParameters(
  filters: BrowseFilters,
  viewer: Viewer,
  included: readonly string[] = [],
): FilterShowsParameters {
  const { orderBy, orderDirection } = filters
  return { ...filtersWithoutOrder(filters, viewer, included), orderBy, ...(orderDirection && { orderDirection }) }
}

/**
 * The filters alone as parameters of the API. Where no catalog is chosen, it is what is included for the viewer: unless a
 * price is asked for, which nothing included has.
 */
export function filtersWithoutOrder(
  filters: BrowseFilters,
  viewer: Viewer,
  included: readonly string[] = [],
): CountShowsParameters {
  const {
    catalogs: chosen,
    genres,
    people,
    audios,
    subtitles,
    showType,
    qualityMin,
    originalLanguage,
    priceMax,
  } = filters
  const currency = priceMax === undefined ? undefined : countryCurrency(viewer.country)
  const catalogs = chosen.length > 0 || filters.ways === 'all' || currency !== undefined ? chosen : included
  const keyword = filters.keyword.trim()
  const numbers = Object.fromEntries(
    (['yearMin', 'yearMax', 'ratingMin', 'ratingMax', 'runtimeMin', 'runtimeMax'] as const).flatMap((name) =>
      filters[name] === undefined ? [] : [[name, filters[name]]],
    ),
  )
  return {
    country: viewer.country,
    outputLanguage: textLanguage(viewer),
    ...(catalogs.length > 0 && { catalogs }),
    ...(showType && { showType }),
    ...(genres.length > 0 && { genres }),
    ...(genres.length > 1 && { genresRelation: filters.genresRelation }),
    ...(originalLanguage !== undefined && { showOriginalLanguage: originalLanguage }),
    ...numbers,
    ...(keyword !== '' && { keyword }),
    ...(people.length > 0 && { people }),
    ...(audios.length > 0 && { audios }),
    ...(subtitles.length > 0 && { subtitles }),
    ...(qualityMin && { qualityMin }),
    ...(currency !== undefined && { priceMax, currency }),
    ...(filters.leaving && { leavingBefore: endOfPeriod(LEAVING_DAYS[filters.leaving], Date.now() / 1000) }),
  }
}

/** The end of the UTC day that is so many days away: on one day the request stays the same. */
function endOfPeriod(days: number, now: number): number {
  return (Math.floor(now / 86_400) + days + 1) * 86_400
}

/** A price as people type it, in the notation of the API; undefined if it is none. */
export function readPrice(text: string): string | undefined {
  const price = text.trim().replace(',', '.')
  return /^\d{1,7}(\.\d{1,2})?$/.test(price) ? price : undefined
}

function list(query: URLSearchParams, name: string): string[] {
  return parseNames(query.get(name) ?? '')
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

/** The entries of a list with commas. */
export function parseNames(text: string): string[] {
  return text.split(',').flatMap((entry) => entry.trim() || [])
}

/** Whether a code of two or three letters names a language that the browser knows. */
function isLanguageCode(code: string): boolean {
  if (!/^[a-z]{2,3}$/.test(code)) return false
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) !== undefined
}
