import { ReconnectingSession } from '../../lib/postgres/reconnecting-session.ts'
import { type Accounts, type AccountsOptions, createAccounts } from '../accounts.ts'
import { LocalQuotaStore, type QuotaStore } from '../metering/quota-counters.ts'
import { openAccountTables } from '../store/account-tables.ts'
import { LocalUsageStore, type UsageStore } from '../usage/usage-store.ts'
import { CounterFlusher } from './counter-flusher.ts'
import { pruneQuota, pruneUsage } from './counter-tables.ts'
import { PostgresAccountStore } from './postgres-account-store.ts'

/** Opens the copy of the accounts that a folder holds, and the way to PostgreSQL, which need not be there. */
export function openPostgresAccounts(dir: string, url: string, options: AccountsOptions = {}): Accounts {
  const environment = openAccountTables(dir)
  // What people do must not wait for what is counted, nor the other way round.
  const links = { ledger: new ReconnectingSession(url, 'accounts'), counts: new ReconnectingSession(url, 'counts') }
  const ledger = new PostgresAccountStore(environment, links.ledger)
  const settler = new CounterFlusher(environment, links.counts)
  const [localQuota, localUsage] = [new LocalQuotaStore(environment), new LocalUsageStore(environment)]
  const quota: QuotaStore = {
    total: (owner, period) => localQuota.total(owner, period),
    add: (deltas) => settler.flush(deltas, []),
    async prune(now) {
      await localQuota.prune(now)
      await links.counts.use((session) => pruneQuota(session, now))
    },
  }
  const usage: UsageStore = {
    read: (span, keyId, from, to) => localUsage.read(span, keyId, from, to),
    lastUse: (keyId) => localUsage.lastUse(keyId),
    async add(deltas) {
      if (deltas.length > 0) await settler.flush([], deltas)
    },
    async prune(now) {
      await localUsage.prune(now)
      await links.counts.use((session) => pruneUsage(session, now))
    },
  }
  return {
    ...createAccounts(ledger, { quota, usage, ...options }),
    refresh: () => ledger.refresh(),
    backup: (to) => environment.root.backup(to, true),
    close: async () => {
      await links.ledger.close()
      await links.counts.close()
      await environment.root.close()
    },
  }
}
