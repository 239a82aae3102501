import { createHash } from 'node:crypto'
import type { Database } from 'lmdb'
import type { Popularity } from '../../model/show.ts'
import { type FetchOutcome, SyncStore } from '../sync/sync-store.ts'
import type { UpcomingOffer } from './records.ts'

/** A page of a walk: its entity tag, the keys of its shows, and the cursor of the next page. Stored as JSON. */
export interface StoredPage {
  readonly etag: string
  readonly keys: readonly string[]
  readonly next?: string
}

/** What is known of a country from earlier syncs. Stored as JSON. */
export interface CountryState {
  /** When the last walk through all its shows began. */
  readonly walkedAt: number
  /** Changes before this instant of the service's clock are imported. */
  readonly changesSince: number
  /** Keys of what the walk took: catalogs, and facts that need walks of their own. */
  readonly scope: string
  readonly details: string
}

/** Facts of a show that only walks of their own give, until they are imported. Stored as JSON. */
export interface ShowDetails {
  /** By which id the show is found, and its original title, which tells it from another show of that id. */
  readonly show?: { readonly id: string; readonly originalTitle: unknown }
  readonly originalLanguage?: string
  readonly popularity?: Readonly<Record<string, Popularity>>
  readonly texts?: Readonly<Record<string, { title: unknown; overview: unknown; imageSet: unknown }>>
}

/** A task of the plan: a phase and its arguments, such as `walk us movie`. */
export interface SyncTask {
  readonly position: number
  readonly key: string
}

/** What a page adds to the store, in one transaction with the position of the walk. */
export interface StepResult {
  readonly outcomes?: readonly FetchOutcome[]
  /** Keys of shows that are known to be unchanged. */
  readonly unchanged?: readonly string[]
  /** Shows that have to be fetched by id, with the countries. */
  readonly changed?: ReadonlyMap<string, readonly string[]>
  readonly details?: ReadonlyMap<string, ShowDetails>
  /** The page, for a conditional request by the next walk. */
  readonly page?: StoredPage
  /** Language codes of the audio tracks, of three letters. */
  readonly audioLanguages?: Iterable<string>
  /** The number of shows on the page. */
  readonly count?: number
  /** The cursor of the next page; undefined ends the task. */
  readonly next: string | undefined
}

/** Where an unfinished walk goes on: the cursor, and the number of shows before it. Stored as JSON. */
export interface WalkPosition {
  readonly cursor: string
  readonly count: number
}

/** The progress of a sync with a v4 service: the cursors of walks, pages with their entity tags, and announced offers. */
export class V4Store extends SyncStore {
  private readonly pages: Database<StoredPage & { task: string; at: number }, string>
  private readonly positions: Database<WalkPosition, string>
  private readonly upcoming: Database<readonly UpcomingOffer[], string>
  private readonly changed: Database<readonly string[], string>
  private readonly detailRows: Database<ShowDetails, string>
  private readonly countries: Database<CountryState, string>
  private readonly tops: Database<readonly string[], string>
  private nextPosition: number
  /** The scope of the records: pages of another scope are fetched again. */
  scope = ''

  constructor(folder: string) {
    super(folder)
    this.pages = this.openTable('pages')
    this.positions = this.openTable('positions')
    this.upcoming = this.openTable('upcoming')
    this.changed = this.openTable('changed')
    this.detailRows = this.openTable('details')
    this.countries = this.openTable('countries')
    this.tops = this.openTable('tops')
    this.nextPosition = 1 + Math.max(lastKey(this.fetched), lastKey(this.plan))
  }

  /** The unfinished tasks of a phase. */
  tasks(phase: string): SyncTask[] {
    return this.pendingTitles().filter(({ key }) => key === phase || key.startsWith(`${phase} `))
  }

  /** Adds a task to the plan, unless it is there. */
  async addTasks(keys: readonly string[]): Promise<void> {
    const pending = new Set(this.pendingTitles().map(({ key }) => key))
    const added = keys.filter((key) => !pending.has(key))
    if (added.length === 0) return
    await this.root.transaction(() => {
      for (const key of added) this.plan.put(this.nextPosition++, key)
    })
  }

  /** Where an unfinished walk goes on; undefined at its start. */
  position(task: SyncTask): WalkPosition | undefined {
    return this.positions.get(task.key)
  }

  page(task: SyncTask, cursor: string | undefined): StoredPage | undefined {
    return this.pages.get(this.pageKey(task, cursor))
  }

  /** Stores the result of one page, and where its walk goes on. */
  saveStep(task: SyncTask, before: WalkPosition | undefined, now: number, result: StepResult): Promise<unknown> {
    const { outcomes = [], unchanged = [], changed = new Map(), details = new Map(), page, next } = result
    const { cursor, count = 0 } = before ?? {}
    return this.root.transaction(() => {
      for (const outcome of outcomes) this.putFetched(outcome)
      for (const key of unchanged) {
        const title = this.titles.get(key)
        // A show with changed announcements counts as unseen, so that it is fetched by id.
        const isChanged = this.changed.get(key.split('/')[1] ?? '')?.includes(key.split('/')[0] ?? '')
        if (title !== undefined && isChanged !== true) this.titles.put(key, { ...title, at: now })
      }
      this.mergeChanged(changed)
      for (const [id, row] of details) this.detailRows.put(id, mergeDetails(this.detailRows.get(id), row))
      if (page !== undefined) this.pages.put(this.pageKey(task, cursor), { ...page, task: task.key, at: now })
      this.addAudioLanguages(task, result.audioLanguages ?? [])
      if (next !== undefined) this.positions.put(task.key, { cursor: next, count: count + (result.count ?? 0) })
      else this.endTask(task)
    })
  }

  /** The languages of the audio tracks in a country, as far as it was walked. */
  audioLanguages(country: string): readonly string[] {
    return (this.meta.get(`audio ${country}`) as string[] | undefined) ?? []
  }

  private addAudioLanguages({ key }: SyncTask, languages: Iterable<string>): void {
    const [, country = ''] = key.split(' ')
    const known = this.audioLanguages(country)
    const all = new Set([...known, ...languages])
    if (all.size > known.length) this.meta.put(`audio ${country}`, [...all])
  }

  /** Starts a walk over again: the service no longer knows its cursor. */
  restartWalk(task: SyncTask): Promise<unknown> {
    return this.root.transaction(() => void this.positions.remove(task.key))
  }

  /** Ends a task, and drops the pages of former walks of it. */
  completeTask(task: SyncTask, startedAt: number): Promise<unknown> {
    return this.root.transaction(() => {
      this.endTask(task)
      for (const { key, value } of [...this.pages.getRange({})]) {
        if (value.task === task.key && value.at < startedAt) this.pages.remove(key)
      }
    })
  }

  /** The announced offers of a show in a country, by the key of its record. */
  getUpcoming(key: string): readonly UpcomingOffer[] {
    return this.upcoming.get(key) ?? []
  }

  /** Replaces the announced offers of a country. Shows whose offers differ have to be fetched again. */
  saveUpcoming(task: SyncTask, country: string, offers: ReadonlyMap<string, UpcomingOffer[]>): Promise<unknown> {
    const prefix = `${country}/`
    const before = [...this.upcoming.getKeys({ start: prefix, end: `${prefix}\uffff` })]
    return this.root.transaction(() => {
      const changed = new Map<string, readonly string[]>()
      for (const key of new Set([...before, ...offers.keys()])) {
        const now = offers.get(key)
        if (JSON.stringify(this.upcoming.get(key)) === JSON.stringify(now)) continue
        changed.set(key.slice(prefix.length), [country])
        if (now === undefined) this.upcoming.remove(key)
        else this.upcoming.put(key, now)
      }
      this.mergeChanged(changed)
      this.endTask(task)
    })
  }

  /** Shows that have to be fetched by id, with the countries in which they changed. */
  changedShows(): { readonly id: string; readonly countries: readonly string[] }[] {
    return Array.from(this.changed.getRange({}), ({ key, value }) => ({ id: key, countries: value }))
  }

  /** Marks shows as changed in a country. */
  addChanged(country: string, ids: Iterable<string>): Promise<unknown> {
    const changed = new Map(Array.from(ids, (id) => [id, [country]]))
    return this.root.transaction(() => this.mergeChanged(changed))
  }

  /** Shows that a walk of the country has seen need no request of their own. */
  dropSeen(country: string, isSeen: (key: string) => boolean): Promise<unknown> {
    return this.root.transaction(() => {
      for (const { id, countries } of this.changedShows()) {
        if (!countries.includes(country) || !isSeen(`${country}/${id}`)) continue
        const rest = countries.filter((one) => one !== country)
        if (rest.length === 0) this.changed.remove(id)
        else this.changed.put(id, rest)
      }
    })
  }

  /** Stores the outcome of a show that was fetched by id. */
  saveChanged(id: string, outcomes: readonly FetchOutcome[]): Promise<unknown> {
    return this.root.transaction(() => {
      this.changed.remove(id)
      this.failed.remove(id)
      for (const outcome of outcomes) this.putFetched(outcome)
    })
  }

  /** Leaves a show that could not be fetched for the next sync. */
  saveShowFailure(id: string, problem: string): Promise<unknown> {
    return this.root.transaction(() => void this.failed.put(id, problem))
  }

  override requeueRejected(): Promise<unknown> {
    return this.root.transaction(() => {
      if (this.meta.get('rejected') !== true) return
      for (const { key: position, value } of [...this.fetched.getRange({})]) {
        const [country = '', id = ''] = value.key.split('/')
        this.fetched.remove(position)
        this.mergeChanged(new Map([[id, [country]]]))
      }
      this.meta.remove('rejected')
    })
  }

  details(): Iterable<{ readonly key: string; readonly value: ShowDetails }> {
    return this.detailRows.getRange({})
  }

  clearDetails(): Promise<unknown> {
    return this.root.transaction(() => clear(this.detailRows))
  }

  /** The keys of the imported and fetched shows of a country, with the time of the last sight. */
  *heldShows(country: string): Iterable<{ readonly id: string; readonly at: number }> {
    const prefix = `${country}/`
    const range = this.titles.getRange({ start: prefix, end: `${prefix}\uffff` })
    for (const { key, value } of range) yield { id: key.slice(prefix.length), at: value.at }
  }

  /** Countries of which shows are held. */
  heldCountries(): string[] {
    return [...this.countries.getKeys({})]
  }

  countryState(country: string): CountryState | undefined {
    return this.countries.get(country)
  }

  setCountryState(country: string, state: CountryState): Promise<unknown> {
    return this.root.transaction(() => void this.countries.put(country, state))
  }

  /** Drops everything about a country. */
  dropCountry(country: string): Promise<unknown> {
    return this.root.transaction(() => {
      this.countries.remove(country)
      for (const { id } of [...this.heldShows(country)]) this.titles.remove(`${country}/${id}`)
    })
  }

  /** Services that have had a top list or announced offers; answers do not print these flags. */
  flaggedServices(flag: 'hasTopList' | 'hasUpcoming'): readonly string[] {
    return (this.meta.get(flag) as string[] | undefined) ?? []
  }

  flagService(flag: 'hasTopList' | 'hasUpcoming', service: string): Promise<unknown> {
    return this.root.transaction(() => {
      const flagged = this.flaggedServices(flag)
      if (!flagged.includes(service)) this.meta.put(flag, [...flagged, service])
    })
  }

  saveTopList(task: SyncTask, lists: Readonly<Record<string, readonly string[]>>): Promise<unknown> {
    return this.root.transaction(() => {
      for (const [key, ids] of Object.entries(lists)) this.tops.put(key, ids)
      this.endTask(task)
    })
  }

  /** Fetched top lists that are not imported: country, service and show type, and the ids. */
  topLists(): { readonly key: string; readonly ids: readonly string[] }[] {
    return Array.from(this.tops.getRange({}), ({ key, value }) => ({ key, ids: value }))
  }

  clearTopLists(): Promise<unknown> {
    return this.root.transaction(() => clear(this.tops))
  }

  override abandon(): Promise<unknown> {
    return this.root.transaction(() => {
      this.meta.remove('run')
      clear(this.plan)
      clear(this.positions)
    })
  }

  /** Whether any show was imported. */
  hasShows(): boolean {
    for (const _ of this.titles.getKeys({ limit: 1 })) return true
    return false
  }

  /** Drops everything: the catalog that the state belongs to is gone. */
  reset(): Promise<unknown> {
    return this.root.transaction(() => {
      for (const name of ['run', 'lastStart', 'rejected', 'hasTopList', 'hasUpcoming']) this.meta.remove(name)
      for (const table of [this.plan, this.fetched]) clear(table)
      for (const table of [this.titles, this.failed, this.pages, this.positions, this.upcoming]) clear(table)
      for (const table of [this.changed, this.detailRows, this.countries, this.tops]) clear(table)
    })
  }

  /** Hashed, because cursors may be longer than a key of LMDB. */
  private pageKey({ key }: SyncTask, cursor = ''): string {
    return createHash('sha256').update(`${this.scope}\n${key}\n${cursor}`).digest('base64url')
  }

  private endTask(task: SyncTask): void {
    this.positions.remove(task.key)
    this.plan.remove(task.position)
  }

  private putFetched(outcome: FetchOutcome): void {
    this.fetched.put(this.nextPosition++, outcome)
  }

  private mergeChanged(changed: ReadonlyMap<string, readonly string[]>): void {
    for (const [id, countries] of changed) {
      this.changed.put(id, [...new Set([...(this.changed.get(id) ?? []), ...countries])])
    }
  }
}

function clear<K extends string | number>(table: Database<unknown, K>): void {
  for (const key of [...table.getKeys({})]) table.remove(key)
}

function lastKey(table: Database<unknown, number>): number {
  const [last = -1] = table.getKeys({ reverse: true, limit: 1 })
  return last
}

function mergeDetails(before: ShowDetails = {}, row: ShowDetails): ShowDetails {
  const popularity = { ...before.popularity }
  for (const [country, windows] of Object.entries(row.popularity ?? {})) {
    popularity[country] = { ...popularity[country], ...windows }
  }
  return { ...before, ...row, popularity, texts: { ...before.texts, ...row.texts } }
}
