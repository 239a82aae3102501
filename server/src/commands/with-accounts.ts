import type { Accounts } from '../accounts/accounts.ts'
import type { AuditContext } from '../accounts/store/audit-log.ts'
import { readSettings } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { openServiceAccounts } from './open-accounts.ts'

/** Does something with the accounts of the data directory, as the operator. */
export async function withAccounts(
  use: (accounts: Accounts, act: AuditContext) => Promise<void> | void,
): Promise<void> {
  const accounts = openServiceAccounts(readSettings(process.env))
  try {
    await accounts.refresh()
    await use(accounts, { by: 'operator', now: systemClock() })
  } finally {
    await accounts.close()
  }
}

/** An instant as tables show it. */
export function instantText(at: number | undefined): string {
  return at === undefined ? '' : new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
