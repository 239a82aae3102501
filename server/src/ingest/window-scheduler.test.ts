import { expect, it, onTestFinished, vi } from 'vitest'
import { aMovie, anOption, aSnapshot } from '../../test/support/builders.ts'
import { feedFromRecords } from '../../test/support/feed.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { importFeed } from './import-feed.ts'
import { WindowScheduler } from './window-scheduler.ts'

/** The first check comes after half a second, the others a quarter of a second apart. */
const FIRST_CHECK_MS = 500
const NEXT_CHECK_MS = 250

function aLedger(): LocalLedger {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ledger = new LocalLedger(temporaryFolder())
  onTestFinished(async () => {
    vi.useRealTimers()
    await ledger.close()
  })
  return ledger
}

it('checks again after a check has failed', async () => {
  const errors: unknown[] = []
  let runs = 0
  let reads = 0
  const clock = () => {
    // The first check reads the clock twice, so the second check fails.
    if (++reads === 3) throw new Error('no clock')
    return 1_000_000 + reads * 60
  }
  const options = { onError: (error: unknown) => errors.push(error), onRun: () => runs++ }
  const scheduler = new WindowScheduler(aLedger(), clock, options)
  scheduler.start()
  await vi.advanceTimersByTimeAsync(FIRST_CHECK_MS)
  expect([runs, errors]).toEqual([1, []])
  await vi.advanceTimersByTimeAsync(NEXT_CHECK_MS)
  expect([runs, errors]).toEqual([1, [new Error('no clock')]])
  await vi.advanceTimersByTimeAsync(NEXT_CHECK_MS)
  expect([runs, errors.length]).toEqual([2, 1])
  await scheduler.stop()
})

it('applies the window of an imported offer when it is due, and runs only then', async () => {
  const ledger = aLedger()
  let now = 1_800_000_000
  let runs = 0
  const scheduler = new WindowScheduler(ledger, () => now, { onRun: () => runs++ })
  scheduler.start()
  await vi.advanceTimersByTimeAsync(FIRST_CHECK_MS)
  const movie = aMovie({ id: '1', streamingOptions: { us: [anOption({ expiresOn: now + 5 })] } })
  await importFeed(feedFromRecords(aSnapshot(movie)), ledger, { clock: () => now })
  now += 4
  await vi.advanceTimersByTimeAsync(NEXT_CHECK_MS)
  expect([runs, ledger.catalog.counts().offers]).toEqual([1, 1])
  now += 1
  await vi.advanceTimersByTimeAsync(NEXT_CHECK_MS)
  expect([runs, ledger.catalog.counts().offers]).toEqual([2, 0])
  await scheduler.stop()
})
