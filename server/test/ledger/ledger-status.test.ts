import { expect, it } from 'vitest'
import { readLedgerStatus } from '../../src/ledger/ledger-status.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { NOW } from '../support/builders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aNode, testSchema } from '../support/test-store.ts'

it('names the process that imports into a data directory', async () => {
  const ledger = new LocalLedger(temporaryFolder())
  const look = () => readLedgerStatus(ledger.catalog, ledger.catalog.environment, undefined)
  expect(await look()).toEqual({ kind: 'local', importing: undefined })
  await ledger.tasks.acquire('import', NOW, 'a feed')
  expect(await look()).toMatchObject({ importing: { what: 'a feed', since: NOW, pid: process.pid } })
  await ledger.close()
})

it('names the process that imports into PostgreSQL, on whichever node', async () => {
  const url = await testSchema()
  const [here, elsewhere] = [await aNode(url, temporaryFolder()), await aNode(url, temporaryFolder())]
  const look = () => readLedgerStatus(here.catalog, here.catalog.environment, url)
  expect(await look()).toMatchObject({ kind: 'postgres', connected: true, behind: 0 })
  expect((await look()).importing).toBeUndefined()
  await elsewhere.tasks.acquire('import', NOW, 'a feed')
  expect(await look()).toMatchObject({ importing: { what: 'a feed', since: NOW } })
  await elsewhere.tasks.release('import')
  expect((await look()).importing).toBeUndefined()
  await Promise.all([here.close(), elsewhere.close()])
})

it('says why PostgreSQL cannot be reached', async () => {
  const node = await aNode(await testSchema(), temporaryFolder())
  const status = await readLedgerStatus(node.catalog, node.catalog.environment, 'postgres://127.0.0.1:1/none')
  expect(status).toMatchObject({ kind: 'postgres', connected: false, problem: expect.stringContaining('cannot be') })
  await node.close()
})
