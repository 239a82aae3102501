import type { ChangeType } from '../model/change.ts'
import type { OutputLanguage } from '../model/language.ts'
import type { OfferType, Price, Quality } from '../model/offer.ts'
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
  'runtime',
  'available_since',
  'leaving',
  'random',
] as const
export type ShowOrder = (typeof SHOW_ORDERS)[number]
export type Direction = 'asc' | 'desc'

/** Orders whose values are computed for each query, since they depend on its filters or its seed. */
const COMPUTED_ORDERS = ['available_since', 'leaving', 'random'] as const

/** Whether an order has no column. */
export function isComputedOrder(order: ShowOrder): order is (typeof COMPUTED_ORDERS)[number] {
  return COMPUTED_ORDERS.includes(order as (typeof COMPUTED_ORDERS)[number])
}

/** The popularity window of an order by popularity; undefined for other orders. */
export function popularityWindow(order: ShowOrder): PopularityWindow | undefined {
  return order.startsWith('popularity_') ? (order.slice('popularity_'.length) as PopularityWindow) : undefined
}

/** The default direction: ratings and popularity descend, all else ascends. */
export function defaultDirection(order: ShowOrder): Direction {
  return order === 'rating' || popularityWindow(order) !== undefined ? 'desc' : 'asc'
}

/** A part of a country's catalogs: a service, one of its option types, or one of its addons. */
export interface CatalogSelector {
  readonly service: string
  readonly type?: OfferType
  readonly addon?: string
}

/** Subtitles in a language (ISO 639-3); with `captions`, closed captions only. */
export interface SubtitleChoice {
  readonly language: string
  readonly captions: boolean
}

/** Filters on options: one and the same live option must pass all of them. */
export interface OptionFilter {
  readonly types?: readonly OfferType[]
  /** Languages (ISO 639-3), at least one of which the option must have. */
  readonly audios?: readonly string[]
  readonly subtitles?: readonly SubtitleChoice[]
  readonly qualityMin?: Quality
  /** The option must have a price in this currency, and at most this amount. */
  readonly priceMax?: Price
  readonly availableSinceMin?: number
  /** The option must end at a known time before this one. */
  readonly leavingBefore?: number
}

/** One show, by any of its ids. */
export interface ShowQuery {
  readonly kind: 'show'
  readonly id: string
  /** The countries whose options are answered; all if absent. */
  readonly countries?: readonly string[]
  readonly granularity: Granularity
  readonly language: OutputLanguage
  readonly shape?: ShowShape
}

/** Several shows, each by any of its ids. */
export interface ShowsQuery {
  readonly kind: 'shows'
  readonly ids: readonly string[]
  readonly countries?: readonly string[]
  readonly granularity: Granularity
  readonly language: OutputLanguage
  readonly shape?: ShowShape
}

/** Filters on shows, all of which a show must pass. One that is not asked for is undefined: so all queries have one shape. */
export interface ShowFilters {
  /** A show must be in at least one of them. */
  readonly countries: readonly string[]
  readonly catalogs: readonly CatalogSelector[]
  readonly showType?: ShowType | undefined
  readonly genres: readonly string[]
  readonly genresRelation: 'and' | 'or'
  readonly originalLanguage?: string | undefined
  readonly yearMin?: number | undefined
  readonly yearMax?: number | undefined
  readonly ratingMin?: number | undefined
  readonly ratingMax?: number | undefined
  readonly keyword?: string | undefined
  /** Names of people, all of whom a show must have. */
  readonly people: readonly string[]
  readonly runtimeMin?: number | undefined
  readonly runtimeMax?: number | undefined
  readonly seasonsMax?: number | undefined
  readonly excludeGenres?: readonly string[] | undefined
  /** Only these shows, and none of those, by any of their ids. */
  readonly ids?: readonly string[] | undefined
  readonly excludeIds?: readonly string[] | undefined
  /** The option must belong to the catalogs, too. */
  readonly options?: OptionFilter | undefined
  /** Keywords are looked for in texts of this language. */
  readonly language: OutputLanguage
}

/** Shows that pass filters, a page at a time. */
export interface FilterQuery extends ShowFilters {
  readonly kind: 'filter'
  readonly granularity: Granularity
  /** The most shows of a page; the page size if absent. */
  readonly limit?: number | undefined
  readonly order: ShowOrder
  /** Chooses one of the random orders. */
  readonly seed?: number | undefined
  readonly direction: Direction
  readonly cursor?: string | undefined
  readonly shape?: ShowShape | undefined
}

/** By what shows can be counted. */
export const FACETS = ['services', 'showTypes', 'genres', 'years', 'languages'] as const
export type Facet = (typeof FACETS)[number]

/** A count of shows with another value of one filter. */
export interface CountStep {
  /** The parameter and its value, as they were asked for. */
  readonly filter: string
  readonly value: string
  readonly filters: ShowFilters
}

/** The count of shows that pass filters, as a whole, by some facets, and for some other values of filters. */
export interface CountQuery extends ShowFilters {
  readonly kind: 'count'
  readonly facets: readonly Facet[]
  /** Whether a facet is counted without the filter on what it counts by. */
  readonly withoutOwnFilter: boolean
  readonly steps: readonly CountStep[]
}

/** Shows by title. */
export interface TitleQuery {
  readonly kind: 'title'
  readonly title: string
  /** The country whose popularity ranks equally good matches. */
  readonly country: string
  /** The countries of the catalogs and options, if they are several. */
  readonly countries?: readonly string[] | undefined
  /** Only shows of these catalogs; of any, and of none, if empty. */
  readonly catalogs: readonly CatalogSelector[]
  readonly showType?: ShowType | undefined
  readonly genres: readonly string[]
  readonly yearMin?: number | undefined
  readonly yearMax?: number | undefined
  /** The most results. Without it the default applies, which titles equal to the phrase may exceed. */
  readonly limit?: number | undefined
  readonly granularity: Granularity
  readonly language: OutputLanguage
  readonly shape?: ShowShape | undefined
}

/** People by name. */
export interface PeopleQuery {
  readonly kind: 'people'
  readonly name: string
  readonly limit: number
}

/** Shows that resemble one, by any of its ids. */
export interface SimilarQuery extends ShowFilters {
  readonly kind: 'similar'
  readonly id: string
  readonly limit: number
  readonly granularity: Granularity
  readonly shape?: ShowShape
}

/** The past of a show in a country, by any of its ids. */
export interface HistoryQuery {
  readonly kind: 'history'
  readonly id: string
  readonly country: string
  readonly granularity: Granularity
  readonly language: OutputLanguage
}

/** A service's official top list. */
export interface TopQuery {
  readonly kind: 'top'
  readonly country: string
  readonly service: string
  readonly showType?: ShowType
  readonly language: OutputLanguage
  readonly shape?: ShowShape
}

/** Past or future changes in the catalogs of countries within a span of time, both ends included. */
export interface ChangesQuery {
  readonly kind: 'changes'
  /** In ascending order, without repeats. */
  readonly countries: readonly string[]
  /** Whether each change says its country. */
  readonly namesCountries?: true | undefined
  readonly changeTypes: readonly ChangeType[]
  readonly itemTypes: readonly ItemType[]
  readonly catalogs: readonly CatalogSelector[]
  readonly showType?: ShowType | undefined
  readonly from: number
  readonly to: number
  readonly includeUnknownDates: boolean
  readonly direction: Direction
  readonly cursor?: string | undefined
  readonly language: OutputLanguage
  /** Which members of changes are answered, and which of their shows. */
  readonly changeFields?: FieldTree | undefined
  readonly shape?: ShowShape | undefined
}

/** Past changes in the catalogs of countries in the order of commits, from a journal token on. */
export interface ChangesSinceQuery
  extends Pick<
    ChangesQuery,
    | 'countries'
    | 'namesCountries'
    | 'changeTypes'
    | 'itemTypes'
    | 'catalogs'
    | 'showType'
    | 'language'
    | 'shape'
    | 'changeFields'
  > {
  readonly kind: 'changes-since'
  /** A journal token, or `now` for none but the token of this moment. */
  readonly since: string
  /** The `nextCursor` of the page before, a journal token too. */
  readonly cursor?: string | undefined
}

/** Past changes in a country's catalogs as they are committed, without end. */
export interface ChangesStreamQuery
  extends Pick<ChangesQuery, 'changeTypes' | 'itemTypes' | 'catalogs' | 'showType' | 'language'> {
  readonly kind: 'changes-stream'
  readonly country: string
  /** The journal token to begin behind, or `now`. */
  readonly since: string
}

/** Changes of one kind of feed for people: within a span of time, of shows with a genre, or of one show. */
export interface FeedQuery
  extends Pick<
    ChangesQuery,
    'changeTypes' | 'itemTypes' | 'catalogs' | 'showType' | 'from' | 'to' | 'direction' | 'language'
  > {
  readonly country: string
  /** A show must have one of them; any if empty. */
  readonly genres: readonly string[]
  /** Only this show, by any of its ids. */
  readonly showId?: string
  /** The most changes. */
  readonly limit: number
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
  readonly withProviderIds?: true
}

export interface CountryQuery {
  readonly kind: 'country'
  readonly country: string
  readonly language: OutputLanguage
  readonly withProviderIds?: true
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
  | CountQuery
  | TitleQuery
  | PeopleQuery
  | SimilarQuery
  | HistoryQuery
  | TopQuery
  | ChangesQuery
  | ChangesSinceQuery
  | CountriesQuery
  | CountryQuery
  | GenresQuery

/** Whether the answer to a query says when sources were last confirmed, which changes without a new catalog version. */
export function hasProvenance(query: Query): boolean {
  return 'shape' in query && query.shape?.includes.has('provenance') === true
}

/** The countries whose options must be known before a query is executed. */
export function countriesOfOptions(query: Query): readonly string[] {
  if (query.kind === 'filter' && isComputedOrder(query.order) && query.order !== 'random') return query.countries
  if (query.kind === 'filter' || query.kind === 'similar') return query.options === undefined ? [] : query.countries
  if (query.kind !== 'count') return []
  const counted = [query, ...query.steps.map(({ filters }) => filters)].filter(({ options }) => options !== undefined)
  return counted.length <= 1
    ? (counted[0]?.countries ?? [])
    : [...new Set(counted.flatMap(({ countries }) => countries))]
}

/** The people that a query filters by. */
export function peopleOfQuery(query: Query): readonly string[] {
  return query.kind === 'filter' || query.kind === 'count' || query.kind === 'similar' ? query.people : []
}

/** A query whose answer is sent part by part. */
export type StreamedQuery = ExportQuery | ChangesStreamQuery

/** Opt-in members of shows, in the order in which a show has them. */
export const INCLUDES = [
  'numbers',
  'provenance',
  'tmdbProviderIds',
  'aliases',
  'originalLanguage',
  'popularity',
  'bestOffer',
  'history',
] as const
export type Include = (typeof INCLUDES)[number]

/** The member that an opt-in adds to an object. */
export function includedMember(include: Include): string {
  return include === 'numbers' ? 'number' : include
}

/** Some members of an object, or of all objects in a list or a map. */
export interface FieldTree {
  /** Whether the value is a map: its keys are no members. */
  readonly isMap: boolean
  /** The chosen members; all of them if undefined. */
  readonly members: ReadonlyMap<string, FieldTree> | undefined
}

/** Which members of shows are answered. */
export interface ShowShape {
  /** Identifies the shape in caches. */
  readonly name: string
  /** The chosen members; all ordinary ones if absent. */
  readonly fields?: FieldTree
  readonly includes: ReadonlySet<Include>
  /** Members that were included, not only named by a field: they come wherever the object is that has them. */
  readonly extraMembers: ReadonlySet<string>
  /** What a viewer subscribes to: services, and addons as `<service>.addon.<addon>`. */
  readonly services: ReadonlySet<string>
}
