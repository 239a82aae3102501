import { type FeedSource, importFeed } from '../../../ingest/import-feed.ts'
import type { ImportReport } from '../../../ingest/import-report.ts'
import type { FeedLine } from '../../../ingest/parse/feed-lines.ts'
import type { JsonObject } from '../../../ingest/parse/fields.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Clock } from '../../../lib/clock.ts'
import { UserError } from '../../../lib/user-error.ts'
import type { Attribution } from '../../../model/source.ts'
import { fetchTitle, type TitleKey } from '../client/fetch-title.ts'
import { type TmdbClient, TmdbRefusedError, TmdbUnavailableError } from '../client/tmdb-client.ts'
import { buildReferenceRecords, ProviderDirectory } from '../records/provider-directory.ts'
import { buildShowRecord } from '../records/show-record.ts'
import { planSync, type SyncTarget, scopeKey, targetKey } from './sync-plan.ts'
import type { SyncRun, SyncStore } from './sync-store.ts'

/** What a sync works with. */
export interface SyncDependencies {
  readonly client: TmdbClient
  readonly state: SyncStore
  readonly ledger: Ledger
  readonly clock: Clock
  /** Does an import when nobody else does one. */
  readonly withLock: <T>(work: () => Promise<T>) => Promise<T>
}

export interface SyncOptions extends SyncTarget {
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
export class SyncHaltedError extends UserError {
  override readonly name = 'SyncHalted'
}

/** So many titles are imported at a time. */
const BATCH_SIZE = 80
/** Fetching waits when so many are not imported yet. */
const MAX_UNIMPORTED = 4 * BATCH_SIZE
/** After so many failures in a row there is no point in trying the next one. */
const MAX_CONSECUTIVE_FAILURES = 12
/** A round that is about fewer offers may remove as much as it likes: it is too small to be judged. */
const MIN_GUARDED_OFFERS = 200

/**
 * Brings the catalog up to date with TMDB: fetches what a plan says, at TMDB's pace, and imports it round by round
 * while the fetching goes on. Whatever happens, what was fetched is not fetched again, and a title that could not be
 * had loses nothing.
 */
export class TmdbSync {
  private readonly tools: SyncDependencies
  private readonly options: SyncOptions
  private readonly directory: ProviderDirectory
  private readonly scope: string
  private readonly imports: ImportReport[] = []
  private importing: Promise<void> | undefined
  private unimported = 0
  private fetched = 0
  private gone = 0
  private consecutiveFailures = 0
  private halted: Error | undefined

  constructor(tools: SyncDependencies, options: SyncOptions) {
    this.tools = tools
    this.options = options
    this.directory = new ProviderDirectory(options.mapping)
    this.scope = scopeKey(options)
  }

  async run(): Promise<SyncReport> {
    const { state, client } = this.tools
    if (!this.options.force) await state.requeueRejected()
    const unfinished = await this.unfinishedRun()
    const run = unfinished ?? (await this.begin())
    const todo = state.pendingTitles()
    this.unimported = state.fetchedPlaces().length
    const planned = todo.length
    let done = 0
    const queue = todo[Symbol.iterator]()
    const work = async () => {
      for (const { place, key } of queue) {
        await this.fetchOne(place, key)
        this.options.onProgress?.(++done, planned)
        if (this.unimported >= BATCH_SIZE) this.startImport(run)
        if (this.unimported >= MAX_UNIMPORTED) await this.importing
        if (this.halted !== undefined) return
      }
    }
    await Promise.all(Array.from({ length: this.options.concurrency }, work))
    await this.importing
    if (this.halted instanceof SyncHaltedError) throw this.halted
    await this.importFetched(run.providerLists)
    if (this.halted !== undefined) throw this.halted
    await state.finish(run)
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
    if (run.wish === targetKey(this.options)) return run
    await this.importFetched(run.providerLists)
    await state.abandon()
    return undefined
  }

  private async begin(): Promise<SyncRun> {
    const { client, state, clock } = this.tools
    const startedAt = clock()
    const providerLists = await this.fetchProviderLists()
    const keys = await planSync(client, state, this.options, startedAt)
    const run = { startedAt, wish: targetKey(this.options), planned: keys.length, providerLists }
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
      const record = title === undefined ? null : JSON.stringify(buildShowRecord(title, this.options, this.directory))
      await state.saveFetched(place, { key, record, at: clock(), scope: this.scope })
      if (record === null) this.gone++
      else this.fetched++
      this.unimported++
      this.consecutiveFailures = 0
    } catch (error) {
      if (error instanceof TmdbUnavailableError) await this.recordFailure(place, key, error)
      else if (error instanceof TmdbRefusedError) this.halted ??= error
      else throw error
    }
  }

  /** Leaves a title for the next sync, or, where nothing works any more, all of them for the next run of this one. */
  private async recordFailure(place: number, key: TitleKey, error: TmdbUnavailableError): Promise<void> {
    this.consecutiveFailures++
    if (this.consecutiveFailures <= MAX_CONSECUTIVE_FAILURES)
      await this.tools.state.saveFailure(place, key, error.message)
    else this.halted ??= error
  }

  /** Begins to import what waits, unless that is under way already. */
  private startImport(run: SyncRun): void {
    this.importing ??= this.importFetched(run.providerLists)
      .catch((error: Error) => {
        this.halted ??= error
      })
      .finally(() => {
        this.importing = undefined
      })
  }

  private async importFetched(lists: SyncRun['providerLists']): Promise<void> {
    const { state, ledger, clock, withLock } = this.tools
    const { source, force } = this.options
    const places = state.fetchedPlaces()
    if (places.length === 0) return
    const report = await withLock(() => {
      const reference = buildReferenceRecords(lists, this.directory, ledger.catalog.reference())
      const feed = buildBatchFeed(state, places, { source, reference })
      return importFeed(feed, ledger, {
        clock,
        force: force || this.isRescoped(places),
        guardDeltaFrom: MIN_GUARDED_OFFERS,
      })
    })
    this.imports.push(report)
    if (report.refused !== undefined) {
      await state.markRejected()
      throw new SyncHaltedError(refusalText(report))
    }
    await state.markImported(places)
    this.unimported -= places.length
  }

  /** Whether some of the titles were known for other countries: that those lose their offers is what was asked for. */
  private isRescoped(places: readonly number[]): boolean {
    const { state } = this.tools
    return places.some((place) => {
      const outcome = state.outcome(place)
      const known = outcome && state.getImported(outcome.key)
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

/** What TMDB's terms ask for wherever its data is shown, and what JustWatch asks for where its offers are. */
export const TMDB_ATTRIBUTION: readonly Attribution[] = [
  {
    text: 'This product uses the TMDB API but is not endorsed or certified by TMDB.',
    link: 'https://www.themoviedb.org',
  },
  { text: 'Watch provider data by JustWatch.', link: 'https://www.justwatch.com' },
]

/** What was fetched, as a native feed: a delta that speaks of these titles and no others. */
export function buildBatchFeed(
  state: SyncStore,
  places: readonly number[],
  { source, reference }: { readonly source: string; readonly reference: readonly object[] },
): FeedSource {
  // What was never imported need not be removed.
  const told = places.filter((place) => {
    const outcome = state.outcome(place)
    return outcome !== undefined && (outcome.record !== null || state.getImported(outcome.key) !== undefined)
  })
  const count = reference.length + told.length
  return async function* () {
    let line = 0
    const next = (text: string): FeedLine => ({ line: ++line, text })
    yield next(JSON.stringify({ kind: 'feed', source, mode: 'delta', count, attribution: TMDB_ATTRIBUTION }))
    for (const record of reference) yield next(JSON.stringify(record))
    for (const place of told) {
      const outcome = state.outcome(place)
      if (outcome === undefined) continue
      yield next(outcome.record ?? JSON.stringify({ kind: 'remove', tmdbId: outcome.key }))
    }
  }
}
