import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Accounts, openAccounts } from '../accounts/accounts.ts'
import { openPostgresAccounts } from '../accounts/postgres/open-postgres-accounts.ts'
import type { AuditContext } from '../accounts/store/audit-log.ts'
import { readSettings, type Settings } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { assertUsableFolder, forgetManifest } from './backup-manifest.ts'

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
  const settings = readSettings(process.env)
  assertUsableFolder(settings.dataDir)
  const accounts = openServiceAccounts(settings)
  const file = join(settings.dataDir, 'accounts', 'data.mdb')
  const { mtimeMs } = statSync(file)
  try {
    await accounts.refresh()
    await use(accounts, { by: 'operator', now: systemClock() })
  } finally {
    // A backup whose keys were changed is a data folder of its own from now on.
    await accounts.close()
    if (statSync(file).mtimeMs !== mtimeMs) forgetManifest(settings.dataDir)
  }
}
