import { join } from 'node:path'
import { type Accounts, openAccounts } from '../accounts/accounts.ts'
import { openPostgresAccounts } from '../accounts/postgres/open-postgres-accounts.ts'
import type { Settings } from '../config.ts'

/** The accounts that the settings name. With PostgreSQL they are read from the node's own copy. */
export function openServiceAccounts({
  dataDir,
  databaseUrl,
  keyPrefix,
}: Pick<Settings, 'dataDir' | 'databaseUrl' | 'keyPrefix'>): Accounts {
  const dir = join(dataDir, 'accounts')
  if (databaseUrl === undefined) return openAccounts(dir, { keyPrefix })
  return openPostgresAccounts(dir, databaseUrl, { keyPrefix })
}
