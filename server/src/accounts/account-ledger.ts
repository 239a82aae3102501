import type { AccountEnvironment, AccountRows, AccountTable, AccountTables } from './account-tables.ts'

/** What a commit may do to the tables. Reads within the commit see what was written before them. */
export interface AccountWrites {
  put<T extends AccountTable>(table: T, key: string, row: AccountRows[T]): void
  remove(table: AccountTable, key: string): void
}

/** Where changes of keys, accounts, sessions and plans are committed, all of one change or nothing. */
export interface AccountLedger {
  /** To read from. */
  readonly tables: AccountTables
  /**
   * Commits what the given function writes, and gives what it returns. While it runs, nobody else writes. If it
   * throws, nothing is written. It may be run more than once.
   */
  commit<T>(work: (writes: AccountWrites) => T): Promise<T>
  /** A number that every commit, by whichever process, raises; seen here at once for own commits, else within 20 ms. */
  revision(): number
}

/** How long a process may take to notice that another one committed something. */
const LOOK_AGAIN_MS = 20

/** The revision of tables that other processes write, too. */
export class LocalRevision {
  private readonly tables: AccountTables
  private seen = -1
  private isFresh = false

  constructor(tables: AccountTables) {
    this.tables = tables
  }

  // Under load the first read of each turn of the event loop is dear, and even a look at the clock would be felt.
  get(): number {
    if (!this.isFresh) {
      this.isFresh = true
      setTimeout(this.lookAgain, LOOK_AGAIN_MS).unref()
      this.seen = this.tables.meta.get('revision') ?? 0
    }
    return this.seen
  }

  /** Lets the next look be a real one. */
  readonly lookAgain = (): void => {
    this.isFresh = false
  }
}

/** Commits straight into the tables of a data directory. */
export class LocalAccountLedger implements AccountLedger {
  readonly tables: AccountTables
  private readonly environment: AccountEnvironment
  private readonly seen: LocalRevision

  constructor(environment: AccountEnvironment) {
    this.environment = environment
    this.tables = environment.tables
    this.seen = new LocalRevision(environment.tables)
  }

  revision(): number {
    return this.seen.get()
  }

  async commit<T>(work: (writes: AccountWrites) => T): Promise<T> {
    const { tables } = this
    this.seen.lookAgain()
    return this.environment.root.transactionSync(() => {
      const result = work({
        put: (table, key, row) => void tables[table].put(key, row as never),
        remove: (table, key) => void tables[table].remove(key),
      })
      raiseRevision(tables)
      return result
    })
  }
}

/** Tells every process that what it remembers of the tables is outdated. To be called within a transaction. */
export function raiseRevision({ meta }: AccountTables): void {
  meta.put('revision', (meta.get('revision') ?? 0) + 1)
}
