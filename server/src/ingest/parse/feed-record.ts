import { createHash } from 'node:crypto'
import type { SeenRecord } from '../../catalog/documents/seen-records.ts'
import type { Change } from '../../model/change.ts'
import type { ShowIdentity } from '../../model/identity.ts'
import type { Offer } from '../../model/offer.ts'
import type { Popularity, Ratings, Show, ShowImageSet, ShowType, Translation } from '../../model/show.ts'
import type { Attribution, SourceAttribution } from '../../model/source-ranks.ts'
import type { FeedLine } from '../lines/feed-lines.ts'
import type { LineDigest } from '../lines/line-digest.ts'
import type { SourceHistory } from './parse-history.ts'

/** The first record of a feed: its source and what it covers. */
export interface FeedHeader {
  readonly kind: 'feed'
  readonly source: string
  readonly mode: 'snapshot' | 'delta'
  readonly scope: Scope
  /** The feed is an export: it states its changes itself, so none are derived, and windows are left to the scheduler. */
  readonly statesChanges?: true
  /** The number of records that follow, if the feed declares it. */
  readonly count?: number
  /** What must be shown with the source's data; if absent, the known attribution stays. */
  readonly attribution?: readonly Attribution[]
  /** The attributions of all sources, in an export. */
  readonly attributions?: readonly SourceAttribution[]
  /** The old snapshots that history was filled from, in an export. */
  readonly histories?: readonly SourceHistory[]
}

/** The countries and services that a feed covers; an absent list covers all. */
export interface Scope {
  readonly countries?: ReadonlySet<string>
  readonly services?: ReadonlySet<string>
}

/** Whether a scope covers a service in a country. */
export function isInScope({ countries, services }: Scope, country: string, service: string): boolean {
  return countries?.has(country) !== false && services?.has(service) !== false
}

/** An offer of a feed. Without `source` it is the feed's own; without `availableSince` that is resolved at merge. */
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
  /** Its page at the source, for offers that are rolled up from its episodes. */
  readonly link?: string
  readonly offers: ParsedOffers
  readonly episodes?: readonly ParsedEpisode[]
}

/** A show of a feed, parsed. Fields that a feed may leave out are optional. */
export interface ShowRecord
  extends ShowIdentity,
    Pick<
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
      | 'history'
    > {
  readonly kind: 'show'
  readonly line: number
  readonly id?: string
  /** The id of the record within its source. */
  readonly recordId?: string
  /** Fields that the record leaves out keep their known values; otherwise they are deleted. */
  readonly partial?: true
  readonly overview?: string
  readonly originalTitle?: string
  readonly genres?: readonly string[]
  readonly cast?: readonly string[]
  /** The rating by the feed's source; 0 means unrated. */
  readonly rating?: number
  /** The ratings by all sources, in an export. */
  readonly ratings?: Ratings
  readonly imageSet?: ShowImageSet
  readonly translations?: Readonly<Record<string, Translation>>
  /** Alternative titles. */
  readonly aliases?: readonly string[]
  readonly popularity?: Readonly<Record<string, Popularity>>
  readonly offers: ParsedOffers
  /** The page of a series at the source, for offers that are rolled up from its parts. */
  readonly link?: string
  readonly seasons?: readonly ParsedSeason[]
  /** Own ids of shows that were merged into this one. */
  readonly formerIds?: readonly string[]
  readonly deleted?: true
  readonly mergedInto?: string
  /** The countries that the record covers; absent: all. */
  readonly countries?: ReadonlySet<string>
  /** Whether a part could not be parsed, so that a missing offer is not a removal. */
  readonly isFlawed: boolean
  /** The digest by which the same line is recognised next time; absent if the line has other effects, too. */
  readonly digest?: RecordDigest
}

/** A show record that the catalog has seen before and that was not parsed. */
export interface UnchangedShow {
  readonly kind: 'unchanged'
  readonly line: number
  readonly seen: SeenRecord
  /** Parses the line after all. */
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

/** A past change, in an export. */
export interface ChangeRecord {
  readonly kind: 'change'
  readonly line: number
  readonly change: Change
}

/** A record after the header, other than reference data, which goes straight to the reference builder. */
export type BodyRecord = ShowRecord | UnchangedShow | TopListRecord | RemoveRecord | ChangeRecord

/** Any record of a feed, other than reference data. */
export type FeedRecord = FeedHeader | BodyRecord

/** The offers of each item of a show record: the show, its seasons and episodes. */
export function* recordOffers({ offers, seasons = [] }: ShowRecord): Iterable<ParsedOffers> {
  yield offers
  for (const season of seasons) {
    yield season.offers
    for (const episode of season.episodes ?? []) yield episode.offers
  }
}

/** The number of offers in a show record. */
export function countOffers(record: ShowRecord): number {
  let sum = 0
  for (const byCountry of recordOffers(record)) {
    for (const country in byCountry) sum += byCountry[country]?.length ?? 0
  }
  return sum
}

/** The digest of a record's line, and of all else that the result of parsing it depends on. */
export interface RecordDigest extends LineDigest {
  readonly context: Buffer
}

/** A running hash over the lines of a feed: two passes over equal lines in equal order have the same fingerprint. */
export class FeedFingerprint {
  private readonly hash = createHash('sha256')

  /** Adds a line, by its digest if it has one. */
  add(line: FeedLine, lineDigest: LineDigest | undefined): void {
    if ('text' in line) this.hash.update(lineDigest?.digest ?? line.bytes ?? line.text)
    else this.hash.update(`${line.line} ${'problem' in line ? line.problem : line.note}`)
    this.hash.update('\n')
  }

  /** The fingerprint of all lines so far. */
  digest(): string {
    return this.hash.copy().digest('base64')
  }
}
