import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { AccountError, type AccountStore, LocalAccountStore } from '../store/account-store.ts'
import { openAccountTables } from '../store/account-tables.ts'
import { SessionStore } from './session-store.ts'

const NOW = 1_000_000
const WEEK = 7 * 86_400

test('a session that is deleted while its renewal waits stays deleted', async () => {
  const environment = openAccountTables(temporaryFolder())
  onTestFinished(() => environment.close())
  const ledger = new LocalAccountStore(environment)
  const sessions = new SessionStore(ledger)
  const { token, session } = await ledger.commit((writes) => sessions.create(writes, 'ann', NOW))

  let goOn = () => {}
  const turn = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const waiting: AccountStore = {
    tables: ledger.tables,
    revision: () => ledger.revision(),
    commit: async (work) => {
      await turn
      return ledger.commit(work)
    },
  }
  const found = new SessionStore(waiting).find(token, NOW + WEEK)
  await sessions.delete(session.id)
  goOn()
  expect(await found).toBeUndefined()
  expect(await sessions.find(token, NOW + WEEK)).toBeUndefined()
})

test('a session stays valid while it cannot be renewed', async () => {
  const environment = openAccountTables(temporaryFolder())
  onTestFinished(() => environment.close())
  const ledger = new LocalAccountStore(environment)
  const { token, session } = await ledger.commit((writes) => new SessionStore(ledger).create(writes, 'ann', NOW))
  const away: AccountStore = {
    tables: ledger.tables,
    revision: () => ledger.revision(),
    commit: () => Promise.reject(new AccountError('unavailable', 'Try again soon', 5)),
  }
  const found = await new SessionStore(away).find(token, NOW + WEEK)
  expect([found?.id, found?.endsAt]).toEqual([session.id, session.endsAt])
})
