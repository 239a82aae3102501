import type { RankedField } from './source-ranks.ts'

/** A record of a source that a show was made from, or that was joined to the show. */
export interface RecordLink {
  /** The record's own id within its source; without one, `~` and a digest of its key fields. */
  readonly key: string
  /**
   * What links the record to the show: an id (`imdb`, `tmdb`, `id`), `new` if it made the show without one, the evidence,
   * or `operator`.
   */
  readonly by: string
  /** A hash of the record's identifying fields when it came last: one that says the same again is the same. */
  readonly fields?: string
  /** The year that the record states: lists differ, and each later record is compared with all of them. */
  readonly year?: number
}

/** The records of a show by source. */
export type RecordLinks = Readonly<Record<string, readonly RecordLink[]>>

/** What an operator decided about two shows. Both hold the decision; of a join, the show that stays. */
export interface IdentityDecision {
  /** `join`: the two are one. `part`: they are two, whatever sources say. */
  readonly kind: 'join' | 'part'
  /** The id of the other show. */
  readonly show: string
  readonly at: number
  /** The decision split the other show off this one, or this one off the other. */
  readonly split?: true
}

/** The source that each descriptive field of a show comes from. */
export type FieldSources = Readonly<Partial<Record<RankedField, string>>>

/** The other sources that have stated the same as the one that a field comes from, sorted. */
export type FieldSharers = Readonly<Partial<Record<RankedField, readonly string[]>>>

/** The parts of a show that say where it comes from and what it must not be confused with. */
export interface ShowIdentity {
  readonly records?: RecordLinks
  readonly decisions?: readonly IdentityDecision[]
  /** Of a show that was merged into another: the IMDb, TMDB and former ids that it had, for an undo. */
  readonly mergedIds?: readonly string[]
  readonly fieldSources?: FieldSources
  readonly fieldSharers?: FieldSharers
}

/** Links of one source that a show keeps at most; the oldest are dropped. */
const MAX_LINKS_PER_SOURCE = 8

/** Adds a link, or replaces the one of its key. The newest stands first. */
export function withLink(links: RecordLinks | undefined, source: string, link: RecordLink): RecordLinks {
  const known = sourceLinks(links, source)
  const same = known.find(({ key }) => key === link.key)
  // What first joined the record to the show stays, unless an id has come in.
  const kept = same === undefined || isOutsideId(link.by) ? link : { ...link, by: same.by }
  const others = known.filter(({ key }) => key !== link.key)
  const all = same === undefined ? [kept, ...others] : known.map((one) => (one.key === link.key ? kept : one))
  return { ...links, [source]: all.slice(0, MAX_LINKS_PER_SOURCE) }
}

function isOutsideId(by: string): boolean {
  return by === 'imdb' || by === 'tmdb'
}

/** The links with the one of a key under another key, unless that has one. */
export function renameLink(
  links: RecordLinks | undefined,
  source: string,
  { from, to }: { readonly from: string; readonly to: string },
): RecordLinks | undefined {
  const known = sourceLinks(links, source)
  if (!known.some(({ key }) => key === from)) return links
  const isTaken = known.some(({ key }) => key === to)
  const renamed = known.flatMap((link) => (link.key !== from ? [link] : isTaken ? [] : [{ ...link, key: to }]))
  return { ...links, [source]: renamed }
}

/** The links without those of a source for which `isDropped` holds. */
export function withoutLinks(
  links: RecordLinks | undefined,
  source: string,
  isDropped: (link: RecordLink) => boolean,
): RecordLinks | undefined {
  if (links === undefined) return undefined
  const { [source]: own = [], ...others } = links
  const kept = own.filter((link) => !isDropped(link))
  const rest = kept.length === 0 ? others : { ...others, [source]: kept }
  return Object.keys(rest).length === 0 ? undefined : rest
}

/** The links of two shows that become one. */
export function mergeLinks(own: RecordLinks | undefined, other: RecordLinks | undefined): RecordLinks | undefined {
  if (own === undefined || other === undefined) return own ?? other
  const merged: Record<string, readonly RecordLink[]> = { ...own }
  for (const [source, links] of Object.entries(other)) {
    const known = sourceLinks(own, source)
    const more = links.filter(({ key }) => !known.some((link) => link.key === key))
    merged[source] = [...known, ...more].slice(0, MAX_LINKS_PER_SOURCE)
  }
  return merged
}

/** The links of one source. */
export function sourceLinks(links: RecordLinks | undefined, source: string): readonly RecordLink[] {
  return links !== undefined && Object.hasOwn(links, source) ? (links[source] as readonly RecordLink[]) : []
}

/** Only the parts of a show that `ShowIdentity` has. */
export function pickIdentity(show: ShowIdentity): ShowIdentity {
  const { records, decisions, mergedIds, fieldSources, fieldSharers } = show
  return {
    ...(records !== undefined && { records }),
    ...(decisions !== undefined && { decisions }),
    ...(mergedIds !== undefined && { mergedIds }),
    ...(fieldSources !== undefined && { fieldSources }),
    ...(fieldSharers !== undefined && { fieldSharers }),
  }
}

/** A show, as far as decisions are concerned. */
type DecidedShow = Pick<ShowIdentity, 'decisions'> & { readonly id: string; readonly formerIds?: readonly string[] }

/** Whether an operator keeps two shows apart. */
export function isKeptApart(one: DecidedShow, other: DecidedShow): boolean {
  return partsFrom(one, other) || partsFrom(other, one)
}

function partsFrom({ decisions = [] }: DecidedShow, { id, formerIds = [] }: DecidedShow): boolean {
  return decisions.some(({ kind, show }) => kind === 'part' && (show === id || formerIds.includes(show)))
}

/** The decisions about two shows that become one, without those about each other. */
export function mergeDecisions(one: DecidedShow, other: DecidedShow): readonly IdentityDecision[] | undefined {
  if (one.decisions === undefined && other.decisions === undefined) return undefined
  const all = [...(one.decisions ?? []), ...(other.decisions ?? [])]
  const kept = all.filter(({ show }) => show !== one.id && show !== other.id)
  return kept.length === 0 ? undefined : kept
}
