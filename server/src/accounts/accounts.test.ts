import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { openAccounts } from './accounts.ts'
import { openAccountTables } from './store/account-tables.ts'

const NOW = Date.UTC(2026, 2, 15) / 1000
const DAY = 86_400
const act = { by: 'operator', now: NOW } as const

test('pruning deletes expired invitations, and quota counters older than the retention of daily usage', async () => {
  const dir = temporaryFolder()
  const accounts = openAccounts(dir)
  const { tables, close } = openAccountTables(dir)
  onTestFinished(async () => {
    await close()
    await accounts.close()
  })
  await accounts.admin.invite('ann@example.com', act)
  await accounts.admin.invite('bob@example.com', { ...act, now: NOW + 10 * DAY })
  // 400 days before the day of pruning is the 18th of February 2025.
  const periods = ['2025-01', '2025-02', '2025-03', '2025-02-17', '2025-02-18', '2026-03']
  await accounts.quota.add(periods.map((period) => ({ owner: 'pages/a', period, requests: 1 })))

  await accounts.prune(NOW + 20 * DAY - 10 * DAY)
  expect([...tables.invitations.getRange()]).toHaveLength(2)
  await accounts.prune(NOW + 10 * DAY)
  const kept = () => periods.filter((period) => accounts.quota.total('pages/a', period) > 0)
  expect(kept()).toEqual(['2025-02', '2025-03', '2025-02-18', '2026-03'])
  await accounts.prune(NOW + 20 * DAY)
  expect([...tables.invitations.getRange()].map(({ value }) => value.email)).toEqual(['bob@example.com'])
})
