import { expect, it } from 'vitest'
import { aMovie, NOW } from '../../../test/support/builders.ts'
import { feedFromRecords } from '../../../test/support/feed.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { importFeed } from '../../ingest/import-feed.ts'
import { LocalLedger } from '../../ledger/local-ledger.ts'
import type { Show } from '../../model/show.ts'

it('a large commit reuses the pages that the one before it has freed', async () => {
  const ledger = new LocalLedger(temporaryFolder())
  const { catalog } = ledger
  const count = 1_500
  const movies = Array.from({ length: count }, () => aMovie())
  const header = { kind: 'feed', source: 'test', mode: 'snapshot' }
  await importFeed(feedFromRecords([header, ...movies]), ledger, { clock: () => NOW })
  /** Writes every show again, and returns the pages of the file. */
  const writeEdition = async (edition: number) => {
    const shows = Array.from({ length: count }, (_, doc) => {
      const show = catalog.show(doc) as Show
      return { ...show, overview: `Edition ${edition} of ${show.title}. `.repeat(20) }
    })
    await ledger.commit(() => [{ at: NOW + edition, shows, changes: [] }])
    return (catalog.environment.root.getStats() as { readonly lastPageNumber: number }).lastPageNumber
  }
  await writeEdition(1)
  const second = await writeEdition(2)
  const third = await writeEdition(3)
  await ledger.close()
  expect(third).toBeLessThan(1.1 * second)
})
