import type { Batch } from '../catalog/batch.ts'
import type { Catalog } from '../catalog/catalog.ts'

/** Where batches are committed. A batch is true, everywhere and whole, once `commit` has returned. */
export interface Ledger {
  /** The catalog that every committed batch ends up in. */
  readonly catalog: Catalog
  /** Commits a batch and returns the version that it made. */
  commit(batch: Batch): Promise<number>
  close(): Promise<void>
}
