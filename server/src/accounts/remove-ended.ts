import type { AccountLedger } from './account-ledger.ts'

/** Removes the rows of a table whose time has ended, in one commit. */
export async function removeEnded(
  ledger: AccountLedger,
  table: 'sessions' | 'attempts' | 'invitations',
  now: number,
): Promise<void> {
  const ended: string[] = []
  for (const { key, value } of ledger.tables[table].getRange()) if (value.endsAt <= now) ended.push(key)
  if (ended.length === 0) return
  await ledger.commit((writes) => {
    for (const key of ended) writes.remove(table, key)
  })
}
