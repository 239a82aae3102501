import type { Batch } from '../catalog/batch.ts'
import type { Catalog } from '../catalog/catalog.ts'

/** Where batches are committed. A batch is true, everywhere and whole, once `commit` has returned. */
export interface Ledger {
  /** The catalog that every committed batch ends up in. */
  readonly catalog: Catalog
  /**
   * Commits the batch that is made by the given function, if it makes one, and returns the catalog's version. From
   * the first read of `make` to the end of the commit nobody else writes.
   */
  commit(make: () => Batch | undefined): Promise<number>
  close(): Promise<void>
}
