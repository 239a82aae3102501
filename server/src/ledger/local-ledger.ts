import type { Batch } from '../catalog/batch.ts'
import { Catalog } from '../catalog/catalog.ts'
import { CatalogWriter } from '../catalog/catalog-writer.ts'
import { openEnvironment } from '../catalog/environment.ts'
import type { Ledger } from './ledger.ts'

/** Commits straight into the catalog of a data directory: one machine, no other system of record. */
export class LocalLedger implements Ledger {
  readonly catalog: Catalog
  private readonly writer: CatalogWriter

  constructor(dataDirectory: string) {
    this.catalog = new Catalog(openEnvironment(dataDirectory))
    this.writer = new CatalogWriter(this.catalog)
  }

  async commit(make: () => Iterable<Batch>): Promise<number> {
    return this.writer.apply(make)
  }

  async close(): Promise<void> {
    await this.catalog.environment.root.close()
  }
}
