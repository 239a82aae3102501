import type { Reference } from '../../catalog/storage/reference.ts'
import { type FeedSource, importFeed } from '../../ingest/import-feed.ts'
import type { ImportReport, NoticeCode } from '../../ingest/import-report.ts'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import type { Attribution, SourceRanks } from '../../model/source-ranks.ts'
import type { FetchOutcome, SyncStore } from './sync-store.ts'

/** What a sync reads from and writes to. */
export interface SyncDependencies<S extends SyncStore = SyncStore> {
  readonly store: S
  readonly ledger: Ledger
  readonly clock: Clock
  /** Which sources have precedence for descriptive fields. */
  readonly ranks?: SourceRanks
  /** Runs an import under the import lock. */
  readonly withLock: <T>(work: () => Promise<T>) => Promise<T>
}

/** A remark on what was fetched, which becomes a notice of the import. */
export interface SyncNote {
  readonly note: NoticeCode
  readonly detail: string
  readonly record?: string
}

/** How fetched titles become feeds. */
export interface SyncFeed {
  /** The name of the API in messages. */
  readonly name: string
  /** The source that owns the imported offers. */
  readonly source: string
  /** Imports batches even if they remove more than a fifth of the offers of their titles. */
  readonly force: boolean
  readonly attribution: readonly Attribution[]
  /** Reference records that precede the titles of an import. */
  buildReference(reference: Reference): readonly object[]
  /** Remarks since the last call. */
  takeNotes(): readonly SyncNote[]
  /** The record that removes a title that the API no longer has. */
  buildRemoval(key: string): object
  /** The country that the record of a title is limited to; undefined if it covers all. */
  country?(key: string): string | undefined
}

/** Thrown when a batch would remove too many offers; it is not imported. */
export class SyncHaltedError extends UserError {
  override readonly name = 'SyncHaltedError'
}

/** Titles of one import. */
const BATCH_SIZE = 80
/** Fetching waits for the import while this many titles are not imported. */
const MAX_UNIMPORTED = 4 * BATCH_SIZE
/** Batches whose titles hold fewer offers are not guarded: a fifth of so few says nothing. */
const MIN_GUARDED_OFFERS = 200

/**
 * Imports fetched titles in batches, as delta feeds, while others are fetched. A title that could not be fetched is not
 * in the feed and keeps its offers. A batch that would remove too many offers is refused.
 */
export class SyncImporter {
  readonly imports: ImportReport[] = []
  /** The error that stops the sync. */
  halted: Error | undefined
  private readonly dependencies: SyncDependencies
  private readonly feed: SyncFeed
  /** The import that is running, if any. */
  private importing: Promise<void> | undefined
  private unimported: number

  constructor(dependencies: SyncDependencies, feed: SyncFeed) {
    this.dependencies = dependencies
    this.feed = feed
    this.unimported = dependencies.store.fetchedPositions().length
  }

  /** Counts stored titles. Starts an import when enough are there, and waits for it when too many are. */
  async addFetched(count: number): Promise<void> {
    this.unimported += count
    if (this.unimported >= BATCH_SIZE) this.startImport()
    if (this.unimported >= MAX_UNIMPORTED) await this.importing
  }

  /** Waits for the running import, and imports the rest; throws if a batch was refused. */
  async finish(): Promise<void> {
    await this.importing
    if (this.halted instanceof SyncHaltedError) throw this.halted
    await this.importFetched()
  }

  /** Starts to import the fetched titles, unless an import is running. */
  private startImport(): void {
    this.importing ??= this.importFetched()
      .catch((error: Error) => {
        this.halted ??= error
      })
      .finally(() => {
        this.importing = undefined
      })
  }

  /** Imports all titles that were fetched so far, those of each country as one feed. */
  private async importFetched(): Promise<void> {
    const { store } = this.dependencies
    const groups = new Map<string | undefined, number[]>()
    for (const position of store.fetchedPositions()) {
      const key = store.getFetched(position)?.key ?? ''
      const country = this.feed.country?.(key)
      const group = groups.get(country)
      if (group === undefined) groups.set(country, [position])
      else group.push(position)
    }
    for (const [country, positions] of groups) {
      for (let start = 0; start < positions.length; start += MAX_UNIMPORTED) {
        await this.importBatch(positions.slice(start, start + MAX_UNIMPORTED), country)
      }
    }
  }

  private async importBatch(positions: readonly number[], country: string | undefined): Promise<void> {
    const { store, ledger, clock, ranks, withLock } = this.dependencies
    const report = await withLock(() =>
      importFeed(this.buildFeed(positions, country), ledger, {
        clock,
        ranks,
        force: this.feed.force || this.isRescoped(positions),
        guardDeltaFrom: MIN_GUARDED_OFFERS,
      }),
    )
    this.imports.push(report)
    if (report.refused !== undefined) {
      await store.markRejected()
      throw new SyncHaltedError(describeRefusal(this.feed.name, report))
    }
    await store.markImported(positions)
    this.unimported -= positions.length
  }

  /** A native delta feed of fetched titles: reference records, then the shows and removals. */
  private buildFeed(positions: readonly number[], country: string | undefined): FeedSource {
    const { store, ledger } = this.dependencies
    const { source, attribution } = this.feed
    const reference = this.feed.buildReference(ledger.catalog.reference())
    const notes = this.feed.takeNotes()
    const latest = new Map(positions.map((position) => [store.getFetched(position)?.key, position]))
    const stated = positions.filter((position) => {
      const outcome = store.getFetched(position)
      // A title that was fetched twice since the last import has one record.
      if (outcome === undefined || latest.get(outcome.key) !== position) return false
      // Titles that are gone and were never imported need no removal.
      return outcome.record !== null || store.getImported(outcome.key) !== undefined
    })
    const scope = country === undefined ? {} : { scope: { countries: [country] } }
    const header = {
      kind: 'feed',
      source,
      mode: 'delta',
      ...scope,
      count: reference.length + stated.length,
      attribution,
    }
    const toRecord = ({ key, record }: FetchOutcome) =>
      record ?? JSON.stringify(store.getImported(key)?.removal ?? this.feed.buildRemoval(key))
    return async function* () {
      let line = 0
      const toLine = (text: string): FeedLine => ({ line: ++line, text })
      yield toLine(JSON.stringify(header))
      for (const record of reference) yield toLine(JSON.stringify(record))
      for (const note of notes) yield { line, ...note }
      for (const position of stated) {
        const outcome = store.getFetched(position)
        if (outcome !== undefined) yield toLine(toRecord(outcome))
      }
    }
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

function describeRefusal(name: string, { refused }: ImportReport): string {
  if (refused?.reason !== 'too_many_removals') return `What ${name} answered could not be imported`
  return (
    `What ${name} answered would remove ${refused.removed} of ${refused.held} offers of the titles that were fetched. ` +
    `Nothing of it was imported. If that is right, sync with --force; if ${name} was out of order, sync again later.`
  )
}
