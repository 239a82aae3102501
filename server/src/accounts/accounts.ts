import type { MeteredCache } from '../lib/cache.ts'
import { DEFAULT_KEY_PREFIX } from './keys/api-key.ts'
import { KeyStore } from './keys/key-store.ts'
import { PlanStore } from './keys/plan-store.ts'
import { SubscriptionStore } from './keys/subscription-store.ts'
import { AccountAdmin } from './people/account-admin.ts'
import { PasswordResets } from './people/account-mail.ts'
import { AttemptLimiter, KeyChangeLimiter, SignInLimiter } from './people/attempt-limiters.ts'
import { DEFAULT_PASSWORD_COST, type PasswordCost } from './people/credentials.ts'
import { SessionStore } from './people/session-store.ts'
import { UserAccounts } from './people/user-accounts.ts'
import { type AccountStore, AuditLog, deleteExpired, LocalAccountStore } from './store/account-store.ts'
import { AccountsFormatError, openAccountTables } from './store/account-tables.ts'
import { LocalQuotaStore, LocalUsageStore } from './store/local-counters.ts'
import { SavedFeeds, WebhookStore } from './store/push-store.ts'
import type { QuotaStore } from './store/quota-store.ts'
import type { UsageStore } from './store/usage-store.ts'

/** The stores of keys, plans, people, quota counters and usage. */
export interface Accounts {
  readonly keys: KeyStore
  readonly plans: PlanStore
  readonly users: UserAccounts
  readonly admin: AccountAdmin
  readonly sessions: SessionStore
  readonly subscriptions: SubscriptionStore
  readonly feeds: SavedFeeds
  readonly webhooks: WebhookStore
  readonly audit: AuditLog
  readonly changeLimiter: KeyChangeLimiter
  readonly quota: QuotaStore
  readonly usage: UsageStore
  /** Applies all commits of other nodes that were made before this call. */
  refresh(): Promise<void>
  /** Deletes expired rows and counters past their retention. */
  prune(now: number): Promise<void>
  /** Writes a consistent snapshot into an empty folder. */
  backup(dir: string): Promise<void>
  /** The caches, for the metrics. */
  caches(): readonly MeteredCache[]
  close(): Promise<void>
}

/** Options that both local and PostgreSQL accounts take. */
export interface AccountsOptions {
  readonly keyPrefix?: string
  /** The scrypt cost of new passwords. */
  readonly passwordCost?: PasswordCost
}

/** Opens the accounts of a data directory. */
export function openAccounts(dir: string, options: AccountsOptions = {}): Accounts {
  const environment = openAccountTables(dir)
  if (environment.tables.meta.get('ledger') !== undefined) throw new AccountsFormatError(REPLICA_WITHOUT_DATABASE_URL)
  return {
    ...createAccounts(new LocalAccountStore(environment), {
      quota: new LocalQuotaStore(environment),
      usage: new LocalUsageStore(environment),
      ...options,
    }),
    // All processes share these tables, so they are always up to date.
    refresh: async () => {},
    backup: (to) => environment.root.backup(to, true),
    close: () => environment.close(),
  }
}

const REPLICA_WITHOUT_DATABASE_URL =
  'The data directory holds a copy of accounts in PostgreSQL. Set DATABASE_URL to go on with those; ' +
  '`marquee migrate --to DIR` takes them into a directory of their own.'

/** The counters. They are not part of `AccountStore`, as every request increments them. */
interface AccountCounters {
  readonly quota: QuotaStore
  readonly usage: UsageStore
}

/** Creates the stores over an account store and its counters. */
export function createAccounts(
  store: AccountStore,
  {
    quota,
    usage,
    keyPrefix = DEFAULT_KEY_PREFIX,
    passwordCost = DEFAULT_PASSWORD_COST,
  }: AccountsOptions & AccountCounters,
): Omit<Accounts, 'refresh' | 'backup' | 'close'> {
  const audit = new AuditLog(store)
  const plans = new PlanStore(store, audit)
  const sessions = new SessionStore(store)
  const resets = new PasswordResets(store)
  const limiter = new AttemptLimiter(store)
  const keys = new KeyStore(store, plans, audit, keyPrefix)
  return {
    keys,
    plans,
    users: new UserAccounts(store, {
      audit,
      plans,
      sessions,
      resets,
      limiter: new SignInLimiter(store, limiter),
      cost: passwordCost,
    }),
    admin: new AccountAdmin(store, { audit, plans, sessions, resets, keys }),
    sessions,
    subscriptions: new SubscriptionStore(store, keys, keyPrefix),
    feeds: new SavedFeeds(store, audit),
    webhooks: new WebhookStore(store, audit),
    audit,
    changeLimiter: new KeyChangeLimiter(limiter),
    quota,
    usage,
    caches: () => keys.caches(),
    async prune(now) {
      await sessions.prune(now)
      await resets.prune(now)
      await limiter.prune(now)
      await deleteExpired(store, 'invitations', now)
      await quota.prune(now)
      await usage.prune(now)
    },
  }
}
