/* Windows start and end on time while a feed is imported: its commits are cut short for them. */
import { expect, it } from 'vitest'
import { importFeed } from '../../src/ingest/import-feed.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { aDelta, aMovie, anOption, aSnapshot, NOW } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const STEP_SECONDS = 0.25
const DUE = NOW + 2

it('applies a window within a second, in the middle of an import', async () => {
  const ledger = new LocalLedger(temporaryFolder())
  try {
    // Every look at the clock takes a quarter of a second: the import takes many seconds of it.
    let now = NOW
    const clock = () => {
      now += STEP_SECONDS
      return Math.floor(now)
    }
    const ending = aMovie({ id: '1', streamingOptions: { us: [anOption({ expiresOn: DUE })] } })
    await importFeed(feedFromRecords(aSnapshot(ending)), ledger, { clock: () => NOW })

    const isLive = () => (ledger.catalog.show(0)?.offers.us ?? []).length > 0
    let appliedAt: number | undefined
    const watched: Ledger = Object.create(ledger, {
      commit: {
        value: async (...parts: Parameters<Ledger['commit']>) => {
          const version = await ledger.commit(...parts)
          if (!isLive()) appliedAt ??= now
          return version
        },
      },
    })
    const shows = Array.from({ length: 640 }, (_, i) =>
      aMovie({ id: String(100 + i), imdbId: `tt9${i}`, tmdbId: `movie/9${i}`, title: `Film ${i}`, overview: '' }),
    )
    await importFeed(feedFromRecords(aDelta(...shows)), watched, { clock })
    expect(now).toBeGreaterThan(DUE + 1)
    expect(appliedAt).toBeGreaterThanOrEqual(DUE)
    expect(appliedAt).toBeLessThanOrEqual(DUE + 1)
  } finally {
    await ledger.close()
  }
})
