import type { SeenRecord } from '../../catalog/documents/seen-records.ts'
import type { Change } from '../../model/change.ts'
import type { ShowImageSet } from '../../model/image.ts'
import type { Offer } from '../../model/offer.ts'
import type { Popularity, Ratings, Show, ShowType, Translation } from '../../model/show.ts'
import type { Attribution, SourceAttribution } from '../../model/source.ts'
import type { RecordDigest } from '../unchanged/line-digest.ts'

/** Who says what follows, and what it covers. */
export interface FeedHeader {
  readonly kind: 'feed'
  readonly source: string
  readonly mode: 'snapshot' | 'delta'
  readonly scope: Scope
  /** The feed states its changes itself: what it brings makes none, and the passing of time is left to the keeper. */
  readonly statesChanges?: true
  /** How many records follow, if the feed declares it. */
  readonly count?: number
  /** What must be shown with the data of the source; absent: what was known of that stays. */
  readonly attribution?: readonly Attribution[]
  /** The same of all sources, in a feed that speaks for others. */
  readonly attributions?: readonly SourceAttribution[]
}

/** The part of the world that a feed speaks of; what is absent is not limited. */
export interface Scope {
  readonly countries?: ReadonlySet<string>
  readonly services?: ReadonlySet<string>
}

/** Whether an offer of a service in a country lies within a scope. */
export function isInScope({ countries, services }: Scope, country: string, service: string): boolean {
  return countries?.has(country) !== false && services?.has(service) !== false
}

/** An offer as a feed states it: the source is the feed's unless named, the time of detection may be missing. */
export type ParsedOffer = Omit<Offer, 'source' | 'availableSince'> & {
  readonly source?: string
  readonly availableSince?: number
}
export type ParsedOffers = Readonly<Record<string, readonly ParsedOffer[]>>

export interface ParsedEpisode {
  readonly title?: string
  readonly overview?: string
  readonly airYear?: number
  readonly offers: ParsedOffers
}

export interface ParsedSeason {
  readonly title?: string
  readonly firstAirYear?: number
  readonly lastAirYear?: number
  readonly offers: ParsedOffers
  readonly episodes?: readonly ParsedEpisode[]
}

/** A show as a feed states it. What a feed may be silent about is optional. */
export interface ShowRecord
  extends Pick<
    Show,
    | 'showType'
    | 'imdbId'
    | 'tmdbId'
    | 'title'
    | 'originalLanguage'
    | 'year'
    | 'lastAirYear'
    | 'directors'
    | 'creators'
    | 'runtime'
    | 'seasonCount'
    | 'episodeCount'
  > {
  readonly kind: 'show'
  readonly line: number
  readonly id?: string
  /** What is not said stays as it was known, rather than being forgotten. */
  readonly partial?: true
  readonly overview?: string
  readonly originalTitle?: string
  readonly genres?: readonly string[]
  readonly cast?: readonly string[]
  /** What the feed's source says; 0 if it says that it does not know. */
  readonly rating?: number
  /** What every source says, in an exported feed. */
  readonly ratings?: Ratings
  readonly imageSet?: ShowImageSet
  readonly translations?: Readonly<Record<string, Translation>>
  readonly popularity?: Readonly<Record<string, Popularity>>
  readonly offers: ParsedOffers
  readonly seasons?: readonly ParsedSeason[]
  /** Own ids under which the show was known before. */
  readonly formerIds?: readonly string[]
  readonly deleted?: true
  readonly mergedInto?: string
  /** The countries that the statement speaks of; absent: all of them. */
  readonly countries?: ReadonlySet<string>
  /** Some of its offers could not be read: what it lacks proves nothing. */
  readonly isFlawed: boolean
  /** The words it was made in, if it stands in a line of its own that has no other meaning. */
  readonly digest?: RecordDigest
}

/** A show that is stated in the very words in which it was before, and so need not be read. */
export interface UnchangedShow {
  readonly kind: 'restated'
  readonly told: SeenRecord
  /** Reads it nevertheless. */
  reparse(): Iterable<BodyRecord>
}

export interface TopListRecord {
  readonly kind: 'top'
  readonly line: number
  readonly country: string
  readonly service: string
  readonly showType: ShowType
  readonly shows: readonly string[]
}

export interface RemoveRecord {
  readonly kind: 'remove'
  readonly line: number
  readonly ids: readonly string[]
}

/** A past change, in a feed that states its changes itself. */
export interface ChangeRecord {
  readonly kind: 'change'
  readonly line: number
  readonly change: Change
}

/** What a feed says beyond reference data, in the order in which it is taken. */
export type BodyRecord = ShowRecord | UnchangedShow | TopListRecord | RemoveRecord | ChangeRecord

/** The offers of each item of a stated show. */
export function* recordOffers({ offers, seasons = [] }: ShowRecord): Iterable<ParsedOffers> {
  yield offers
  for (const season of seasons) {
    yield season.offers
    for (const episode of season.episodes ?? []) yield episode.offers
  }
}

/** How many offers a statement makes. */
export function countOffers(statement: ShowRecord): number {
  let sum = 0
  for (const byCountry of recordOffers(statement)) {
    for (const country in byCountry) sum += byCountry[country]?.length ?? 0
  }
  return sum
}
