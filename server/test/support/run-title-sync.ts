import { join } from 'node:path'
import type { SyncDependencies } from '../../src/connectors/sync/sync-importer.ts'
import { SyncStore } from '../../src/connectors/sync/sync-store.ts'
import type { SyncReport, TitleSync } from '../../src/connectors/sync/title-sync.ts'
import { temporaryFolder } from './temporary-folder.ts'
import type { TestService } from './test-service.ts'

/** A function that syncs a service with a stand-in. All its syncs share one store. */
export function createSyncRunner<O>(
  service: TestService,
  standIn: { readonly requests: readonly string[] },
  create: (dependencies: SyncDependencies, options: O) => TitleSync,
): (options: O) => Promise<SyncReport & { readonly requested: readonly string[] }> {
  const folder = join(temporaryFolder(), 'sync')
  return async (options) => {
    const before = standIn.requests.length
    const store = new SyncStore(folder)
    try {
      const { ledger } = service
      const dependencies = { store, ledger, clock: () => service.now, withLock: <T>(work: () => Promise<T>) => work() }
      const report = await create(dependencies, options).run()
      return { ...report, requested: standIn.requests.slice(before) }
    } finally {
      await store.close()
    }
  }
}
