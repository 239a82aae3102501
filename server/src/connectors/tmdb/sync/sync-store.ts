import { mkdirSync } from 'node:fs'
import { type Database, open, type RootDatabase } from 'lmdb'
import type { JsonObject } from '../../../ingest/parse/fields.ts'
import { currentProcess, isRunning, type ProcessIdentity } from '../../../lib/process-identity.ts'
import { UserError } from '../../../lib/user-error.ts'
import type { TitleKey } from '../client/fetch-title.ts'

/** A sync that has begun and is not done yet. */
export interface SyncRun {
  readonly startedAt: number
  /** Names what the plan was made for. */
  readonly wish: string
  /** How many titles were to be fetched when it began. */
  readonly planned: number
  /** TMDB's lists of providers by country, as they were when it began. */
  readonly providerLists: Readonly<Record<string, readonly JsonObject[]>>
}

/** What came of a title: the record of a native feed, or null where TMDB no longer has it. */
export interface FetchOutcome {
  readonly key: TitleKey
  readonly record: string | null
  readonly at: number
  /** Names what the record was made for. */
  readonly scope: string
}

/** What is remembered of a title that was imported. */
type ImportedTitle = Pick<FetchOutcome, 'at' | 'scope'>

/** Thrown when another process is at the same sync. */
export class SyncInProgressError extends UserError {
  override readonly name = 'SyncUnderWay'
}

/**
 * How far a sync has come, in an LMDB environment of its own: what is still to be fetched, what was fetched and not
 * yet imported, and which titles were imported when. Each step is one transaction, so a sync that is killed goes on
 * where it was.
 */
export class SyncStore {
  private readonly root: RootDatabase
  private readonly meta: Database<unknown, string>
  private readonly plan: Database<TitleKey, number>
  private readonly fetched: Database<FetchOutcome, number>
  private readonly titles: Database<ImportedTitle, TitleKey>
  private readonly failed: Database<string, TitleKey>

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.root = open({ path: folder, maxDbs: 8, encoding: 'json' })
    const table = <V, K extends string | number>(name: string) => this.root.openDB<V, K>(name, { encoding: 'json' })
    this.meta = table('meta')
    this.plan = table('plan')
    this.fetched = table('fetched')
    this.titles = table('titles')
    this.failed = table('failed')
    this.acquire(folder)
  }

  get run(): SyncRun | undefined {
    return this.meta.get('run') as SyncRun | undefined
  }

  /** When the last sync that came to its end had begun. */
  get lastStart(): number | undefined {
    return this.meta.get('lastStart') as number | undefined
  }

  /** Begins a sync of the given titles, in that order. */
  begin(run: SyncRun, keys: readonly TitleKey[]): Promise<unknown> {
    return this.root.transaction(() => {
      this.meta.put('run', run)
      keys.forEach((key, place) => void this.plan.put(place, key))
    })
  }

  /** What is still to be fetched, with its place in the plan. */
  pendingTitles(): { readonly place: number; readonly key: TitleKey }[] {
    return Array.from(this.plan.getRange({}), ({ key: place, value }) => ({ place, key: value }))
  }

  /** Keeps what came of a title until it is imported. */
  saveFetched(place: number, getFetched: FetchOutcome): Promise<unknown> {
    return this.root.transaction(() => {
      this.plan.remove(place)
      this.failed.remove(getFetched.key)
      this.fetched.put(place, getFetched)
    })
  }

  /** Notes that a title could not be had; the next sync asks for it first. */
  saveFailure(place: number, key: TitleKey, problem: string): Promise<unknown> {
    return this.root.transaction(() => {
      this.plan.remove(place)
      this.failed.put(key, problem)
    })
  }

  /** The places of what was fetched and waits to be imported. */
  fetchedPlaces(): number[] {
    return [...this.fetched.getKeys({})]
  }

  outcome(place: number): FetchOutcome | undefined {
    return this.fetched.get(place)
  }

  /** Notes that what was fetched has been imported. */
  markImported(places: readonly number[]): Promise<unknown> {
    return this.root.transaction(() => {
      this.meta.remove('rejected')
      for (const place of places) {
        const outcome = this.fetched.get(place)
        if (outcome === undefined) continue
        this.fetched.remove(place)
        if (outcome.record === null) this.titles.remove(outcome.key)
        else this.titles.put(outcome.key, { at: outcome.at, scope: outcome.scope })
      }
    })
  }

  /** Notes that what waits was not fit to be imported. */
  markRejected(): Promise<unknown> {
    return this.root.transaction(() => void this.meta.put('rejected', true))
  }

  /** Puts what was not fit to be imported back into the plan: it was asked for when TMDB was out of order. */
  requeueRejected(): Promise<unknown> {
    return this.root.transaction(() => {
      if (this.meta.get('rejected') !== true) return
      for (const { key: place, value } of [...this.fetched.getRange({})]) {
        this.fetched.remove(place)
        this.plan.put(place, value.key)
      }
      this.meta.remove('rejected')
    })
  }

  /** Notes that all of the plan is done. */
  finish({ startedAt }: SyncRun): Promise<unknown> {
    return this.root.transaction(() => {
      this.meta.remove('run')
      this.meta.put('lastStart', startedAt)
    })
  }

  /** Lets go of a sync that was not done; what was fetched already stays. */
  abandon(): Promise<unknown> {
    return this.root.transaction(() => {
      this.meta.remove('run')
      for (const place of [...this.plan.getKeys({})]) this.plan.remove(place)
    })
  }

  /** What is remembered of a title, if it was ever imported. */
  getImported(key: TitleKey): ImportedTitle | undefined {
    return this.titles.get(key)
  }

  /** The titles that were imported, with when and for what each was last fetched. */
  *importedTitles(): Iterable<ImportedTitle & { readonly key: TitleKey }> {
    for (const { key, value } of this.titles.getRange({})) yield { key, ...value }
  }

  /** The titles that could not be had, with what went wrong. */
  failures(): { readonly key: TitleKey; readonly problem: string }[] {
    return Array.from(this.failed.getRange({}), ({ key, value }) => ({ key, problem: value }))
  }

  async close(): Promise<void> {
    await this.root.transaction(() => void this.meta.remove('holder'))
    await this.root.close()
  }

  private acquire(folder: string): void {
    const own = currentProcess()
    const other = this.root.transactionSync(() => {
      const holder = this.meta.get('holder') as ProcessIdentity | undefined
      if (holder !== undefined && isRunning(holder)) return holder
      this.meta.putSync('holder', own)
      return undefined
    })
    if (other === undefined) return
    void this.root.close()
    throw new SyncInProgressError(`process ${other.pid} is at the sync that is kept in ${folder}`)
  }
}
