/** A filter search as a peer reads it. */
export interface FilterSearch {
  readonly country: string
  /** Each a service, or a service and a type, or a service and an addon. */
  readonly catalogs: readonly string[]
  readonly movie: boolean | undefined
  readonly genres: readonly string[]
  readonly allGenres: boolean
  readonly language: string | undefined
  readonly yearMin: number | undefined
  readonly yearMax: number | undefined
  readonly ratingMin: number | undefined
  readonly ratingMax: number | undefined
  /** Words as they are compared. */
  readonly keywords: readonly string[]
  readonly order: ShowOrder
  readonly descending: boolean
  readonly episodes: boolean
  readonly limit: number
  /** Value and id of the first show of the page. */
  readonly from: readonly [string, number] | undefined
}

/** The column that a search is ordered by. */
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

/** A search for changes as a peer reads it. */
export interface ChangeSearch {
  readonly country: string
  readonly changeType: string
  readonly itemType: string
  readonly services: readonly string[]
  readonly movie: boolean | undefined
  readonly min: number
  readonly max: number
  readonly descending: boolean
  readonly limit: number
  /** Time and rank of the first change of the page. */
  readonly from: readonly [number, number] | undefined
}

/** A show of an answer: where it stands in the order, and its text. */
export interface FoundShow {
  readonly id: number
  readonly value: string | number | null
  readonly text: string
}

/** A change of an answer. */
export interface FoundChange {
  readonly time: number
  readonly rank: number
  readonly showId: number
  readonly body: string
  /** The show that changed. */
  readonly text: string
}

/** What a database must be able to do to take part; printed texts in, printed texts out. */
export interface PeerStore {
  show?(id: string, country: string | undefined): Awaitable<string | undefined>
  filters?(search: FilterSearch): Awaitable<readonly FoundShow[]>
  title?(phrase: string, country: string, movie: boolean | undefined): Awaitable<readonly string[]>
  changes?(search: ChangeSearch): Awaitable<readonly FoundChange[]>
}

type Awaitable<T> = T | Promise<T>
