import { join } from 'node:path'
import { Catalog } from '../catalog/catalog.ts'
import { type Environment, openEnvironment } from '../catalog/storage/environment.ts'
import type { Batch } from '../catalog/write/batch.ts'
import { CatalogWriter } from '../catalog/write/catalog-writer.ts'
import { UserError } from '../lib/errors.ts'
import { announceWriter } from '../lib/lmdb/lmdb-file.ts'
import { isRunning } from '../lib/process-info.ts'
import { currentHolder, type Ledger, type Task, type TaskHolder, type TaskLock } from './ledger.ts'

/** Thrown when a replica of a ledger in PostgreSQL is opened for local commits. */
class CatalogIsReplicaError extends UserError {
  override readonly name = 'CatalogIsReplicaError'

  constructor() {
    super(
      'The data directory holds a copy of a ledger in PostgreSQL. Set DATABASE_URL to go on with that one; ' +
        '`marquee migrate --to DIR` takes the ledger into a directory of its own.',
    )
  }
}

/** Commits straight to the catalog of a data directory, which is the system of record of a single node. */
export class LocalLedger implements Ledger {
  readonly catalog: Catalog
  readonly tasks: TaskLock
  private readonly writer: CatalogWriter

  constructor(dataDirectory: string) {
    const environment = openEnvironment(dataDirectory)
    this.catalog = new Catalog(environment)
    if (this.catalog.logPosition() !== undefined) throw new CatalogIsReplicaError()
    this.writer = new CatalogWriter(this.catalog, dataDirectory)
    this.tasks = new LocalTaskLock(environment, join(dataDirectory, 'catalog'))
  }

  async commit(make: () => Iterable<Batch>): Promise<number> {
    return this.writer.apply(make)
  }

  /** Does nothing: all writers commit to this catalog. */
  async refresh(): Promise<void> {}

  async close(): Promise<void> {
    await this.writer.close()
    await this.catalog.close()
  }
}

/**
 * Task locks on one machine. The holder's process identity is written to the catalog in an LMDB write transaction, so
 * two processes cannot acquire one task. An entry of a process that no longer runs is ignored.
 */
export class LocalTaskLock implements TaskLock {
  private readonly environment: Environment
  private readonly folder: string | undefined

  /** @param folder the folder of the environment: a wait for its writer is announced */
  constructor(environment: Environment, folder?: string) {
    this.environment = environment
    this.folder = folder
  }

  async acquire(task: Task, since: number, what: string): Promise<TaskHolder | undefined> {
    const { meta, root } = this.environment
    if (this.folder !== undefined) announceWriter(this.folder)
    return root.transactionSync(() => {
      const holder = this.findLiving(task)
      if (holder === undefined) meta.putSync(taskKey(task), currentHolder(since, what))
      return holder
    })
  }

  async release(task: Task): Promise<void> {
    const { meta, root } = this.environment
    root.transactionSync(() => meta.removeSync(taskKey(task)))
  }

  async holder(task: Task): Promise<TaskHolder | undefined> {
    return this.findLiving(task)
  }

  private findLiving(task: Task): TaskHolder | undefined {
    const holder = this.environment.meta.get(taskKey(task)) as TaskHolder | undefined
    return holder !== undefined && isRunning(holder) ? holder : undefined
  }
}

function taskKey(task: Task): string {
  return `task ${task}`
}
