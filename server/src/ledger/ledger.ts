import { hostname } from 'node:os'
import type { Catalog } from '../catalog/catalog.ts'
import type { Batch } from '../catalog/write/batch.ts'
import { currentProcess, type ProcessIdentity } from '../lib/process-identity.ts'

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

/** Work that only one process may do at a time, on all machines that share a ledger. */
export type Task = 'import' | 'keep' | 'copy'

/** Who does a task. */
export interface TaskHolder extends ProcessIdentity {
  readonly host: string
  readonly since: number
  readonly what: string
}

/** Gives tasks to one process at a time. Those of a process that died are free again. */
export interface TaskLock {
  /** Takes a task. Gives who has it where that is somebody else, and undefined where it is now ours. */
  acquire(task: Task, since: number, what: string): Promise<TaskHolder | undefined>
  release(task: Task): Promise<void>
  /** Who does a task at the moment, if anybody does. */
  holder(task: Task): Promise<TaskHolder | undefined>
}

/** This process as the holder of a task. */
export function currentHolder(since: number, what: string): TaskHolder {
  return { host: hostname(), ...currentProcess(), since, what }
}
