import type { Catalog } from '../../catalog/catalog.ts'
import { findServiceInCountry } from '../../catalog/storage/reference.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Change } from '../../model/change.ts'
import { type IdentityDecision, isKeptApart } from '../../model/identity.ts'
import { DERIVED_IDS, type Show } from '../../model/show.ts'
import { toTombstone } from '../apply/merge-duplicates.ts'
import { diff } from '../rules/diff.ts'
import { applyDueWindows, type HomePage } from '../rules/offer-windows.ts'
import { recordHistory } from '../rules/record-history.ts'
import { findRecordLinks, joinShows, restoreShow, splitRecords, withDecision, withoutDecision } from './split-show.ts'

/** What a decision comes to. */
export interface DecisionResult {
  readonly batch: Batch
  /** The own ids of the two shows. The second one is new if records were split off. */
  readonly shows: readonly [string, string]
  readonly what: 'joined' | 'parted' | 'unjoined' | 'unparted'
}

/**
 * Applies what an operator decides about two shows: that they are one, that they are two, or that an earlier decision no
 * longer holds. Reads the catalog and makes a batch; the caller commits it.
 */
export class IdentityEditor {
  private readonly catalog: Catalog
  private readonly now: number
  private readonly homePage: HomePage

  constructor(catalog: Catalog, now: number) {
    this.catalog = catalog
    this.now = now
    const reference = catalog.reference()
    this.homePage = (service, country) => findServiceInCountry(reference, service, country)?.homePage ?? ''
  }

  /** Makes two shows one. The first one stays; the ids of the other lead to it. */
  join(one: string, other: string): DecisionResult {
    const [show, duplicate] = [this.find(one), this.find(other)]
    if (show.id === duplicate.id) throw new UserError(`${one} and ${other} are one show already: ${describe(show)}`)
    if (show.showType !== duplicate.showType) {
      throw new UserError(`${describe(show)} and ${describe(duplicate)} are of different types and cannot be one show`)
    }
    return this.merge(show, duplicate, 'joined')
  }

  /** Makes sure that two shows are two: shows that were merged, or a show and records that were joined to it. */
  part(one: string, other: string): DecisionResult {
    const show = this.find(one)
    const merged = this.findMerged(show, other)
    if (merged !== undefined) return this.split(show, merged, 'parted')
    const doc = this.catalog.findDoc(other)
    if (doc === undefined) return this.partRecords(show, other)
    const second = this.find(other)
    if (second.id === show.id) throw new UserError(`${one} and ${other} are the same show; ${partHint(show)}`)
    if (isKeptApart(show, second)) throw new UserError(`${describe(show)} and ${describe(second)} are parted already`)
    const decision = { kind: 'part', at: this.now } as const
    const shows = [
      withDecision(show, { ...decision, show: second.id }),
      withDecision(second, { ...decision, show: show.id }),
    ] as const
    return this.result(shows, 'parted', [show, second])
  }

  /** Takes back what was decided about two shows. */
  undo(one: string, other: string): DecisionResult {
    const show = this.find(one)
    const merged = this.findMerged(show, other)
    if (merged !== undefined && findDecision(show, merged)?.kind === 'join') return this.split(show, merged, 'unjoined')
    const second = this.find(other)
    const decision = findDecision(show, second) ?? findDecision(second, show)
    if (decision === undefined) {
      const known = (show.decisions ?? []).map(({ kind, show: id }) => `${kind} ${id}`).join(', ')
      throw new UserError(
        `Nothing was decided about ${one} and ${other}; decided about ${describe(show)}: ${known || 'nothing'}`,
      )
    }
    if (decision.split === true) return this.merge(show, second, 'unparted')
    const shows = [withoutDecision(show, second.id), withoutDecision(second, show.id)] as const
    return this.result(shows, 'unparted', [show, second])
  }

  private merge(show: Show, duplicate: Show, what: 'joined' | 'unparted'): DecisionResult {
    const [current, other] = [this.upToDate(show), this.upToDate(duplicate)]
    const whole = joinShows(current, other)
    const decision = { kind: 'join', show: duplicate.id, at: this.now } as const
    const decided = what === 'joined' ? withDecision(whole, decision) : whole
    return this.result([decided, toTombstone(duplicate, show.id)], what, [show, undefined])
  }

  private split(show: Show, merged: Show, what: 'parted' | 'unjoined'): DecisionResult {
    const parts = restoreShow(this.upToDate(show), merged)
    if (what === 'unjoined') return this.result(parts, what, [show, undefined])
    return this.result(this.keepApart(parts), what, [show, undefined])
  }

  private partRecords(show: Show, reference: string): DecisionResult {
    const links = findRecordLinks(show, reference)
    if (links === undefined) {
      throw new UserError(`"${reference}" is no show, and no record of ${describe(show)}; ${partHint(show)}`)
    }
    const parts = splitRecords(this.upToDate(show), links, this.allocateId())
    if (parts === undefined) throw new UserError(`${describe(show)} has no other record than ${reference}`)
    return this.result(this.keepApart(parts), 'parted', [show, undefined])
  }

  private keepApart([show, other]: readonly [Show, Show]): readonly [Show, Show] {
    const decision = { kind: 'part', at: this.now, split: true } as const
    return [withDecision(show, { ...decision, show: other.id }), withDecision(other, { ...decision, show: show.id })]
  }

  /** The batch of two shows, with the changes that follow for those that are found by queries. */
  private result(
    shows: readonly [Show, Show],
    what: DecisionResult['what'],
    before: readonly [Show, Show | undefined],
  ): DecisionResult {
    const changes: Change[] = []
    const recorded = shows.map((show, i) => {
      if (show.mergedInto !== undefined) return show
      const known = before[i]
      const current = known && applyDueWindows(known, this.now, this.homePage)
      changes.push(...(current?.changes ?? []), ...diff(current?.show, show, this.now))
      return recordHistory(current?.show, show, this.now)
    })
    // A tombstone is written first: its id leads to the other show afterwards.
    const ordered = recorded.sort((a, b) => Number(b.deleted === true) - Number(a.deleted === true))
    return { batch: { at: this.now, shows: ordered, changes }, shows: [shows[0].id, shows[1].id], what }
  }

  private upToDate(show: Show): Show {
    return applyDueWindows(show, this.now, this.homePage).show
  }

  private find(id: string): Show {
    const doc = this.catalog.findDoc(id)
    const show = doc === undefined ? undefined : this.catalog.show(doc)
    if (show === undefined || show.deleted === true) throw new UserError(`There is no show ${id}`)
    return show
  }

  /** The tombstone of a show that was merged into another, directly. */
  private findMerged({ id }: Show, other: string): Show | undefined {
    const doc = this.catalog.findOwnDoc(other)
    const show = doc === undefined ? undefined : this.catalog.show(doc)
    return show?.mergedInto === id ? show : undefined
  }

  private allocateId(): string {
    let next = this.catalog.highestId() + 1
    while (next < DERIVED_IDS.first && this.catalog.findDoc(String(next)) !== undefined) next++
    if (next < DERIVED_IDS.first) return String(next)
    for (let id = 1; ; id++) if (this.catalog.findDoc(String(id)) === undefined) return String(id)
  }
}

function findDecision({ decisions = [] }: Show, { id }: Show): IdentityDecision | undefined {
  return decisions.find(({ show }) => show === id)
}

function describe({ id, title, year }: Show): string {
  return `${id} "${title}"${year === undefined ? '' : ` (${year})`}`
}

function partHint(show: Show): string {
  const records = Object.entries(show.records ?? {}).flatMap(([source, links]) =>
    links.map(({ key }) => `${source}/${key}`),
  )
  return records.length === 0 ? 'it has no records' : `its records are ${records.join(', ')}`
}
