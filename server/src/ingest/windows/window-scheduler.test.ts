import { expect, it, onTestFinished, vi } from 'vitest'
import { aMovie, anOption, aSnapshot } from '../../../test/support/builders.ts'
import { feedFromRecords } from '../../../test/support/feed.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { LocalLedger } from '../../ledger/local-ledger.ts'
import { importFeed } from '../import-feed.ts'
import { WindowScheduler } from './window-scheduler.ts'

/** The first look comes after half a second, the others a second apart. */
const FIRST_LOOK_MS = 500
const NEXT_LOOK_MS = 1_000

function aLedger(): LocalLedger {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ledger = new LocalLedger(temporaryFolder())
  onTestFinished(async () => {
    vi.useRealTimers()
    await ledger.close()
  })
  return ledger
}

it('looks again though a look has failed', async () => {
  const errors: unknown[] = []
  let settled = 0
  let asked = 0
  const clock = () => {
    // The first look asks for the time twice, and so it is the second one that fails.
    if (++asked === 3) throw new Error('no clock')
    return 1_000_000 + asked * 60
  }
  const options = { onError: (error: unknown) => errors.push(error), onSettled: () => settled++ }
  const keeper = new WindowScheduler(aLedger(), clock, options)
  keeper.start()
  await vi.advanceTimersByTimeAsync(FIRST_LOOK_MS)
  expect([settled, errors]).toEqual([1, []])
  await vi.advanceTimersByTimeAsync(NEXT_LOOK_MS)
  expect([settled, errors]).toEqual([1, [new Error('no clock')]])
  await vi.advanceTimersByTimeAsync(NEXT_LOOK_MS)
  expect([settled, errors.length]).toEqual([2, 1])
  await keeper.stop()
})

it('settles what an import brings when it is due, and rests while nothing is', async () => {
  const ledger = aLedger()
  let now = 1_800_000_000
  let settled = 0
  const keeper = new WindowScheduler(ledger, () => now, { onSettled: () => settled++ })
  keeper.start()
  await vi.advanceTimersByTimeAsync(FIRST_LOOK_MS)
  const movie = aMovie({ id: '1', streamingOptions: { us: [anOption({ expiresOn: now + 5 })] } })
  await importFeed(feedFromRecords(aSnapshot(movie)), ledger, { clock: () => now })
  now += 4
  await vi.advanceTimersByTimeAsync(NEXT_LOOK_MS)
  expect([settled, ledger.catalog.counts().offers]).toEqual([1, 1])
  now += 1
  await vi.advanceTimersByTimeAsync(NEXT_LOOK_MS)
  expect([settled, ledger.catalog.counts().offers]).toEqual([2, 0])
  await keeper.stop()
})
