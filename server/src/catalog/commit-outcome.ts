import type { Batch } from './batch.ts'
import type { CatalogCounts } from './catalog.ts'
import type { LedgerPosition } from './ledger-position.ts'

/** What tells two catalogs apart that were made of different batches. */
export interface CatalogMark {
  readonly version: number
  readonly edition: string
  /** The number that the next new document gets. */
  readonly nextDoc: number
}

/** What else is said of batches that come from a ledger. */
export interface Outcome {
  /** The commit that they are; noted with them. */
  readonly position?: LedgerPosition
  /** They are part of a copy of a catalog, and all that they write bears its version and edition. */
  readonly copyOf?: Pick<CatalogMark, 'version' | 'edition'>
  /** What the catalog must have come to with them; else none of them is applied. */
  readonly expected?: CatalogMark
}

/** A record of batches that is kept elsewhere while they are applied. */
export interface BatchRecord {
  /** The commit that the batches are going to be. */
  readonly position: LedgerPosition
  /** Takes a batch, with the documents of its shows by id. */
  take(batch: Batch, docs: ReadonlyMap<string, number>): Promise<void>
  /** Makes the record true, once it holds all batches. */
  settle(end: CatalogMark & { readonly counts: CatalogCounts }): Promise<void>
}

/** Thrown when the batches of a ledger do not give the catalog that they gave elsewhere. */
export class CatalogDiverged extends Error {
  override readonly name = 'CatalogDiverged'
}
