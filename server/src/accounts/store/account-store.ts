import { UserError } from '../../lib/errors.ts'
import type {
  AccountEnvironment,
  AccountRows,
  AccountTableName,
  AccountTables,
  Actor,
  AuditAction,
  AuditEntry,
} from './account-tables.ts'

/** The writes of a commit. Reads of the tables within the commit see earlier writes of it. */
export interface AccountTransaction {
  put<T extends AccountTableName>(table: T, key: string, row: AccountRows[T]): void
  delete(table: AccountTableName, key: string): void
}

/** Transactional storage of keys, accounts, sessions, plans and the audit log. */
export interface AccountStore {
  /** For reading only. */
  readonly tables: AccountTables
  /**
   * Runs `work` in an exclusive transaction and returns its result. If it throws, nothing is written. It may run more
   * than once.
   */
  commit<T>(work: (tx: AccountTransaction) => T): Promise<T>
  /** The revision, which every commit of any process increments. May be 20 ms stale, but never for own commits. */
  revision(): number
}

/** How long a process takes at most to see a commit of another process. */
const REVISION_TTL_MS = 20

/** Reads the revision of tables that several processes write, at most once in `REVISION_TTL_MS`. */
export class RevisionReader {
  private readonly tables: AccountTables
  private value = -1
  private isFresh = false

  constructor(tables: AccountTables) {
    this.tables = tables
  }

  // A timer instead of a time comparison: LMDB's first read in each turn of the event loop renews the read
  // transaction, and under load even reading the clock for each request is measurable.
  get(): number {
    if (!this.isFresh) {
      this.isFresh = true
      setTimeout(this.invalidate, REVISION_TTL_MS).unref()
      this.value = this.tables.meta.get('revision') ?? 0
    }
    return this.value
  }

  /** Makes the next `get` read the table. */
  readonly invalidate = (): void => {
    this.isFresh = false
  }
}

/** Commits to the tables of a data directory. */
export class LocalAccountStore implements AccountStore {
  readonly tables: AccountTables
  private readonly environment: AccountEnvironment
  private readonly revisions: RevisionReader

  constructor(environment: AccountEnvironment) {
    this.environment = environment
    this.tables = environment.tables
    this.revisions = new RevisionReader(environment.tables)
  }

  revision(): number {
    return this.revisions.get()
  }

  async commit<T>(work: (tx: AccountTransaction) => T): Promise<T> {
    const { tables } = this
    this.revisions.invalidate()
    return this.environment.root.transactionSync(() => {
      const result = work({
        put: (table, key, row) => void tables[table].put(key, row as never),
        delete: (table, key) => void tables[table].remove(key),
      })
      tables.meta.put('revision', (tables.meta.get('revision') ?? 0) + 1)
      return result
    })
  }
}

/** Deletes the rows of a table whose `endsAt` has passed, in one commit. */
export async function deleteExpired(
  store: AccountStore,
  table: 'sessions' | 'attempts' | 'invitations' | 'resets',
  now: number,
): Promise<void> {
  const expired: string[] = []
  for (const { key, value } of store.tables[table].getRange()) if (value.endsAt <= now) expired.push(key)
  if (expired.length === 0) return
  await store.commit((tx) => {
    for (const key of expired) tx.delete(table, key)
  })
}

/** The codes of errors that the accounts report to their users. */
export type AccountErrorCode =
  | 'unknown_plan'
  | 'invalid_plan'
  | 'plan_in_use'
  | 'unknown_key'
  | 'key_ended'
  | 'too_many_keys'
  | 'invalid_origin'
  | 'invalid_name'
  | 'unknown_account'
  | 'account_disabled'
  | 'invalid_email'
  | 'weak_password'
  | 'wrong_password'
  | 'sign_in_failed'
  | 'sign_up_closed'
  | 'invitation_needed'
  | 'reset_needed'
  | 'too_many_attempts'
  | 'too_many_changes'
  | 'key_taken'
  | 'too_many_feeds'
  | 'unknown_feed'
  | 'too_many_webhooks'
  | 'unknown_webhook'
  | 'unavailable'

/** Thrown when the accounts refuse a request. The message states what would be accepted. */
export class AccountError extends UserError {
  override readonly name = 'AccountError'
  readonly code: AccountErrorCode
  /** Seconds after which the request may be retried. */
  readonly retryAfter: number | undefined

  constructor(code: AccountErrorCode, message: string, retryAfter?: number) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** Who makes a change, and when. Every method that changes accounts or keys takes one. */
export interface AuditContext {
  readonly by: Actor
  readonly now: number
}

/** An append-only log of all changes to accounts, keys and plans, and of what admins do with sources and the catalog. */
export class AuditLog {
  private readonly store: AccountStore
  private readonly tables: AccountTables

  constructor(store: AccountStore) {
    this.store = store
    this.tables = store.tables
  }

  /** Appends an entry in the transaction of the change itself. */
  add(
    tx: AccountTransaction,
    { by, now }: AuditContext,
    action: AuditAction,
    target: string,
    details?: AuditEntry['details'],
  ): void {
    const [last] = this.tables.audit.getKeys({ reverse: true, limit: 1 })
    const number = String(Number(last ?? 0) + 1).padStart(12, '0')
    tx.put('audit', number, { at: now, by, action, target, ...(details !== undefined && { details }) })
  }

  /** Appends an entry of something that is not stored with the accounts, such as an import. */
  async record(
    context: AuditContext,
    action: AuditAction,
    target: string,
    details?: AuditEntry['details'],
  ): Promise<void> {
    await this.store.commit((tx) => this.add(tx, context, action, target, details))
  }

  /** Iterates over the entries, newest first. */
  *newestFirst(): Iterable<AuditEntry> {
    for (const { value } of this.tables.audit.getRange({ reverse: true })) yield value
  }
}
