import type { Catalog } from '../catalog/catalog.ts'
import type { Batch } from '../catalog/write/batch.ts'
import type { TaskLock } from './task-lock.ts'

/** Where batches are committed. A batch is true, everywhere and whole, once `commit` has returned. */
export interface Ledger {
  /** The catalog that every committed batch ends up in. */
  readonly catalog: Catalog
  /** Work that only one process may do at a time. */
  readonly tasks: TaskLock
  /**
   * Commits the batches that are made by the given function, all of them or none, and returns the catalog's version.
   * Each is in the catalog before the next one is asked for, so what is made one at a time need not fit into memory
   * at a time. From the first read of `make` to the end of the commit nobody else writes.
   */
  commit(make: () => Iterable<Batch>): Promise<number>
  /** Brings the catalog up to all that was committed before. */
  refresh(): Promise<void>
  close(): Promise<void>
}
