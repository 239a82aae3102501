import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openAccountTables } from './account-tables.ts'

test('one process opens a folder once, so that transactions of two users of it cannot wait for each other', async () => {
  const folder = join(temporaryFolder(), 'accounts')
  const first = openAccountTables(folder)
  const second = openAccountTables(`${folder}/`)
  expect(second.root).toBe(first.root)
  // The asynchronous transaction is under way: a synchronous one of another environment would wait for it for good.
  const counted = first.root.transaction(() => first.tables.quota.put('a', 1))
  second.root.transactionSync(() => second.tables.quota.put('b', 2))
  await counted

  await first.close()
  await first.close()
  expect([...second.tables.quota.getRange()]).toEqual([
    { key: 'a', value: 1 },
    { key: 'b', value: 2 },
  ])
  await second.close()
  const again = openAccountTables(folder)
  expect(again.root).not.toBe(first.root)
  expect(again.tables.quota.get('b')).toBe(2)
  await again.close()
})
