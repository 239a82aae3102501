import { join } from 'node:path'
import { type Accounts, openAccounts } from '../accounts/accounts.ts'
import type { Settings } from '../config.ts'

/** The accounts that the settings name. */
export function openServiceAccounts({ dataDir, keyPrefix }: Pick<Settings, 'dataDir' | 'keyPrefix'>): Accounts {
  return openAccounts(join(dataDir, 'accounts'), { keyPrefix })
}
