import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { Keeper } from './keeper.ts'

it('wakes again though it could not tell when the next window is due', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ledger = new LocalLedger(temporaryFolder())
  onTestFinished(() => ledger.close())
  const errors: unknown[] = []
  let looks = 0
  let asked = 0
  const clock = () => {
    // It is asked first for what is due, then for how long there is to sleep.
    if (++asked === 2) throw new Error('no clock')
    return 1_000_000
  }
  const keeper = new Keeper(ledger, clock, { onError: (error) => errors.push(error), onSettled: () => looks++ })
  keeper.start()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([looks, errors]).toEqual([1, [new Error('no clock')]])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toBeGreaterThan(1)
  await keeper.stop()
})
