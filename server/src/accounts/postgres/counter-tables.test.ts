import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../../test/support/marquee-process.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { testSchema } from '../../../test/support/test-store.ts'
import { openDatabase, ReconnectingSession } from '../../lib/postgres/database.ts'
import { openAccountTables } from '../store/account-tables.ts'
import { CounterFlusher } from './counter-tables.ts'

it('loses no counts when the session is lost while several flushes wait', async () => {
  const url = await testSchema()
  const environment = openAccountTables(join(temporaryFolder(), 'accounts'))
  const link = new ReconnectingSession(url, 'test of counts')
  const blocker = await openDatabase(url, { purpose: 'test' })
  const observer = await openDatabase(url, { purpose: 'test' })
  onTestFinished(async () => {
    await link.close()
    for (const session of [blocker, observer]) await session.close()
    await environment.close()
  })
  const flusher = new CounterFlusher(environment, link)
  const count = (requests: number) => flusher.flush([{ owner: 'a', period: '2026-03', requests }], [])
  await count(1)
  const [{ pid } = {}] = await link.use((one) => one.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))

  await blocker.query('BEGIN')
  await blocker.query('LOCK TABLE marquee_settlers IN EXCLUSIVE MODE')
  const counted = [count(100), count(10)]
  await eventually(async () => {
    const waits = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'`
    return (await observer.query(waits, [pid])).length > 0 || undefined
  })
  // Delays the outbox write beyond the time in which PostgreSQL could answer again.
  const { root } = environment
  const transaction = root.transaction.bind(root)
  root.transaction = ((work: () => unknown) =>
    observer.query('SELECT pg_sleep(0.2)').then(() => transaction(work))) as typeof root.transaction
  await observer.query('SELECT pg_terminate_backend($1, 5000)', [pid])
  await blocker.query('ROLLBACK')
  await Promise.all(counted)
  expect(await count(0)).toEqual([111])
  expect(await observer.query('SELECT requests FROM marquee_quota')).toEqual([{ requests: 111 }])
})
