import { createHash } from 'node:crypto'
import type { Database, RootDatabase } from 'lmdb'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import { UserError } from '../../lib/errors.ts'
import { makeFolder } from '../../lib/files.ts'
import { openLmdb } from '../../lib/lmdb/lmdb.ts'
import { currentProcess, isRunning, type ProcessIdentity } from '../../lib/process-info.ts'
import type { AssignedServices } from '../providers/provider-directory.ts'

/** A sync that was started and is not finished. Stored as JSON. */
export interface SyncRun {
  readonly startedAt: number
  /** A key of everything that the plan depends on. */
  readonly wish: string
  /** The number of titles in the plan. */
  readonly planned: number
  /** What was fetched for the whole run, such as lists of services. */
  readonly context?: JsonObject
}

/** A fetched title: its native record, or null if the API no longer has it. Stored as JSON. */
export interface FetchOutcome {
  readonly key: string
  readonly record: string | null
  readonly at: number
  /** A key of everything that the record depends on. */
  readonly scope: string
  /** The record that removes the title, if its key alone does not identify it. */
  readonly removal?: JsonObject
}

/** When, and for which scope, an imported title was fetched. */
export type ImportedTitle = Pick<FetchOutcome, 'at' | 'scope' | 'removal'>

/** Thrown when another process runs the same sync. */
class SyncInProgressError extends UserError {
  override readonly name = 'SyncInProgressError'
}

/** More than any sync uses. */
const MAX_TABLES = 16

/**
 * The progress of a sync in an LMDB environment of its own: the plan, the titles that were fetched but not imported, and
 * the fetch times of imported titles. Each step is one transaction, so a killed sync resumes where it stopped.
 */
export class SyncStore {
  protected readonly root: RootDatabase
  protected readonly meta: Database<unknown, string>
  /** Titles still to fetch, by position in the plan. */
  protected readonly plan: Database<string, number>
  /** Titles that were fetched and not imported, by position in the plan. */
  protected readonly fetched: Database<FetchOutcome, number>
  protected readonly titles: Database<ImportedTitle, string>
  protected readonly failed: Database<string, string>

  constructor(folder: string) {
    makeFolder(folder)
    this.root = openLmdb({ path: folder, maxDbs: MAX_TABLES, encoding: 'json' })
    this.meta = this.openTable('meta')
    this.plan = this.openTable('plan')
    this.fetched = this.openTable('fetched')
    this.titles = this.openTable('titles')
    this.failed = this.openTable('failed')
    this.acquire(folder)
  }

  protected openTable<V, K extends string | number>(name: string): Database<V, K> {
    return this.root.openDB<V, K>(name, { encoding: 'json' })
  }

  /** The unfinished sync. */
  get run(): SyncRun | undefined {
    return this.meta.get('run') as SyncRun | undefined
  }

  /** The start of the last finished sync. */
  get lastStart(): number | undefined {
    return this.meta.get('lastStart') as number | undefined
  }

  /** A value that an API has stored for later syncs. */
  getValue(name: string): unknown {
    return this.meta.get(`value ${name}`)
  }

  setValue(name: string, value: unknown): Promise<unknown> {
    return this.root.transaction(() => void this.meta.put(`value ${name}`, value))
  }

  /** Starts a sync of the given titles, in that order. */
  begin(run: SyncRun, keys: readonly string[]): Promise<unknown> {
    return this.root.transaction(() => {
      this.meta.put('run', run)
      keys.forEach((key, position) => void this.plan.put(position, key))
    })
  }

  /** The titles still to fetch. */
  pendingTitles(): { readonly position: number; readonly key: string }[] {
    return Array.from(this.plan.getRange({}), ({ key: position, value }) => ({ position, key: value }))
  }

  /** Stores a fetched title until it is imported. */
  saveFetched(position: number, outcome: FetchOutcome): Promise<unknown> {
    return this.root.transaction(() => {
      this.plan.remove(position)
      this.failed.remove(outcome.key)
      this.fetched.put(position, outcome)
    })
  }

  /** Removes a title that could not be fetched from the plan; the next sync fetches it again. */
  saveFailure(position: number, key: string, problem: string): Promise<unknown> {
    return this.root.transaction(() => {
      this.plan.remove(position)
      this.failed.put(key, problem)
    })
  }

  /** The positions of titles that were fetched and not imported. */
  fetchedPositions(): number[] {
    return [...this.fetched.getKeys({})]
  }

  getFetched(position: number): FetchOutcome | undefined {
    return this.fetched.get(position)
  }

  /** Moves fetched titles to the imported ones. */
  markImported(positions: readonly number[]): Promise<unknown> {
    return this.root.transaction(() => {
      this.meta.remove('rejected')
      for (const position of positions) {
        const outcome = this.fetched.get(position)
        if (outcome === undefined) continue
        this.fetched.remove(position)
        const { key, record, at, scope, removal } = outcome
        if (record === null) this.titles.remove(key)
        else this.titles.put(key, { at, scope, ...(removal !== undefined && { removal }) })
      }
    })
  }

  /** Marks the fetched titles as rejected by the import. */
  markRejected(): Promise<unknown> {
    return this.root.transaction(() => void this.meta.put('rejected', true))
  }

  /** Puts rejected titles back into the plan, since the API may have answered wrongly. */
  requeueRejected(): Promise<unknown> {
    return this.root.transaction(() => {
      if (this.meta.get('rejected') !== true) return
      for (const { key: position, value } of [...this.fetched.getRange({})]) {
        this.fetched.remove(position)
        this.plan.put(position, value.key)
      }
      this.meta.remove('rejected')
    })
  }

  /** Ends a sync whose plan is done. */
  finish({ startedAt }: SyncRun): Promise<unknown> {
    return this.root.transaction(() => {
      this.meta.remove('run')
      this.meta.put('lastStart', startedAt)
    })
  }

  /** Drops the plan of an unfinished sync. */
  abandon(): Promise<unknown> {
    return this.root.transaction(() => {
      this.meta.remove('run')
      for (const position of [...this.plan.getKeys({})]) this.plan.remove(position)
    })
  }

  /** The last import of a title. */
  getImported(key: string): ImportedTitle | undefined {
    return this.titles.get(key)
  }

  /** All imported titles. */
  *importedTitles(): Iterable<ImportedTitle & { readonly key: string }> {
    for (const { key, value } of this.titles.getRange({})) yield { key, ...value }
  }

  /** The titles that could not be fetched, with the reasons. */
  failures(): { readonly key: string; readonly problem: string }[] {
    return Array.from(this.failed.getRange({}), ({ key, value }) => ({ key, problem: value }))
  }

  /** Releases the lock and closes the environment. */
  async close(): Promise<void> {
    await this.root.transaction(() => void this.meta.remove('holder'))
    await this.root.close()
  }

  /** Takes the lock of the environment, unless a running process holds it. */
  private acquire(folder: string): void {
    const own = currentProcess()
    const other = this.root.transactionSync(() => {
      const holder = this.meta.get('holder') as ProcessIdentity | undefined
      if (holder !== undefined && isRunning(holder)) return holder
      this.meta.putSync('holder', own)
      return undefined
    })
    if (other === undefined) return
    void this.root.close()
    throw new SyncInProgressError(`process ${other.pid} is running the sync in ${folder}`)
  }
}

/** A short key of a value: scopes and targets are compared by it. */
export function digestScope(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
}

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
