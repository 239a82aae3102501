import { importFeed } from '../ingest/import-feed.ts'
import type { ImportReport } from '../ingest/import-report.ts'
import type { JsonObject } from '../ingest/parse/fields.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { UserError } from '../lib/user-error.ts'
import { fetchTitle } from './fetched-title.ts'
import { ProviderDirectory } from './provider-directory.ts'
import { referenceRecords } from './reference-records.ts'
import { roundFeed } from './round-feed.ts'
import { showRecord } from './show-record.ts'
import { planSync } from './sync-plan.ts'
import { type SyncWish, scopeKey, wishKey } from './sync-scope.ts'
import type { SyncRun, SyncState } from './sync-state.ts'
import type { TitleKey } from './title-key.ts'
import type { TmdbClient } from './tmdb-client.ts'
import { TmdbRefused, TmdbUnavailable } from './tmdb-error.ts'

/** What a sync works with. */
export interface SyncTools {
  readonly client: TmdbClient
  readonly state: SyncState
  readonly ledger: Ledger
  readonly clock: Clock
  /** Does an import when nobody else does one. */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>
}

export interface SyncOptions extends SyncWish {
  /** Whose the offers are. */
  readonly source: string
  /** Titles that are fetched at the same time. */
  readonly concurrency: number
  /** Imports what was fetched even if it removes more than a fifth of what is known of those titles. */
  readonly force: boolean
  /** Told after each title: how many of how many are done in this run of the program. */
  readonly onProgress?: (done: number, planned: number) => void
}

/** What a sync came to. */
export interface SyncReport {
  readonly source: string
  /** Whether it went on with a sync that had been broken off. */
  readonly resumed: boolean
  readonly requests: number
  readonly fetched: number
  /** Titles that TMDB no longer has. */
  readonly gone: number
  /** Titles that could not be had; the next sync asks for them again. */
  readonly failures: readonly { readonly key: TitleKey; readonly problem: string }[]
  readonly imports: readonly ImportReport[]
}

/** Thrown when what was fetched would remove too much: nothing of it is imported. */
export class SyncHalted extends UserError {
  override readonly name = 'SyncHalted'
}

/** So many titles are imported at a time. */
const ROUND = 80
/** Fetching waits when so many are not imported yet. */
const MOST_WAITING = 4 * ROUND
/** After so many failures in a row there is no point in trying the next one. */
const MOST_FAILURES_IN_A_ROW = 12
/** A round that is about fewer offers may remove as much as it likes: it is too small to be judged. */
const GUARD_FROM = 200

/**
 * Brings the catalog up to date with TMDB: fetches what a plan says, at TMDB's pace, and imports it round by round
 * while the fetching goes on. Whatever happens, what was fetched is not fetched again, and a title that could not be
 * had loses nothing.
 */
export class TmdbSync {
  private readonly tools: SyncTools
  private readonly options: SyncOptions
  private readonly directory: ProviderDirectory
  private readonly scope: string
  private readonly imports: ImportReport[] = []
  private importing: Promise<void> | undefined
  private waiting = 0
  private fetched = 0
  private gone = 0
  private failedInARow = 0
  private halted: Error | undefined

  constructor(tools: SyncTools, options: SyncOptions) {
    this.tools = tools
    this.options = options
    this.directory = new ProviderDirectory(options.mapping)
    this.scope = scopeKey(options)
  }

  async run(): Promise<SyncReport> {
    const { state, client } = this.tools
    if (!this.options.force) await state.retryRejected()
    const unfinished = await this.unfinishedRun()
    const run = unfinished ?? (await this.begin())
    const todo = state.todo()
    this.waiting = state.waiting().length
    const planned = todo.length
    let done = 0
    const queue = todo[Symbol.iterator]()
    const work = async () => {
      for (const { place, key } of queue) {
        await this.fetchOne(place, key)
        this.options.onProgress?.(++done, planned)
        if (this.waiting >= ROUND) this.startImport(run)
        if (this.waiting >= MOST_WAITING) await this.importing
        if (this.halted !== undefined) return
      }
    }
    await Promise.all(Array.from({ length: this.options.concurrency }, work))
    await this.importing
    if (this.halted instanceof SyncHalted) throw this.halted
    await this.importWaiting(run.providerLists)
    if (this.halted !== undefined) throw this.halted
    await state.end(run)
    return {
      source: this.options.source,
      resumed: unfinished !== undefined,
      requests: client.requests,
      fetched: this.fetched,
      gone: this.gone,
      failures: state.failures(),
      imports: this.imports,
    }
  }

  /** A sync that was broken off, if it was after the same things. What one after other things had fetched is used. */
  private async unfinishedRun(): Promise<SyncRun | undefined> {
    const { state } = this.tools
    const { run } = state
    if (run === undefined) return undefined
    if (run.wish === wishKey(this.options)) return run
    await this.importWaiting(run.providerLists)
    await state.abandon()
    return undefined
  }

  private async begin(): Promise<SyncRun> {
    const { client, state, clock } = this.tools
    const startedAt = clock()
    const providerLists = await this.fetchProviderLists()
    const keys = await planSync(client, state, this.options, startedAt)
    const run = { startedAt, wish: wishKey(this.options), planned: keys.length, providerLists }
    await state.begin(run, keys)
    return run
  }

  private async fetchProviderLists(): Promise<SyncRun['providerLists']> {
    const lists: Record<string, JsonObject[]> = {}
    const lacks = (answer: JsonObject) => (Array.isArray(answer.results) ? undefined : 'it has no results')
    for (const country of this.options.countries) {
      const query = { watch_region: country.toUpperCase(), language: 'en-US' }
      const ofKinds = ['movie', 'tv'].map((kind) => this.tools.client.get(`/3/watch/providers/${kind}`, query, lacks))
      lists[country] = (await Promise.all(ofKinds)).filter((list) => list !== undefined)
    }
    return lists
  }

  private async fetchOne(place: number, key: TitleKey): Promise<void> {
    const { client, state, clock } = this.tools
    try {
      const title = await fetchTitle(client, key, this.options.languages)
      const record = title === undefined ? null : JSON.stringify(showRecord(title, this.options, this.directory))
      await state.keep(place, { key, record, at: clock(), scope: this.scope })
      if (record === null) this.gone++
      else this.fetched++
      this.waiting++
      this.failedInARow = 0
    } catch (error) {
      if (error instanceof TmdbUnavailable) await this.giveUp(place, key, error)
      else if (error instanceof TmdbRefused) this.halted ??= error
      else throw error
    }
  }

  /** Leaves a title for the next sync, or, where nothing works any more, all of them for the next run of this one. */
  private async giveUp(place: number, key: TitleKey, error: TmdbUnavailable): Promise<void> {
    this.failedInARow++
    if (this.failedInARow <= MOST_FAILURES_IN_A_ROW) await this.tools.state.giveUp(place, key, error.message)
    else this.halted ??= error
  }

  /** Begins to import what waits, unless that is under way already. */
  private startImport(run: SyncRun): void {
    this.importing ??= this.importWaiting(run.providerLists)
      .catch((error: Error) => {
        this.halted ??= error
      })
      .finally(() => {
        this.importing = undefined
      })
  }

  private async importWaiting(lists: SyncRun['providerLists']): Promise<void> {
    const { state, ledger, clock, locked } = this.tools
    const { source, force } = this.options
    const places = state.waiting()
    if (places.length === 0) return
    const report = await locked(() => {
      const reference = referenceRecords(lists, this.directory, ledger.catalog.reference())
      const feed = roundFeed(state, places, { source, reference })
      return importFeed(feed, ledger, { clock, force: force || this.isRescoped(places), guardDeltaFrom: GUARD_FROM })
    })
    this.imports.push(report)
    if (report.refused !== undefined) {
      await state.reject()
      throw new SyncHalted(refusalText(report))
    }
    await state.settle(places)
    this.waiting -= places.length
  }

  /** Whether some of the titles were known for other countries: that those lose their offers is what was asked for. */
  private isRescoped(places: readonly number[]): boolean {
    const { state } = this.tools
    return places.some((place) => {
      const outcome = state.outcome(place)
      const known = outcome && state.title(outcome.key)
      return known !== undefined && known.scope !== outcome?.scope
    })
  }
}

function refusalText({ refused }: ImportReport): string {
  if (refused?.reason !== 'too_many_removals') return 'What TMDB answered could not be imported'
  return (
    `What TMDB answered would remove ${refused.removed} of ${refused.held} offers of the titles that were fetched. ` +
    'Nothing of it was imported. If that is right, sync with --force; if TMDB was out of order, sync again later.'
  )
}
