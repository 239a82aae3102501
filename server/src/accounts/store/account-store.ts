import type { AccountEnvironment, AccountRows, AccountTableName, AccountTables } from './account-tables.ts'

/** What a commit may do to the tables. Reads within the commit see what was written before them. */
export interface AccountTransaction {
  put<T extends AccountTableName>(table: T, key: string, row: AccountRows[T]): void
  delete(table: AccountTableName, key: string): void
}

/** Where changes of keys, accounts, sessions and plans are committed, all of one change or nothing. */
export interface AccountStore {
  /** To read from. */
  readonly tables: AccountTables
  /**
   * Commits what the given function writes, and gives what it returns. While it runs, nobody else writes. If it
   * throws, nothing is written. It may be run more than once.
   */
  commit<T>(work: (writes: AccountTransaction) => T): Promise<T>
  /** A number that every commit, by whichever process, raises; seen here at once for own commits, else within 20 ms. */
  revision(): number
}

/** How long a process may take to notice that another one committed something. */
const REVISION_TTL_MS = 20

/** The revision of tables that other processes write, too. */
export class RevisionCache {
  private readonly tables: AccountTables
  private value = -1
  private isFresh = false

  constructor(tables: AccountTables) {
    this.tables = tables
  }

  // Under load the first read of each turn of the event loop is dear, and even a look at the clock would be felt.
  get(): number {
    if (!this.isFresh) {
      this.isFresh = true
      setTimeout(this.invalidate, REVISION_TTL_MS).unref()
      this.value = this.tables.meta.get('revision') ?? 0
    }
    return this.value
  }

  /** Lets the next look be a real one. */
  readonly invalidate = (): void => {
    this.isFresh = false
  }
}

/** Commits straight into the tables of a data directory. */
export class LocalAccountStore implements AccountStore {
  readonly tables: AccountTables
  private readonly environment: AccountEnvironment
  private readonly cachedRevision: RevisionCache

  constructor(environment: AccountEnvironment) {
    this.environment = environment
    this.tables = environment.tables
    this.cachedRevision = new RevisionCache(environment.tables)
  }

  revision(): number {
    return this.cachedRevision.get()
  }

  async commit<T>(work: (writes: AccountTransaction) => T): Promise<T> {
    const { tables } = this
    this.cachedRevision.invalidate()
    return this.environment.root.transactionSync(() => {
      const result = work({
        put: (table, key, row) => void tables[table].put(key, row as never),
        delete: (table, key) => void tables[table].remove(key),
      })
      incrementRevision(tables)
      return result
    })
  }
}

/** Tells every process that what it remembers of the tables is outdated. To be called within a transaction. */
export function incrementRevision({ meta }: AccountTables): void {
  meta.put('revision', (meta.get('revision') ?? 0) + 1)
}

/** Removes the rows of a table whose time has ended, in one commit. */
export async function deleteExpired(
  ledger: AccountStore,
  table: 'sessions' | 'attempts' | 'invitations',
  now: number,
): Promise<void> {
  const ended: string[] = []
  for (const { key, value } of ledger.tables[table].getRange()) if (value.endsAt <= now) ended.push(key)
  if (ended.length === 0) return
  await ledger.commit((writes) => {
    for (const key of ended) writes.delete(table, key)
  })
}
