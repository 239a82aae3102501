import { ReconnectingSession } from '../../lib/postgres/reconnecting-session.ts'
import { type Accounts, type AccountsOptions, createAccounts } from '../accounts.ts'
import { openAccountTables } from '../store/account-tables.ts'
import { LocalQuotaStore, LocalUsageStore } from '../store/local-counters.ts'
import type { QuotaStore } from '../store/quota-store.ts'
import type { UsageStore } from '../store/usage-store.ts'
import { accountsCluster } from './account-replica.ts'
import { CounterFlusher } from './counter-flusher.ts'
import { pruneQuota, pruneUsage } from './counter-tables.ts'
import { PostgresAccountStore } from './postgres-account-store.ts'

/** Opens the replica of the accounts in a folder, and sessions to PostgreSQL, which may be unavailable. */
export function openPostgresAccounts(dir: string, url: string, options: AccountsOptions = {}): Accounts {
  const environment = openAccountTables(dir)
  // Two sessions, so that commits and counter flushes do not wait for each other.
  const cluster = accountsCluster(environment)
  const sessions = {
    ledger: new ReconnectingSession(url, 'accounts', cluster),
    counts: new ReconnectingSession(url, 'counts', cluster),
  }
  const ledger = new PostgresAccountStore(environment, sessions.ledger)
  const flusher = new CounterFlusher(environment, sessions.counts)
  const [localQuota, localUsage] = [new LocalQuotaStore(environment), new LocalUsageStore(environment)]
  const quota: QuotaStore = {
    total: (owner, period) => localQuota.total(owner, period),
    add: (deltas) => flusher.flush(deltas, []),
    async prune(now) {
      await localQuota.prune(now)
      await sessions.counts.use((session) => pruneQuota(session, now))
    },
  }
  const usage: UsageStore = {
    read: (span, keyId, from, to) => localUsage.read(span, keyId, from, to),
    lastUse: (keyId) => localUsage.lastUse(keyId),
    async add(deltas) {
      if (deltas.length > 0) await flusher.flush([], deltas)
    },
    async prune(now) {
      await localUsage.prune(now)
      await sessions.counts.use((session) => pruneUsage(session, now))
    },
  }
  return {
    ...createAccounts(ledger, { quota, usage, ...options }),
    refresh: () => ledger.refresh(),
    backup: (to) => environment.root.backup(to, true),
    close: async () => {
      await sessions.ledger.close()
      await sessions.counts.close()
      await environment.close()
    },
  }
}
