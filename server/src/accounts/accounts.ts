import { DEFAULT_KEY_PREFIX } from './keys/api-key.ts'
import { KeyStore } from './keys/key-store.ts'
import { SubscriptionStore } from './keys/subscription-store.ts'
import { AttemptLimiter, KeyChangeLimiter } from './metering/attempt-limiter.ts'
import { LocalQuotaStore, type QuotaStore } from './metering/quota-counters.ts'
import { DEFAULT_PASSWORD_COST, type PasswordCost } from './people/password.ts'
import { SessionStore } from './people/session-store.ts'
import { UserAccounts } from './people/user-accounts.ts'
import { PlanStore } from './plans/plan-store.ts'
import { type AccountStore, deleteExpired, LocalAccountStore } from './store/account-store.ts'
import { AccountsFormatError, openAccountTables } from './store/account-tables.ts'
import { AuditLog } from './store/audit-log.ts'
import { LocalUsageStore, type UsageStore } from './usage/usage-store.ts'

/** Everything about keys, plans, people and use. */
export interface Accounts {
  readonly keys: KeyStore
  readonly plans: PlanStore
  readonly users: UserAccounts
  readonly sessions: SessionStore
  readonly subscriptions: SubscriptionStore
  readonly audit: AuditLog
  readonly changeLimiter: KeyChangeLimiter
  readonly quota: QuotaStore
  readonly usage: UsageStore
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
  if (environment.tables.meta.get('ledger') !== undefined) throw new AccountsFormatError(REPLICA_WITHOUT_DATABASE_URL)
  return {
    ...createAccounts(new LocalAccountStore(environment), {
      quota: new LocalQuotaStore(environment),
      usage: new LocalUsageStore(environment),
      ...options,
    }),
    // Whoever changes something does so in these very tables.
    refresh: async () => {},
    backup: (to) => environment.root.backup(to, true),
    close: () => environment.root.close(),
  }
}

const REPLICA_WITHOUT_DATABASE_URL =
  'The data directory holds a copy of accounts in PostgreSQL. Set DATABASE_URL to go on with those; ' +
  '`marquee migrate --to DIR` takes them into a directory of their own.'

/** Counts that are kept apart from the rest, since every request adds to them. */
export interface AccountCounters {
  readonly quota: QuotaStore
  readonly usage: UsageStore
}

/** The accounts on a ledger and its counts, wherever these are. */
export function createAccounts(
  ledger: AccountStore,
  {
    quota,
    usage,
    keyPrefix = DEFAULT_KEY_PREFIX,
    passwordCost = DEFAULT_PASSWORD_COST,
  }: AccountsOptions & AccountCounters,
): Omit<Accounts, 'refresh' | 'backup' | 'close'> {
  const audit = new AuditLog(ledger)
  const plans = new PlanStore(ledger, audit)
  const sessions = new SessionStore(ledger)
  const throttle = new AttemptLimiter(ledger)
  const keys = new KeyStore(ledger, plans, audit, keyPrefix)
  return {
    keys,
    plans,
    users: new UserAccounts(ledger, { audit, plans, sessions, throttle, cost: passwordCost }),
    sessions,
    subscriptions: new SubscriptionStore(ledger, keys, keyPrefix),
    audit,
    changeLimiter: new KeyChangeLimiter(throttle),
    quota,
    usage,
    async prune(now) {
      await sessions.prune(now)
      await throttle.prune(now)
      await deleteExpired(ledger, 'invitations', now)
      await quota.prune(now)
      await usage.prune(now)
    },
  }
}
