import { type FeedSource, importFeed } from '../../../ingest/import-feed.ts'
import type { ImportReport } from '../../../ingest/import-report.ts'
import type { FeedLine } from '../../../ingest/parse/feed-lines.ts'
import type { JsonObject } from '../../../ingest/parse/fields.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Clock } from '../../../lib/clock.ts'
import { UserError } from '../../../lib/user-error.ts'
import type { Attribution } from '../../../model/source.ts'
import { ApiRefusedError, ApiUnavailableError } from '../../fetch/api-client.ts'
import { fetchTitle, TITLE_KINDS, type TitleKey } from '../client/fetch-title.ts'
import type { TmdbClient } from '../client/tmdb-client.ts'
import { buildReferenceRecords, ProviderDirectory } from '../records/provider-directory.ts'
import { buildShowRecord } from '../records/show-record.ts'
import { planSync, type SyncTarget, scopeKey, targetKey } from './sync-plan.ts'
import type { SyncRun, SyncStore } from './sync-store.ts'

/** What a sync reads from and writes to. */
interface SyncDependencies {
  readonly client: TmdbClient
  readonly store: SyncStore
  readonly ledger: Ledger
  readonly clock: Clock
  /** Runs an import under the import lock. */
  readonly withLock: <T>(work: () => Promise<T>) => Promise<T>
}

/** The target of a sync, and how it is run. */
export interface SyncOptions extends SyncTarget {
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
  /** Titles that TMDB no longer has. */
  readonly gone: number
  /** Titles that could not be fetched; the next sync tries them again. */
  readonly failures: readonly { readonly key: TitleKey; readonly problem: string }[]
  readonly imports: readonly ImportReport[]
}

/** Thrown when a batch would remove too many offers; it is not imported. */
class SyncHaltedError extends UserError {
  override readonly name = 'SyncHaltedError'
}

/** Titles of one import. */
const BATCH_SIZE = 80
/** Fetching waits for the import while this many titles are not imported. */
const MAX_UNIMPORTED = 4 * BATCH_SIZE
/** After more failures in a row the sync stops. */
const MAX_CONSECUTIVE_FAILURES = 12
/** Batches whose titles hold fewer offers are not guarded: a fifth of so few says nothing. */
const MIN_GUARDED_OFFERS = 200

/**
 * Synchronises the catalog with TMDB: fetches the titles of a plan with several workers, and imports them in batches
 * meanwhile. Every step is stored, so an interrupted sync fetches no title twice. A title that cannot be fetched keeps
 * its offers.
 */
export class TmdbSync {
  private readonly dependencies: SyncDependencies
  private readonly options: SyncOptions
  private readonly directory: ProviderDirectory
  private readonly scope: string
  private readonly imports: ImportReport[] = []
  /** The import that is running, if any. */
  private importing: Promise<void> | undefined
  private unimported = 0
  private fetched = 0
  private gone = 0
  private consecutiveFailures = 0
  /** The error that stops the sync. */
  private halted: Error | undefined

  constructor(dependencies: SyncDependencies, options: SyncOptions) {
    this.dependencies = dependencies
    this.options = options
    this.directory = new ProviderDirectory(options.mapping)
    this.scope = scopeKey(options)
  }

  /** Runs the sync, or resumes an unfinished one with the same target. */
  async run(): Promise<SyncReport> {
    const { store, client } = this.dependencies
    if (!this.options.force) await store.requeueRejected()
    const unfinished = await this.findUnfinished()
    const run = unfinished ?? (await this.begin())
    const pending = store.pendingTitles()
    this.unimported = store.fetchedPositions().length
    const planned = pending.length
    let done = 0
    const queue = pending[Symbol.iterator]()
    const runWorker = async () => {
      for (const { position, key } of queue) {
        await this.fetchOne(position, key)
        this.options.onProgress?.(++done, planned)
        if (this.unimported >= BATCH_SIZE) this.startImport(run)
        if (this.unimported >= MAX_UNIMPORTED) await this.importing
        if (this.halted !== undefined) return
      }
    }
    await Promise.all(Array.from({ length: this.options.concurrency }, runWorker))
    await this.importing
    if (this.halted instanceof SyncHaltedError) throw this.halted
    await this.importFetched(run.providerLists)
    if (this.halted !== undefined) throw this.halted
    await store.finish(run)
    return {
      source: this.options.source,
      resumed: unfinished !== undefined,
      requests: client.requests,
      fetched: this.fetched,
      gone: this.gone,
      failures: store.failures(),
      imports: this.imports,
    }
  }

  /** The unfinished sync, if its target is the same. Otherwise its fetched titles are imported and its plan is dropped. */
  private async findUnfinished(): Promise<SyncRun | undefined> {
    const { store } = this.dependencies
    const { run } = store
    if (run === undefined) return undefined
    if (run.wish === targetKey(this.options)) return run
    await this.importFetched(run.providerLists)
    await store.abandon()
    return undefined
  }

  /** Plans a new sync. */
  private async begin(): Promise<SyncRun> {
    const { client, store, clock } = this.dependencies
    const startedAt = clock()
    const providerLists = await this.fetchProviderLists()
    const keys = await planSync(client, store, this.options, startedAt)
    const run = { startedAt, wish: targetKey(this.options), planned: keys.length, providerLists }
    await store.begin(run, keys)
    return run
  }

  private async fetchProviderLists(): Promise<SyncRun['providerLists']> {
    const { client } = this.dependencies
    const lists: Record<string, JsonObject[]> = {}
    const validate = (answer: JsonObject) => (Array.isArray(answer.results) ? undefined : 'it has no results')
    for (const country of this.options.countries) {
      const query = { watch_region: country.toUpperCase(), language: 'en-US' }
      const requests = TITLE_KINDS.map((kind) => client.get(`/3/watch/providers/${kind}`, query, validate))
      lists[country] = (await Promise.all(requests)).filter((list) => list !== undefined)
    }
    return lists
  }

  /** Fetches a title, converts it and stores the record. */
  private async fetchOne(position: number, key: TitleKey): Promise<void> {
    const { client, store, clock } = this.dependencies
    try {
      const title = await fetchTitle(client, key, this.options.languages)
      const record = title === undefined ? null : JSON.stringify(buildShowRecord(title, this.options, this.directory))
      await store.saveFetched(position, { key, record, at: clock(), scope: this.scope })
      if (record === null) this.gone++
      else this.fetched++
      this.unimported++
      this.consecutiveFailures = 0
    } catch (error) {
      if (error instanceof ApiUnavailableError) await this.recordFailure(position, key, error)
      else if (error instanceof ApiRefusedError) this.halted ??= error
      else throw error
    }
  }

  /** Skips a title until the next sync. After too many failures in a row, stops the sync so that it can be resumed. */
  private async recordFailure(position: number, key: TitleKey, error: ApiUnavailableError): Promise<void> {
    this.consecutiveFailures++
    if (this.consecutiveFailures > MAX_CONSECUTIVE_FAILURES) this.halted ??= error
    else await this.dependencies.store.saveFailure(position, key, error.message)
  }

  /** Starts to import the fetched titles, unless an import is running. */
  private startImport(run: SyncRun): void {
    this.importing ??= this.importFetched(run.providerLists)
      .catch((error: Error) => {
        this.halted ??= error
      })
      .finally(() => {
        this.importing = undefined
      })
  }

  /** Imports all titles that were fetched so far as one delta feed. */
  private async importFetched(providerLists: SyncRun['providerLists']): Promise<void> {
    const { store, ledger, clock, withLock } = this.dependencies
    const { source, force } = this.options
    const positions = store.fetchedPositions()
    if (positions.length === 0) return
    const report = await withLock(() => {
      const reference = buildReferenceRecords(providerLists, this.directory, ledger.catalog.reference())
      const feed = buildBatchFeed(store, positions, { source, reference })
      return importFeed(feed, ledger, {
        clock,
        force: force || this.isRescoped(positions),
        guardDeltaFrom: MIN_GUARDED_OFFERS,
      })
    })
    this.imports.push(report)
    if (report.refused !== undefined) {
      await store.markRejected()
      throw new SyncHaltedError(describeRefusal(report))
    }
    await store.markImported(positions)
    this.unimported -= positions.length
  }

  /** Whether some titles were imported for another scope. Removing the offers of former countries is intended then. */
  private isRescoped(positions: readonly number[]): boolean {
    const { store } = this.dependencies
    return positions.some((position) => {
      const outcome = store.getFetched(position)
      const imported = outcome && store.getImported(outcome.key)
      return imported !== undefined && imported.scope !== outcome?.scope
    })
  }
}

function describeRefusal({ refused }: ImportReport): string {
  if (refused?.reason !== 'too_many_removals') return 'What TMDB answered could not be imported'
  return (
    `What TMDB answered would remove ${refused.removed} of ${refused.held} offers of the titles that were fetched. ` +
    'Nothing of it was imported. If that is right, sync with --force; if TMDB was out of order, sync again later.'
  )
}

/** The attribution that TMDB's terms require wherever its data is shown, and JustWatch's for its offers. */
const TMDB_ATTRIBUTION: readonly Attribution[] = [
  {
    text: 'This product uses the TMDB API but is not endorsed or certified by TMDB.',
    link: 'https://www.themoviedb.org',
  },
  { text: 'Watch provider data by JustWatch.', link: 'https://www.justwatch.com' },
]

/** A native delta feed of fetched titles: reference records, then the shows and removals. */
function buildBatchFeed(
  store: SyncStore,
  positions: readonly number[],
  { source, reference }: { readonly source: string; readonly reference: readonly object[] },
): FeedSource {
  // Titles that are gone and were never imported need no removal.
  const stated = positions.filter((position) => {
    const outcome = store.getFetched(position)
    return outcome !== undefined && (outcome.record !== null || store.getImported(outcome.key) !== undefined)
  })
  const count = reference.length + stated.length
  return async function* () {
    let line = 0
    const toLine = (text: string): FeedLine => ({ line: ++line, text })
    yield toLine(JSON.stringify({ kind: 'feed', source, mode: 'delta', count, attribution: TMDB_ATTRIBUTION }))
    for (const record of reference) yield toLine(JSON.stringify(record))
    for (const position of stated) {
      const outcome = store.getFetched(position)
      if (outcome === undefined) continue
      yield toLine(outcome.record ?? JSON.stringify({ kind: 'remove', tmdbId: outcome.key }))
    }
  }
}
