import { allTitles, titleKeys } from '../../catalog/identity/identity-index.ts'
import { isKeptApart, type RecordLink, sourceLinks } from '../../model/identity.ts'
import type { Show } from '../../model/show.ts'
import { compareProfiles } from '../identity/compare-profiles.ts'
import { findMatch } from '../identity/find-match.ts'
import { countCommon, toProfile, yearGap } from '../identity/profile.ts'
import type { RecordKeys } from '../identity/record-keys.ts'
import type { NoticeCode } from '../import-report.ts'
import type { ShowRecord } from '../parse/feed-record.ts'
import { hasOtherIds, type ShowIndex } from './show-index.ts'

/** The result of identification: which show a record is about. */
export interface Identity {
  /** The known show; undefined if the record is about a new one. */
  readonly known: Show | undefined
  /** The id of the known show, or the record's id if that is free. */
  readonly id: string | undefined
  /** What the show and the record are linked by from now on. */
  readonly link?: RecordLink
  /** The key that the link had in earlier versions. */
  readonly formerKey?: string
  /** Whether the link takes the place of all other links of the source: their records are gone. */
  readonly replacesLinks?: true
  /** A second known show that the record proves to be the same one. */
  readonly duplicate?: Show
  /** Another show that the record was linked to before, and is not about. */
  readonly unlinked?: Show
  readonly notices: readonly { readonly code: NoticeCode; readonly message: string }[]
}

/** What identification depends on beside the record and the shows. */
export interface IdentifyContext {
  readonly source: string
  readonly keys: RecordKeys
  /** Whether the links of the source to a show no longer count: a snapshot does not have their records any more. */
  isUnclaimed(show: Show): boolean
  /** Whether an earlier record of the feed is about the show. */
  isStated(show: Show): boolean
  /** Whether the source gives its ids to other works from feed to feed, as a list that is numbered anew does. */
  readonly reusesIds: boolean
  /** Called for a record that was found by its own id, and again if nothing but that id speaks for its show. */
  observe(what: 'linked' | 'renamed'): void
}

/**
 * Finds the show of a record: by IMDb or TMDB id; else by the record's key within its source, so that a record always
 * finds the show that it made; else by the show's own id; else by the evidence of titles, years and people. A show whose
 * IMDb or TMDB id differs from the record's is never a match by anything else.
 */
export function identify(record: ShowRecord, index: ShowIndex, context: IdentifyContext): Identity {
  return new Identification(record, index, context).run()
}

class Identification {
  private readonly record: ShowRecord
  private readonly index: ShowIndex
  private readonly context: IdentifyContext
  private readonly notices: Identity['notices'][number][] = []
  /** Whether the primary key leads to a show that the record contradicts. */
  private isKeyReused = false

  constructor(record: ShowRecord, index: ShowIndex, context: IdentifyContext) {
    this.record = record
    this.index = index
    this.context = context
  }

  run(): Identity {
    const { former } = this.context.keys
    const identity =
      this.byUnchangedRecord() ??
      this.byOutsideIds() ??
      this.byRecordKey() ??
      this.byOwnId() ??
      this.byEvidence() ??
      this.asNew()
    return former === undefined || this.isKeyReused ? identity : { ...identity, formerKey: former }
  }

  /** A record that says the same as last time is about the same show, whatever was learnt about its ids since. */
  private byUnchangedRecord(): Identity | undefined {
    const { keys } = this.context
    return this.byUnchangedKey(keys.primary, () => this.byUnchangedKey(keys.composite))
  }

  /** The show of a key if the record says what it said last; `otherwise` is tried if it says something else. */
  private byUnchangedKey(key: string, otherwise?: () => Identity | undefined): Identity | undefined {
    const { source, keys } = this.context
    const known = key === keys.primary ? this.findPrimary() : this.findRecord(key)
    if (known === undefined) return undefined
    const link = sourceLinks(known.records, source).find((one) => one.key === key || one.key === keys.former)
    if (link?.fields !== keys.fields) return otherwise?.()
    if (!keys.isCatalogId) this.context.observe('linked')
    return { known, id: known.id, link: { ...link, key }, notices: this.notices }
  }

  private byOutsideIds(): Identity | undefined {
    const { record, index, notices } = this
    const { imdbId, tmdbId, showType } = record
    const byImdb = imdbId === '' ? undefined : index.findById(imdbId)
    const byTmdb = tmdbId === '' ? undefined : index.findById(tmdbId)
    if (byImdb !== undefined && byTmdb !== undefined && byImdb.id !== byTmdb.id) {
      const [older, younger] = sortByAge(byImdb, byTmdb)
      if (this.areOne(older, younger)) return this.merged(older, younger, 'imdb')
      this.note('ids_disagree', `${imdbId} is show ${byImdb.id}, but ${tmdbId} is show ${byTmdb.id}`)
    }
    // The IMDb id decides: an equal TMDB id does not match shows with different IMDb ids.
    const isContradicted = byImdb === undefined && byTmdb !== undefined && hasConflictingIds(byTmdb, record)
    if (isContradicted) {
      const other = `${byTmdb.imdbId || byTmdb.showType} and not ${imdbId || showType}`
      this.note('ids_disagree', `${tmdbId} is show ${byTmdb.id}, which is ${other}`)
    }
    const known = byImdb ?? (isContradicted ? undefined : byTmdb)
    if (known === undefined) return undefined
    const by = byImdb === undefined ? 'tmdb' : 'imdb'
    const before = this.findLinked()
    if (before === undefined || before.id === known.id) return this.linked(known, by)
    // What an operator has parted stays two, whatever ids say.
    if (isKeptApart(before, known)) return this.linked(before, 'operator')
    if (this.context.isStated(before)) {
      // The feed has the key twice, and its first record is about the other show.
      this.isKeyReused = true
      return this.linked(known, by)
    }
    // The record made another show before it had this id, or was joined to the wrong one.
    const [older, younger] = sortByAge(before, known)
    if (this.hasMade(before) && this.areOne(older, younger)) return this.merged(older, younger, by)
    return { ...this.linked(known, by), unlinked: before, notices }
  }

  private byRecordKey(): Identity | undefined {
    const known = this.findLinked()
    return known === undefined ? undefined : this.linked(known, 'id')
  }

  /** The show that a record of the source is linked to, by its key. */
  private findRecord(key: string): Show | undefined {
    const owner = this.index.findRecordOwner(this.context.source, key)
    return owner === undefined ? undefined : this.index.findById(owner)
  }

  /** The show of the primary key, or of the key that the record had in earlier versions. */
  private findPrimary(): Show | undefined {
    const { primary, former } = this.context.keys
    return this.findRecord(primary) ?? (former === undefined ? undefined : this.findRecord(former))
  }

  /** The show that the record is linked to, unless it contradicts the record. */
  private findLinked(): Show | undefined {
    const { keys } = this.context
    const first = this.findPrimary()
    if (first === undefined) return undefined
    if (!this.contradicts(first)) return first
    this.isKeyReused = true
    const second = this.findRecord(keys.composite)
    return second === undefined || hasConflictingIds(second, this.record) ? undefined : second
  }

  /** Whether the record's source has given the key of a show to something else. */
  private contradicts(show: Show): boolean {
    const { record, context } = this
    if (hasConflictingIds(show, record)) return true
    // The details of a show that an operator has joined or parted may be those of another record.
    if (context.keys.isCatalogId || show.decisions !== undefined) return false
    context.observe('linked')
    return this.isAnotherWork(show)
  }

  /** Whether a record that has changed is about something else than the show of its id: the id was used again. */
  private isAnotherWork(show: Show): boolean {
    const { record, context } = this
    if (show.showType !== record.showType) return true
    const [profile, known] = [toProfile(record), toProfile(show)]
    const comparison = compareProfiles(profile, known)
    if (comparison !== undefined) return comparison.isVetoed
    const people = [...profile.leaders, ...profile.cast]
    const knownPeople = [...known.leaders, ...known.cast]
    if (countCommon(people, knownPeople) > 0) return false
    context.observe('renamed')
    if (people.length > 0 && knownPeople.length > 0) return true
    const gap = yearGap(profile, known)
    if (gap !== undefined && gap > 1) return true
    return context.reusesIds
  }

  private hasMade(show: Show): boolean {
    const { source, keys } = this.context
    return sourceLinks(show.records, source).some(({ key, by }) => keys.isPrimary(key) && (by === 'new' || by === 'id'))
  }

  private byOwnId(): Identity | undefined {
    const { record, index, context } = this
    const { id } = record
    const byId = id === undefined ? undefined : index.findById(id)
    if (byId === undefined) return undefined
    const isReused = !context.keys.isCatalogId && this.isAnotherWork(byId)
    if (!hasConflictingIds(byId, record) && !isReused) return this.linked(byId, 'id')
    this.note('id_taken', `The id ${id} belongs to "${byId.title}"`)
    return undefined
  }

  private byEvidence(): Identity | undefined {
    const { record, index } = this
    const similar = index.findSimilar({ keys: titleKeys(allTitles(record)), showType: record.showType, ids: record })
    const candidates = similar.filter((show) => !hasConflictingIds(show, record) && !this.isClaimed(show))
    const { match, ambiguous } = findMatch(record, candidates)
    if (ambiguous.length > 0) {
      const ids = ambiguous.map((show) => show.id).join(', ')
      const year = record.year === undefined ? '' : ` (${record.year})`
      this.note('ambiguous_show', `"${record.title}"${year} may be any of the shows ${ids}`)
    }
    // Candidates are outlines; the match is read as a whole.
    const known = match && index.findById(match.show.id)
    if (known === undefined) return undefined
    return { ...this.linked(known, (match?.comparison.evidence ?? []).join('+')), replacesLinks: true }
  }

  /** Whether another record of the same source is linked to the show: two records of one source are two shows. */
  private isClaimed(show: Show): boolean {
    const { source, keys } = this.context
    const hasOthers = sourceLinks(show.records, source).some(({ key }) => !keys.isPrimary(key))
    return hasOthers && !this.context.isUnclaimed(show)
  }

  private asNew(): Identity {
    const { id } = this.record
    const isFree = id !== undefined && this.index.findById(id) === undefined
    return { known: undefined, id: isFree ? id : undefined, link: this.link('new'), notices: this.notices }
  }

  private linked(known: Show, by: string): Identity {
    return { known, id: known.id, link: this.link(by, known), notices: this.notices }
  }

  private merged(known: Show, duplicate: Show, by: string): Identity {
    // An earlier record of the feed states the one already: this record repeats it, and would add to what it says.
    if (this.context.isStated(duplicate)) return this.linked(duplicate, by)
    this.note('shows_merged', `Show ${duplicate.id} turns out to be show ${known.id}`)
    return { known, id: known.id, duplicate, link: this.link(by), notices: this.notices }
  }

  private link(by: string, known?: Show): RecordLink {
    const { source, keys } = this.context
    const { year } = this.record
    // A record without an own id is named by its IMDb or TMDB id; the first link of its source stands for it.
    const isNamedOutside = !keys.hasOwnId && (by === 'imdb' || by === 'tmdb')
    const first = isNamedOutside ? sourceLinks(known?.records, source)[0]?.key : undefined
    const key = first ?? (this.isKeyReused ? keys.composite : keys.primary)
    return { key, by, fields: keys.fields, ...(year !== undefined && { year }) }
  }

  /** Whether two shows can be merged: nothing contradicts it, and no operator keeps them apart. */
  private areOne(one: Show, other: Show): boolean {
    const { record } = this
    return !hasConflictingIds(one, record) && !hasConflictingIds(other, record) && !isKeptApart(one, other)
  }

  private note(code: NoticeCode, message: string): void {
    this.notices.push({ code, message })
  }
}

/** The show with the older id first; it stays when the two are merged. */
function sortByAge(one: Show, other: Show): [older: Show, younger: Show] {
  return Number(one.id) < Number(other.id) ? [one, other] : [other, one]
}

/** Whether the types differ, or both have an IMDb or TMDB id and the two differ. */
function hasConflictingIds(show: Show, record: ShowRecord): boolean {
  return show.showType !== record.showType || hasOtherIds(show, record)
}
