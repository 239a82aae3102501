import { ReconnectingSession } from '../../lib/postgres/reconnecting-session.ts'
import { openAccountTables } from '../account-tables.ts'
import { type Accounts, type AccountsOptions, accountsOn } from '../accounts.ts'
import { LocalQuotaCounts, type StoredQuotaCounts } from '../quota-counts.ts'
import { LocalUsageBook, type UsageBook } from '../usage-book.ts'
import { PostgresAccountLedger } from './postgres-account-ledger.ts'
import { pruneQuota, pruneUsage } from './prune-counts.ts'
import { Settler } from './settler.ts'

/** Opens the copy of the accounts that a folder holds, and the way to PostgreSQL, which need not be there. */
export function openPostgresAccounts(dir: string, url: string, options: AccountsOptions = {}): Accounts {
  const environment = openAccountTables(dir)
  // What people do must not wait for what is counted, nor the other way round.
  const links = { ledger: new ReconnectingSession(url, 'accounts'), counts: new ReconnectingSession(url, 'counts') }
  const ledger = new PostgresAccountLedger(environment, links.ledger)
  const settler = new Settler(environment, links.counts)
  const [localQuota, localUsage] = [new LocalQuotaCounts(environment), new LocalUsageBook(environment)]
  const quota: StoredQuotaCounts = {
    total: (owner, period) => localQuota.total(owner, period),
    add: (deltas) => settler.settle(deltas, []),
    async prune(now) {
      await localQuota.prune(now)
      await links.counts.use((session) => pruneQuota(session, now))
    },
  }
  const usage: UsageBook = {
    read: (span, keyId, from, to) => localUsage.read(span, keyId, from, to),
    use: (keyId) => localUsage.use(keyId),
    async add(deltas) {
      if (deltas.length > 0) await settler.settle([], deltas)
    },
    async prune(now) {
      await localUsage.prune(now)
      await links.counts.use((session) => pruneUsage(session, now))
    },
  }
  return {
    ...accountsOn(ledger, { quota, usage, ...options }),
    refresh: () => ledger.refresh(),
    backup: (to) => environment.root.backup(to, true),
    close: async () => {
      await links.ledger.close()
      await links.counts.close()
      await environment.root.close()
    },
  }
}
