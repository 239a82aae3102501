import { hostname } from 'node:os'
import type { Catalog } from '../catalog/catalog.ts'
import type { Batch } from '../catalog/write/batch.ts'
import { currentProcess, type ProcessIdentity } from '../lib/process-info.ts'

/** The commit point for batches. Once `commit` has resolved, its batches are durable, and every replica will apply them. */
export interface Ledger {
  /** The catalog to which committed batches are applied. */
  readonly catalog: Catalog
  /** Locks for work that one process at a time may do. */
  readonly tasks: TaskLock
  /**
   * Commits all batches that `make` yields in one transaction, and returns the new catalog version. Each batch is applied
   * before the next one is made, so only one is in memory at a time, and `make` reads what the earlier ones wrote. No
   * other writer commits between the first read of `make` and the end of the transaction.
   */
  commit(make: () => Iterable<Batch>): Promise<number>
  /** Applies all commits of other writers so far to the catalog. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Work that one process at a time may do, across all nodes of a ledger. `keep` is the window scheduler's leadership. */
export type Task = 'import' | 'keep' | 'copy'

/** The process that holds a task. */
export interface TaskHolder extends ProcessIdentity {
  readonly host: string
  readonly since: number
  readonly what: string
}

/** Exclusive locks for tasks. The tasks of a process that died are free again. */
export interface TaskLock {
  /** Tries to acquire a task: undefined on success, else the process that holds it. */
  acquire(task: Task, since: number, what: string): Promise<TaskHolder | undefined>
  release(task: Task): Promise<void>
  /** The process that holds a task now. */
  holder(task: Task): Promise<TaskHolder | undefined>
}

/** This process as the holder of a task. */
export function currentHolder(since: number, what: string): TaskHolder {
  return { host: hostname(), ...currentProcess(), since, what }
}
