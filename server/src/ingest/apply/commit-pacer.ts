import type { Catalog } from '../../catalog/catalog.ts'
import { findDueInstant } from '../../catalog/changes/windows.ts'
import type { Batch } from '../../catalog/write/batch.ts'
import type { Clock } from '../../lib/clock.ts'
import { findNextDueInstant } from '../window-scheduler.ts'

/**
 * Ends a commit of an import before it delays a window: nobody else can write meanwhile. Large commits are cheaper, so
 * they are cut short only where an offer starts or ends within their time. What a commit still takes after its last batch
 * is estimated from the one before.
 */
export class CommitPacer {
  private readonly catalog: Catalog
  private readonly clock: Clock
  private startedAt = 0
  /** The first instant after the start of the commit at which a window starts or ends. */
  private dueAt = Number.POSITIVE_INFINITY
  private shows = 0
  private lastBatchMs = 0
  private flushMsPerShow = 0

  constructor(catalog: Catalog, clock: Clock) {
    this.catalog = catalog
    this.clock = clock
  }

  /** Begins a commit. */
  begin(): void {
    this.startedAt = this.clock()
    this.dueAt = findNextDueInstant(this.catalog, this.startedAt)
    this.shows = 0
    this.lastBatchMs = performance.now()
  }

  /** Counts a batch of the commit. */
  add({ shows }: Batch): void {
    this.shows += shows.length
    for (const show of shows) {
      const due = findDueInstant(show)
      if (due !== undefined && due > this.startedAt && due < this.dueAt) this.dueAt = due
    }
    this.lastBatchMs = performance.now()
  }

  /** Whether the commit should end with the batches so far. */
  shouldEnd(): boolean {
    return this.shows > 0 && this.dueAt <= this.clock() + (this.shows * this.flushMsPerShow) / 1_000
  }

  /** Ends a commit, once it is written. */
  end(): void {
    if (this.shows > 0) this.flushMsPerShow = (performance.now() - this.lastBatchMs) / this.shows
  }
}
