import { Catalog } from '../catalog/catalog.ts'
import { openEnvironment } from '../catalog/storage/environment.ts'
import type { Batch } from '../catalog/write/batch.ts'
import { CatalogWriter } from '../catalog/write/catalog-writer.ts'
import { UserError } from '../lib/user-error.ts'
import type { Ledger } from './ledger.ts'
import { LocalTaskLock } from './local-task-lock.ts'
import type { TaskLock } from './task-lock.ts'

/** Thrown when a catalog that follows a ledger elsewhere is to be written as if it were its own. */
export class CatalogIsACopy extends UserError {
  override readonly name = 'CatalogIsACopy'

  constructor() {
    super(
      'The data directory holds a copy of a ledger in PostgreSQL. Set DATABASE_URL to go on with that one; ' +
        '`marquee migrate --to DIR` takes the ledger into a directory of its own.',
    )
  }
}

/** Commits straight into the catalog of a data directory: one machine, no other system of record. */
export class LocalLedger implements Ledger {
  readonly catalog: Catalog
  readonly tasks: TaskLock
  private readonly writer: CatalogWriter

  constructor(dataDirectory: string) {
    const environment = openEnvironment(dataDirectory)
    this.catalog = new Catalog(environment)
    if (this.catalog.logPosition() !== undefined) throw new CatalogIsACopy()
    this.writer = new CatalogWriter(this.catalog)
    this.tasks = new LocalTaskLock(environment)
  }

  async commit(make: () => Iterable<Batch>): Promise<number> {
    return this.writer.apply(make)
  }

  /** Whoever commits does so into this very catalog. */
  async refresh(): Promise<void> {}

  async close(): Promise<void> {
    await this.catalog.environment.root.close()
  }
}
