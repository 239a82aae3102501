import type { FieldSharers, FieldSources } from '../../model/identity.ts'
import type { Episode, Season, Show, Translation } from '../../model/show.ts'
import { findRank, RANKED_FIELDS, type RankedField, type SourceRanks } from '../../model/source-ranks.ts'
import type { ShowRecord } from '../parse/feed-record.ts'
import { isDeepEqual } from '../rules/diff.ts'

/** The descriptive fields of a show, other than its seasons. */
type Details = Pick<Show, Exclude<RankedField, 'seasons'>>

/**
 * Decides for each descriptive field of a show whether a record may change it. A source does not overwrite what comes from
 * a source of better rank; between sources without a rank, the latest record wins. What a record leaves out is deleted only
 * if it came from its own source.
 */
export class FieldPrecedence {
  private readonly before: Show | undefined
  private readonly record: ShowRecord
  private readonly source: string
  private readonly ranks: SourceRanks

  constructor(before: Show | undefined, record: ShowRecord, source: string, ranks: SourceRanks) {
    this.before = before
    this.record = record
    this.source = source
    this.ranks = ranks
  }

  /** Whether the record decides what the field is from now on. */
  decides(field: RankedField): boolean {
    const owner = this.owner(field)
    if (owner === undefined || owner === this.source) return true
    // A source that says nothing leaves what others say.
    return isStated(this.record, field) && this.rank(this.source, field) <= this.rank(owner, field)
  }

  /** The details of a show after a merge, with those put back that the record may not change. */
  restore<D extends Details>(merged: D): D {
    const { before } = this
    if (before === undefined) return merged
    const restored: Record<string, unknown> = { ...merged }
    for (const field of RANKED_FIELDS) {
      if (field === 'seasons' || this.decides(field)) continue
      if (before[field] === undefined) delete restored[field]
      else restored[field] = before[field]
    }
    // Without an original title, the title of a record stands for it.
    if (this.record.originalTitle === undefined && !this.decides('title')) restored.originalTitle = before.originalTitle
    restored.translations = this.joinTranslations(before.translations, merged.translations)
    return restored as D
  }

  /** The source of each field of the merged show, and the others that have stated the same. */
  provenance(merged: Show): Pick<Show, 'fieldSources' | 'fieldSharers'> {
    const fieldSources: Partial<Record<RankedField, string>> = {}
    const fieldSharers: Partial<Record<RankedField, readonly string[]>> = {}
    for (const field of RANKED_FIELDS) {
      const source = this.nextOwner(field, merged)
      if (source === undefined) continue
      fieldSources[field] = source
      const sharers = this.nextSharers(field, merged, source)
      if (sharers.length > 0) fieldSharers[field] = sharers
    }
    return toProvenance(fieldSources, fieldSharers)
  }

  private nextSharers(field: RankedField, merged: Show, owner: string): string[] {
    const { before, record, source } = this
    const known = before?.fieldSharers?.[field] ?? []
    const isKept = before !== undefined && this.isSame(field, merged)
    const sharers = new Set(isKept ? [...known, this.owner(field) ?? owner] : [])
    if (isStated(record, field)) {
      if (this.decides(field) || isDeepEqual(record[field], merged[field])) sharers.add(source)
      else sharers.delete(source)
    } else if (record.partial !== true) sharers.delete(source)
    sharers.delete(owner)
    return [...sharers].sort()
  }

  private nextOwner(field: RankedField, merged: Show): string | undefined {
    const owner = this.owner(field)
    if (!this.decides(field)) return owner
    if (isStated(this.record, field)) {
      if (owner === undefined || owner === this.source) return this.source
      // Of sources that say the same, always the same one is named: an import must not alter a show for that.
      const isRepeated = this.rank(this.source, field) === this.rank(owner, field) && this.isSame(field, merged)
      return isRepeated && owner < this.source ? owner : this.source
    }
    const isKept = this.record.partial === true || KEPT_WITHOUT_VALUE.has(field)
    return isKept ? owner : undefined
  }

  /** Between sources of different ranks, the better one decides language by language. */
  private joinTranslations(before: Show['translations'], merged: Show['translations']): Show['translations'] {
    const owner = this.owner('translations')
    if (owner === undefined || owner === this.source || !isStated(this.record, 'translations')) return merged
    if (this.rank(this.source, 'translations') === this.rank(owner, 'translations')) return merged
    const [better, other] = this.decides('translations') ? [merged, before] : [before, this.record.translations ?? {}]
    const joined: Record<string, Translation> = { ...other, ...better }
    return joined
  }

  private isSame(field: RankedField, merged: Show): boolean {
    if (field !== 'seasons') return isDeepEqual(this.before?.[field], merged[field])
    return isSameSeasons(this.before?.seasons ?? [], merged.seasons ?? [])
  }

  private owner(field: RankedField): string | undefined {
    return this.before?.fieldSources?.[field]
  }

  private rank(source: string, field: RankedField): number {
    return findRank(this.ranks, field, source)
  }
}

/** Whether seasons and episodes are the same but for their offers. */
function isSameSeasons(some: readonly Season[], others: readonly Season[]): boolean {
  return isSameList(some, others, (a, b) => {
    const isSame = a.title === b.title && a.firstAirYear === b.firstAirYear && a.lastAirYear === b.lastAirYear
    return isSame && isSameList(a.episodes ?? [], b.episodes ?? [], isSameEpisode)
  })
}

function isSameEpisode(a: Episode, b: Episode): boolean {
  return a.title === b.title && a.overview === b.overview && a.airYear === b.airYear
}

function isSameList<T>(some: readonly T[], others: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return some.length === others.length && some.every((one, i) => isSame(one, others[i] as T))
}

/** Fields that a record without them leaves as they are. */
const KEPT_WITHOUT_VALUE: ReadonlySet<RankedField> = new Set([
  'originalLanguage',
  'translations',
  'popularity',
  'seasons',
])

/** Whether a record says anything about a field: an empty text or list says nothing. */
function isStated(record: ShowRecord, field: RankedField): boolean {
  const value = record[field]
  if (value === undefined || value === '') return false
  if (typeof value !== 'object') return true
  if (field !== 'imageSet') return Object.keys(value).length > 0
  return Object.values(value).some((urls) => Object.values(urls as object).some((url) => url !== ''))
}

/**
 * A show that a source says nothing about any more. A field comes from another source that has stated the same, if there is
 * one; other texts stay until another source has some.
 */
export function withoutFieldSource(show: Show, source: string): Show {
  const { fieldSources, fieldSharers, ...rest } = show
  const owners = Object.values(fieldSources ?? {})
  if (![...owners, ...Object.values(fieldSharers ?? {}).flat()].includes(source)) return show
  const sources: Partial<Record<RankedField, string>> = {}
  const sharers: Partial<Record<RankedField, readonly string[]>> = {}
  for (const field of RANKED_FIELDS) {
    const stating = [fieldSources?.[field] ?? source, ...(fieldSharers?.[field] ?? [])]
    const [owner, ...others] = stating.filter((one) => one !== source)
    if (owner === undefined) continue
    sources[field] = owner
    if (others.length > 0) sharers[field] = others
  }
  return { ...rest, ...toProvenance(sources, sharers) }
}

function toProvenance(
  fieldSources: FieldSources,
  fieldSharers: FieldSharers,
): Pick<Show, 'fieldSources' | 'fieldSharers'> {
  return {
    ...(Object.keys(fieldSources).length > 0 && { fieldSources }),
    ...(Object.keys(fieldSharers).length > 0 && { fieldSharers }),
  }
}
