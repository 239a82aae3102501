import type { Change } from '../../model/change.ts'
import type { TopList } from '../../model/service.ts'
import type { Show } from '../../model/show.ts'
import type { SeenRecord } from '../documents/seen-records.ts'
import type { CatalogCounts, LogPosition, SourceRecord } from '../storage/meta.ts'
import type { Reference } from '../storage/reference.ts'

/**
 * A set of changes to the catalog that is applied as a whole. Plain data: the same batches, applied in the same order
 * to an empty catalog, give the same catalog on every machine.
 */
export interface Batch {
  /** The time of the batch. */
  readonly at: number
  /** New and changed shows, each complete, each at most once. */
  readonly shows: readonly Show[]
  /** Entries to add to the change log. */
  readonly changes: readonly Change[]
  readonly reference?: Reference
  readonly topLists?: readonly TopList[]
  readonly source?: SourceRecord
  /** Names of sources whose records are deleted. */
  readonly removedSources?: readonly string[]
  /** Truncates the change log: changes before this instant are deleted. */
  readonly forgetChangesBefore?: number
  /** Records to skip when they come again. Local to this copy of the catalog: not logged, and no part of its content. */
  readonly seen?: readonly SeenRecord[]
}

/** Whether a batch is written to the log: it holds more than what is local to this copy of the catalog. */
export function isLoggable(batch: Batch): boolean {
  return bumpsVersion(batch) || batch.source !== undefined || batch.removedSources !== undefined
}

/** Whether a batch can change an answer, provenance apart: that depends on the record of a source, too. */
export function bumpsVersion({ shows, changes, reference, topLists = [], forgetChangesBefore }: Batch): boolean {
  return (
    shows.length > 0 ||
    changes.length > 0 ||
    reference !== undefined ||
    topLists.length > 0 ||
    forgetChangesBefore !== undefined
  )
}

/** Identifies the state of a catalog. Replicas that have applied the same commits have the same mark. */
export interface CatalogMark {
  readonly version: number
  /** The content hash. */
  readonly edition: string
  /** The number of the next new document. */
  readonly nextDoc: number
}

/** Options for batches that are replayed from a log. */
export interface CommitOptions {
  /** The log position after these batches; stored with them. */
  readonly position?: LogPosition
  /** For a catalog that is copied, not replayed: the version and content hash of the original. */
  readonly copyOf?: Pick<CatalogMark, 'version' | 'edition'>
  /** The mark that the catalog must have after these batches. On another one the transaction is rolled back. */
  readonly expected?: CatalogMark
}

/** A log that receives batches while they are applied to the catalog. */
export interface BatchSink {
  /** The log position of the commit that the batches form. */
  readonly position: LogPosition
  /** Appends a batch, with the documents of its shows by id. */
  append(batch: Batch, docs: ReadonlyMap<string, number>): Promise<void>
  /** Commits the appended batches in the log. */
  commit(end: CatalogMark & { readonly counts: CatalogCounts }): Promise<void>
}

/** Thrown when replaying a log gives another catalog than the one that wrote the log. */
export class CatalogDivergedError extends Error {
  override readonly name = 'CatalogDivergedError'
}
