import type { Catalog } from '../../catalog/catalog.ts'
import { showTitleKeys } from '../../catalog/identity/identity-index.ts'
import { type IdentityDecision, isKeptApart } from '../../model/identity.ts'
import type { Show } from '../../model/show.ts'
import { createCatalogIndex } from '../apply/show-index.ts'
import type { Comparison } from '../identity/compare-profiles.ts'
import { compareCandidates, isMatch, isNear } from '../identity/find-match.ts'

/** A show in a list. */
export interface ListedShow {
  readonly id: string
  readonly showType: Show['showType']
  readonly title: string
  readonly year?: number
}

/** Records of several sources that are one show, and what each was joined by. */
export interface JoinedShow extends ListedShow {
  readonly records: readonly { readonly source: string; readonly key: string; readonly by: string }[]
  /** Ids of shows that were merged into it. */
  readonly merged?: readonly string[]
}

/** Two shows of one title and about the same year that were left apart, and why. */
export interface ApartShows {
  readonly shows: readonly [ListedShow, ListedShow]
  readonly evidence: readonly string[]
  readonly why: readonly string[]
}

/** What an operator has decided about a show. */
export interface DecidedShow extends ListedShow {
  readonly decisions: readonly IdentityDecision[]
}

/** One entry of the list. */
export type ListedIdentity =
  | ({ readonly kind: 'joined' } & JoinedShow)
  | ({ readonly kind: 'apart' } & ApartShows)
  | ({ readonly kind: 'decided' } & DecidedShow)

export interface ListIdentitiesOptions {
  /** Only what this show is part of, by any of its ids. */
  readonly show?: string | undefined
  /** Only shows with a record of this source. */
  readonly source?: string | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** Lists the joined shows of a catalog, those that were left apart, and what was decided about any. */
export function* listIdentities(catalog: Catalog, options: ListIdentitiesOptions = {}): Generator<ListedIdentity> {
  const { source, onProgress } = options
  const only = options.show === undefined ? undefined : catalog.findDoc(options.show)
  const docs = options.show === undefined ? catalog.documents.docs() : only === undefined ? [] : [only]
  const [index, total] = [createCatalogIndex(catalog), catalog.nextDoc()]
  let done = 0
  for (const doc of docs) {
    onProgress?.(++done, total)
    const show = catalog.documents.identityOutline(doc)
    if (show === undefined || show.deleted === true) continue
    if (source === undefined || show.records?.[source] !== undefined) {
      if (isJoined(show)) yield { kind: 'joined', ...toJoined(show) }
      if (show.decisions !== undefined) yield { kind: 'decided', ...toListed(show), decisions: show.decisions }
    }
    const similar = index.findSimilar({ keys: showTitleKeys(show), showType: show.showType })
    // Each pair comes once, unless only one show is asked for.
    const others = similar.filter(({ id }) => (only === undefined ? Number(id) > Number(show.id) : id !== show.id))
    for (const { show: other, comparison } of compareCandidates(show, others)) {
      if (source !== undefined && show.records?.[source] === undefined && other.records?.[source] === undefined)
        continue
      if (!isNear(comparison)) continue
      const why = explain(show, other, comparison)
      yield { kind: 'apart', shows: [toListed(show), toListed(other)], evidence: comparison.evidence, why }
    }
  }
}

function toListed({ id, showType, title, year }: Show): ListedShow {
  return { id, showType, title, ...(year !== undefined && { year }) }
}

function isJoined({ records = {}, formerIds = [] }: Show): boolean {
  const count = Object.values(records).reduce((sum, links) => sum + links.length, 0)
  return count > 1 || formerIds.length > 0
}

function toJoined(show: Show): JoinedShow {
  const records = Object.entries(show.records ?? {}).flatMap(([source, links]) =>
    links.map(({ key, by }) => ({ source, key, by })),
  )
  return { ...toListed(show), records, ...(show.formerIds !== undefined && { merged: show.formerIds }) }
}

/** Why two shows are two although their titles agree. */
function explain(one: Show, other: Show, comparison: Comparison): string[] {
  if (isKeptApart(one, other)) return ['parted by an operator']
  const ids = (['imdbId', 'tmdbId'] as const).filter(
    (id) => one[id] !== '' && other[id] !== '' && one[id] !== other[id],
  )
  if (ids.length > 0) return ids.map((id) => (id === 'imdbId' ? 'different IMDb ids' : 'different TMDB ids'))
  const shared = Object.keys(one.records ?? {}).filter((source) => other.records?.[source] !== undefined)
  const reasons = [...shared.map((source) => `two records of ${source}`), ...comparison.doubts]
  if (!comparison.isCorroborated) reasons.push('nothing but the title agrees')
  else if (reasons.length === 0) reasons.push(isMatch(comparison) ? 'ambiguous when it came' : 'too little agrees')
  return reasons
}
