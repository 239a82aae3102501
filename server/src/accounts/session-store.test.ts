import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { type AccountLedger, LocalAccountLedger } from './account-ledger.ts'
import { AccountProblem } from './account-problem.ts'
import { openAccountTables } from './account-tables.ts'
import { SessionStore } from './session-store.ts'

const NOW = 1_000_000
const WEEK = 7 * 86_400

test('a session that is ended while its renewal waits for its turn stays ended', async () => {
  const environment = openAccountTables(temporaryFolder())
  onTestFinished(() => environment.root.close())
  const ledger = new LocalAccountLedger(environment)
  const sessions = new SessionStore(ledger)
  const { token, session } = await ledger.commit((writes) => sessions.start(writes, 'ann', NOW))

  let goOn = () => {}
  const turn = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const waiting: AccountLedger = {
    tables: ledger.tables,
    revision: () => ledger.revision(),
    commit: async (work) => {
      await turn
      return ledger.commit(work)
    },
  }
  const found = new SessionStore(waiting).find(token, NOW + WEEK)
  await sessions.end(session.id)
  goOn()
  expect(await found).toBeUndefined()
  expect(await sessions.find(token, NOW + WEEK)).toBeUndefined()
})

test('a session goes on as it is while its end cannot be put off', async () => {
  const environment = openAccountTables(temporaryFolder())
  onTestFinished(() => environment.root.close())
  const ledger = new LocalAccountLedger(environment)
  const { token, session } = await ledger.commit((writes) => new SessionStore(ledger).start(writes, 'ann', NOW))
  const away: AccountLedger = {
    tables: ledger.tables,
    revision: () => ledger.revision(),
    commit: () => Promise.reject(new AccountProblem('unavailable', 'Try again soon', 5)),
  }
  const found = await new SessionStore(away).find(token, NOW + WEEK)
  expect([found?.id, found?.endsAt]).toEqual([session.id, session.endsAt])
})
