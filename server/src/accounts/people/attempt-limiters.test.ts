import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type AccountStore, LocalAccountStore } from '../store/account-store.ts'
import { openAccountTables } from '../store/account-tables.ts'
import { AttemptLimiter } from './attempt-limiters.ts'

const NOW = 1_000_000

test('attempts beyond the limit are refused without a commit, which would wait for the write lock', async () => {
  const environment = openAccountTables(temporaryFolder(afterAll))
  const store = new LocalAccountStore(environment)
  let commits = 0
  const counting: AccountStore = {
    tables: store.tables,
    revision: () => store.revision(),
    commit: (work) => {
      commits++
      return store.commit(work)
    },
  }
  const limiter = new AttemptLimiter(counting)
  const counters = [
    { name: 'a', limit: { maxAttempts: 2, windowSeconds: 60 } },
    { name: 'b', limit: { maxAttempts: 9, windowSeconds: 60 } },
  ]
  await limiter.consume(counters, NOW)
  await limiter.consume(counters, NOW)
  expect(commits).toBe(2)
  for (let i = 0; i < 3; i++)
    await expect(limiter.consume(counters, NOW)).rejects.toMatchObject({ code: 'too_many_attempts', retryAfter: 60 })
  expect(commits).toBe(2)
  expect(store.tables.attempts.get('b')?.count).toBe(2)
  await limiter.consume(counters, NOW + 60)
  expect(commits).toBe(3)
  await environment.close()
})
