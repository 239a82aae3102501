import type { AccountStore, AccountTransaction } from './account-store.ts'
import type { AccountTables, Actor, AuditAction, AuditEntry } from './account-tables.ts'

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
