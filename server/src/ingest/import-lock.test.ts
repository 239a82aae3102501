import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { TaskHolder } from '../ledger/ledger.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { ImportLockedError, withImportLock } from './import-lock.ts'

let ledger: LocalLedger

beforeEach(() => {
  ledger = new LocalLedger(temporaryFolder())
})
afterEach(() => ledger.close())

describe('withImportLock', () => {
  const first = { what: 'first.ndjson', now: 1_000 }
  const second = { what: 'second.ndjson', now: 2_000 }

  it('makes a second importer wait for the first, and passes it the holder of the lock', async () => {
    const order: string[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = withImportLock(ledger, first, async () => {
      await released
      order.push('first')
    })
    let reported: TaskHolder | undefined
    const onWait = (holder: TaskHolder) => {
      reported = holder
      release()
    }
    await withImportLock(ledger, { ...second, onWait }, async () => void order.push('second'))
    await held
    expect(reported).toMatchObject({ pid: process.pid, what: 'first.ndjson', since: 1_000 })
    expect(order).toEqual(['first', 'second'])
    expect(await ledger.tasks.holder('import')).toBeUndefined()
  })

  it('fails at once and names the holder if the caller does not wait', async () => {
    await withImportLock(ledger, first, async () => {
      const refused = withImportLock(ledger, second, async () => {})
      await expect(refused).rejects.toThrow(ImportLockedError)
      await expect(refused).rejects.toThrow(`process ${process.pid} has been importing first.ndjson`)
    })
  })

  it('is released when the work fails', async () => {
    const failing = withImportLock(ledger, first, () => Promise.reject(new Error('broken')))
    await expect(failing).rejects.toThrow('broken')
    expect(await withImportLock(ledger, second, async () => 'done')).toBe('done')
  })

  it('is not held by a process that died, or by another one with the same pid', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(child, 'exit')
    const { meta } = ledger.catalog.environment
    for (const pid of [child.pid as number, process.pid]) {
      const holder: TaskHolder = { host: 'here', pid, started: 'long ago', since: 0, what: 'lost.ndjson' }
      ledger.catalog.environment.root.transactionSync(() => meta.putSync('task import', holder))
      expect(await ledger.tasks.holder('import')).toBeUndefined()
      expect(await withImportLock(ledger, second, async () => 'done')).toBe('done')
    }
  })
})
