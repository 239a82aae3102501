import type { Reference } from '../../catalog/storage/reference.ts'
import type { ImportReport } from '../../ingest/import-report.ts'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import type { Attribution } from '../../model/source-ranks.ts'
import { ApiRefusedError, ApiUnavailableError } from '../fetch/api-client.ts'
import { QuotaReachedError } from '../fetch/quota-tracker.ts'
import { type SyncDependencies, SyncImporter, type SyncNote } from './sync-importer.ts'
import type { SyncRun, SyncStore } from './sync-store.ts'

/** An API whose titles are fetched one by one. */
export interface TitleApi {
  /** Its name in messages. */
  readonly name: string
  readonly attribution: readonly Attribution[]
  /** The number of requests sent. */
  readonly requests: number
  /** A key of everything that a plan depends on. A plan with another key is not resumed. */
  readonly targetKey: string
  /** A key of everything that a record depends on. A title whose record has another key is fetched again. */
  readonly scopeKey: string
  /** Selects the titles to fetch, in order. */
  plan(store: SyncStore, now: number): Promise<SyncPlan>
  /** Fetches a title as a native record; undefined if the API does not have it. */
  fetchRecord(key: string): Promise<JsonObject | undefined>
  /** Reference records that precede the titles of an import. */
  buildReference(context: JsonObject, reference: Reference): readonly object[]
  /** Remarks on what was fetched since the last call. */
  takeNotes(): readonly SyncNote[]
  /** The record that removes a title that the API no longer has; by default by the ids of its last record. */
  buildRemoval?(key: string): object
}

/** The titles of a sync, and what was fetched for all of them. */
export interface SyncPlan {
  readonly keys: readonly string[]
  readonly context: JsonObject
}

/** How a sync is run. */
export interface SyncOptions {
  /** The source that owns the imported offers. */
  readonly source: string
  /** Number of titles that are fetched concurrently. */
  readonly concurrency: number
  /** Imports batches even if they remove more than a fifth of the offers of their titles. */
  readonly force: boolean
  /** Called after each title with the number of titles done and planned. */
  readonly onProgress?: (done: number, planned: number) => void
}

/** The outcome of a sync. */
export interface SyncReport {
  readonly source: string
  /** Whether it resumed an unfinished sync. */
  readonly resumed: boolean
  readonly requests: number
  readonly fetched: number
  /** Titles that the API no longer has. */
  readonly gone: number
  /** Titles that could not be fetched; the next sync tries them again. */
  readonly failures: readonly { readonly key: string; readonly problem: string }[]
  readonly imports: readonly ImportReport[]
  /** Why the sync stopped before its end, and when it can go on; absent if it is complete. */
  readonly paused?: { readonly reason: string; readonly resumesAt?: number }
}

/** After more failures in a row the sync stops. */
export const MAX_CONSECUTIVE_FAILURES = 12

/**
 * Synchronises the catalog with an API: fetches the titles of a plan with several workers, and imports them in batches
 * meanwhile. Every step is stored, so an interrupted sync fetches no title twice. A title that cannot be fetched keeps
 * its offers.
 */
export class TitleSync {
  private readonly api: TitleApi
  private readonly dependencies: SyncDependencies
  private readonly options: SyncOptions
  private fetched = 0
  private gone = 0
  private consecutiveFailures = 0

  constructor(api: TitleApi, dependencies: SyncDependencies, options: SyncOptions) {
    this.api = api
    this.dependencies = dependencies
    this.options = options
  }

  /** Runs the sync, or resumes an unfinished one with the same target. */
  async run(): Promise<SyncReport> {
    const { store } = this.dependencies
    const { force, concurrency, onProgress } = this.options
    if (!force) await store.requeueRejected()
    const unfinished = await this.findUnfinished()
    const isResumed = unfinished !== undefined
    let run: SyncRun
    try {
      run = unfinished ?? (await this.begin())
    } catch (error) {
      if (error instanceof QuotaReachedError) return this.report(isResumed, [], error)
      throw error
    }
    const importer = this.createImporter(run)
    const pending = store.pendingTitles()
    let done = 0
    const queue = pending[Symbol.iterator]()
    const runWorker = async () => {
      for (const { position, key } of queue) {
        await this.fetchOne(position, key, importer)
        onProgress?.(++done, pending.length)
        if (importer.halted !== undefined) return
      }
    }
    await Promise.all(Array.from({ length: concurrency }, runWorker))
    await importer.finish()
    if (importer.halted instanceof QuotaReachedError) return this.report(isResumed, importer.imports, importer.halted)
    if (importer.halted !== undefined) throw importer.halted
    await store.finish(run)
    return this.report(isResumed, importer.imports)
  }

  private report(isResumed: boolean, imports: readonly ImportReport[], pause?: QuotaReachedError): SyncReport {
    return {
      source: this.options.source,
      resumed: isResumed,
      requests: this.api.requests,
      fetched: this.fetched,
      gone: this.gone,
      failures: this.dependencies.store.failures(),
      imports,
      ...(pause !== undefined && { paused: describeQuotaPause(pause) }),
    }
  }

  /** The unfinished sync, if its target is the same. Otherwise its fetched titles are imported and its plan is dropped. */
  private async findUnfinished(): Promise<SyncRun | undefined> {
    const { store } = this.dependencies
    const { run } = store
    if (run === undefined) return undefined
    if (run.wish === this.api.targetKey) return run
    await this.createImporter(run).finish()
    await store.abandon()
    return undefined
  }

  /** Plans a new sync. */
  private async begin(): Promise<SyncRun> {
    const { store, clock } = this.dependencies
    const startedAt = clock()
    const { keys, context } = await this.api.plan(store, startedAt)
    const run = { startedAt, wish: this.api.targetKey, planned: keys.length, context }
    await store.begin(run, keys)
    return run
  }

  private createImporter({ context = {} }: SyncRun): SyncImporter {
    const { api } = this
    const { source, force } = this.options
    return new SyncImporter(this.dependencies, {
      name: api.name,
      source,
      force,
      attribution: api.attribution,
      buildReference: (reference) => api.buildReference(context, reference),
      takeNotes: () => api.takeNotes(),
      buildRemoval: (key) => api.buildRemoval?.(key) ?? { kind: 'remove', id: key },
    })
  }

  /** Fetches a title, converts it and stores the record. */
  private async fetchOne(position: number, key: string, importer: SyncImporter): Promise<void> {
    const { store, clock } = this.dependencies
    try {
      const record = await this.api.fetchRecord(key)
      const text = record === undefined ? null : JSON.stringify(record)
      const removal = this.api.buildRemoval === undefined && record !== undefined ? toRemoval(record) : undefined
      const scope = this.api.scopeKey
      await store.saveFetched(position, { key, record: text, at: clock(), scope, ...(removal && { removal }) })
      if (text === null) this.gone++
      else this.fetched++
      this.consecutiveFailures = 0
      await importer.addFetched(1)
    } catch (error) {
      if (error instanceof ApiUnavailableError) await this.recordFailure(position, key, error, importer)
      else if (error instanceof ApiRefusedError) importer.halted ??= error
      else throw error
    }
  }

  /** Skips a title until the next sync. After too many failures in a row, stops the sync so that it can be resumed. */
  private async recordFailure(
    position: number,
    key: string,
    error: ApiUnavailableError,
    importer: SyncImporter,
  ): Promise<void> {
    this.consecutiveFailures++
    if (this.consecutiveFailures > MAX_CONSECUTIVE_FAILURES) importer.halted ??= error
    else await this.dependencies.store.saveFailure(position, key, error.message)
  }
}

/** The record that removes a show, by an id that leads to no other show. */
export function toRemoval({ imdbId, tmdbId, id }: JsonObject): JsonObject {
  if (imdbId !== undefined && imdbId !== '') return { kind: 'remove', imdbId }
  return tmdbId !== undefined && tmdbId !== '' ? { kind: 'remove', tmdbId } : { kind: 'remove', id }
}

/** Why a sync stopped at a quota, and when it can go on. */
export function describeQuotaPause({ message, resetsAt }: QuotaReachedError): NonNullable<SyncReport['paused']> {
  return { reason: message, ...(resetsAt !== undefined && { resumesAt: resetsAt }) }
}
