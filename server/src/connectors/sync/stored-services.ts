import type { AssignedServices } from '../providers/provider-directory.ts'
import type { SyncStore } from './sync-store.ts'

/** The name of the value in the store. */
const VALUE_NAME = 'services'

/** The service ids of unknown providers, kept in the store of a sync so that a renamed provider keeps its id. */
export class StoredServices {
  readonly services: AssignedServices
  private readonly store: SyncStore
  private savedCount: number

  constructor(store: SyncStore) {
    this.store = store
    const stored = (store.getValue(VALUE_NAME) ?? {}) as Readonly<Record<string, string>>
    this.services = new Map(Object.entries(stored).map(([id, service]) => [Number(id), service]))
    this.savedCount = this.services.size
  }

  /** Stores ids that were assigned since the last call. */
  async save(): Promise<void> {
    if (this.services.size === this.savedCount) return
    this.savedCount = this.services.size
    await this.store.setValue(VALUE_NAME, Object.fromEntries(this.services))
  }
}
