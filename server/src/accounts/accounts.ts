import { AccountAccess } from './account-access.ts'
import { type AccountLedger, LocalAccountLedger } from './account-ledger.ts'
import { AccountsFormatError, openAccountTables } from './account-tables.ts'
import { DEFAULT_KEY_PREFIX } from './api-key.ts'
import { AuditLog } from './audit-log.ts'
import { ChangeLimit } from './change-limit.ts'
import { KeyStore } from './key-store.ts'
import { type PasswordCost, USUAL_COST } from './password.ts'
import { PlanBook } from './plan-book.ts'
import { LocalQuotaCounts, type StoredQuotaCounts } from './quota-counts.ts'
import { removeEnded } from './remove-ended.ts'
import { SessionStore } from './session-store.ts'
import { Subscriptions } from './subscriptions.ts'
import { Throttle } from './throttle.ts'
import { LocalUsageBook, type UsageBook } from './usage-book.ts'

/** Everything about keys, plans, people and use. */
export interface Accounts {
  readonly keys: KeyStore
  readonly plans: PlanBook
  readonly access: AccountAccess
  readonly sessions: SessionStore
  readonly subscriptions: Subscriptions
  readonly audit: AuditLog
  readonly changes: ChangeLimit
  readonly quota: StoredQuotaCounts
  readonly usage: UsageBook
  /** Brings what is read up to all that was changed before, on whatever machine. */
  refresh(): Promise<void>
  /** Lets go of what is too old to be of use. */
  prune(now: number): Promise<void>
  /** Copies everything, as it is at one instant, into an empty folder. */
  backup(dir: string): Promise<void>
  close(): Promise<void>
}

export interface AccountsOptions {
  readonly keyPrefix?: string
  /** How much work it takes to guess a password of accounts that are made from now on. */
  readonly passwordCost?: PasswordCost
}

/** Opens the accounts that a folder holds. */
export function openAccounts(dir: string, options: AccountsOptions = {}): Accounts {
  const environment = openAccountTables(dir)
  if (environment.tables.meta.get('ledger') !== undefined) throw new AccountsFormatError(COPIED_ACCOUNTS)
  return {
    ...accountsOn(new LocalAccountLedger(environment), {
      quota: new LocalQuotaCounts(environment),
      usage: new LocalUsageBook(environment),
      ...options,
    }),
    // Whoever changes something does so in these very tables.
    refresh: async () => {},
    backup: (to) => environment.root.backup(to, true),
    close: () => environment.root.close(),
  }
}

const COPIED_ACCOUNTS =
  'The data directory holds a copy of accounts in PostgreSQL. Set DATABASE_URL to go on with those; ' +
  '`marquee migrate --to DIR` takes them into a directory of their own.'

/** Counts that are kept apart from the rest, since every request adds to them. */
export interface AccountCounts {
  readonly quota: StoredQuotaCounts
  readonly usage: UsageBook
}

/** The accounts on a ledger and its counts, wherever these are. */
export function accountsOn(
  ledger: AccountLedger,
  { quota, usage, keyPrefix = DEFAULT_KEY_PREFIX, passwordCost = USUAL_COST }: AccountsOptions & AccountCounts,
): Omit<Accounts, 'refresh' | 'backup' | 'close'> {
  const audit = new AuditLog(ledger)
  const plans = new PlanBook(ledger, audit)
  const sessions = new SessionStore(ledger)
  const throttle = new Throttle(ledger)
  const keys = new KeyStore(ledger, plans, audit, keyPrefix)
  return {
    keys,
    plans,
    access: new AccountAccess(ledger, { audit, plans, sessions, throttle, cost: passwordCost }),
    sessions,
    subscriptions: new Subscriptions(ledger, keys, keyPrefix),
    audit,
    changes: new ChangeLimit(throttle),
    quota,
    usage,
    async prune(now) {
      await sessions.prune(now)
      await throttle.prune(now)
      await removeEnded(ledger, 'invitations', now)
      await quota.prune(now)
      await usage.prune(now)
    },
  }
}
