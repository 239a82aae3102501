import type { Change } from '../../model/change.ts'
import type { TopList } from '../../model/service.ts'
import type { Show } from '../../model/show.ts'
import type { CatalogCounts } from '../catalog.ts'
import type { SeenRecord } from '../documents/seen-records.ts'
import type { Reference } from '../reference.ts'
import type { LogPosition, SourceRecord } from '../storage/meta.ts'

/**
 * What is to become true of the catalog, all at once. Plain data: the same batches, applied in the same order to an
 * empty catalog, give the same catalog anywhere.
 */
export interface Batch {
  /** The instant that the batch speaks of. */
  readonly at: number
  /** Shows as they are from now on, each whole, each at most once. */
  readonly shows: readonly Show[]
  /** What is to be added to the change log. */
  readonly changes: readonly Change[]
  readonly reference?: Reference
  readonly topLists?: readonly TopList[]
  readonly source?: SourceRecord
  /** Changes before this instant are no longer needed. */
  readonly forgetChangesBefore?: number
  /** What shows, of this batch or as they were before, need not be told again: for this copy of the catalog alone. */
  readonly told?: readonly SeenRecord[]
}

/** What tells two catalogs apart that were made of different batches. */
export interface CatalogMark {
  readonly version: number
  readonly edition: string
  /** The number that the next new document gets. */
  readonly nextDoc: number
}

/** What else is said of batches that come from a ledger. */
export interface CommitOptions {
  /** The commit that they are; noted with them. */
  readonly position?: LogPosition
  /** They are part of a copy of a catalog, and all that they write bears its version and edition. */
  readonly copyOf?: Pick<CatalogMark, 'version' | 'edition'>
  /** What the catalog must have come to with them; else none of them is applied. */
  readonly expected?: CatalogMark
}

/** A record of batches that is kept elsewhere while they are applied. */
export interface BatchSink {
  /** The commit that the batches are going to be. */
  readonly position: LogPosition
  /** Takes a batch, with the documents of its shows by id. */
  append(batch: Batch, docs: ReadonlyMap<string, number>): Promise<void>
  /** Makes the record true, once it holds all batches. */
  commit(end: CatalogMark & { readonly counts: CatalogCounts }): Promise<void>
}

/** Thrown when the batches of a ledger do not give the catalog that they gave elsewhere. */
export class CatalogDivergedError extends Error {
  override readonly name = 'CatalogDiverged'
}
