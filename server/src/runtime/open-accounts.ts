import { join } from 'node:path'
import { type Accounts, openAccounts } from '../accounts/accounts.ts'
import { openPostgresAccounts } from '../accounts/postgres/open-postgres-accounts.ts'
import type { AuditContext } from '../accounts/store/audit-log.ts'
import { readSettings, type Settings } from '../config.ts'
import { systemClock } from '../lib/clock.ts'

type AccountSettings = Pick<Settings, 'dataDir' | 'databaseUrl' | 'keyPrefix'>

/** Opens the accounts that the settings name. With PostgreSQL, reads go to the local replica. */
export function openServiceAccounts({ dataDir, databaseUrl, keyPrefix }: AccountSettings): Accounts {
  const folder = join(dataDir, 'accounts')
  if (databaseUrl === undefined) return openAccounts(folder, { keyPrefix })
  return openPostgresAccounts(folder, databaseUrl, { keyPrefix })
}

/** Opens the accounts for a command, up to date, and closes them afterwards. The audit log names the operator. */
export async function withAccounts(
  use: (accounts: Accounts, context: AuditContext) => Promise<void> | void,
): Promise<void> {
  const accounts = openServiceAccounts(readSettings(process.env))
  try {
    await accounts.refresh()
    await use(accounts, { by: 'operator', now: systemClock() })
  } finally {
    await accounts.close()
  }
}
