import type { AccountStore, AccountTransaction } from './account-store.ts'
import type { AccountTables } from './account-tables.ts'

/** Who did something: the operator at the command line, the marketplace, the service itself, or an account's owner. */
export type Actor = 'operator' | 'marketplace' | 'service' | `account:${string}`

/** What can be done that is worth remembering. */
export type AuditAction =
  | 'account.created'
  | 'account.password_changed'
  | 'account.plan_changed'
  | 'invitation.created'
  | 'key.created'
  | 'key.changed'
  | 'key.plan_changed'
  | 'key.rotated'
  | 'key.revoked'
  | 'plan.set'
  | 'plan.removed'

/** One line of the log. */
export interface AuditEntry {
  readonly at: number
  readonly by: Actor
  readonly action: AuditAction
  /** The id of what it was done to, or the name of a plan. */
  readonly target: string
  /** What was altered, never a secret. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** An act that changes accounts or keys: who does it, and when. */
export interface AuditContext {
  readonly by: Actor
  readonly now: number
}

/** Who created, changed and ended what and when. Entries are added with what they tell of, and never altered. */
export class AuditLog {
  private readonly tables: AccountTables

  constructor({ tables }: AccountStore) {
    this.tables = tables
  }

  /** Adds an entry, in the same commit as what it tells of. */
  add(
    writes: AccountTransaction,
    { by, now }: AuditContext,
    action: AuditAction,
    target: string,
    details?: AuditEntry['details'],
  ): void {
    const [last] = this.tables.audit.getKeys({ reverse: true, limit: 1 })
    const number = String(Number(last ?? 0) + 1).padStart(12, '0')
    writes.put('audit', number, { at: now, by, action, target, ...(details !== undefined && { details }) })
  }

  /** The entries, newest first. */
  *newestFirst(): Iterable<AuditEntry> {
    for (const { value } of this.tables.audit.getRange({ reverse: true })) yield value
  }
}
