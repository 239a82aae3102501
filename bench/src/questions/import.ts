import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Question } from '../question.ts'
import { type Catalog, diskUse } from '../support/catalog.ts'
import { outputOf } from '../support/child.ts'
import { type FeedShow, feedLines, isShow, writeFeed } from '../support/feed.ts'
import { startMarquee } from '../support/marquee-command.ts'
import { say } from '../support/progress.ts'
import { bytes, figure } from '../support/table.ts'
import { timedImport } from '../support/timed-import.ts'

/** Filling an empty catalog, and bringing it up to date. */
export const importing: Question = {
  name: 'import',
  asks: 'How fast is an import, what memory does it take, and how large is the catalog?',
  async find(bench) {
    const catalog = await bench.catalog()
    const scratch = mkdtempSync(join(catalog.folder, 'import-'))
    try {
      const data = join(scratch, 'data')
      const first = await timedImport('first import', catalog.feed, data)
      const disk = diskUse(data)
      const again = await timedImport('the same feed again', catalog.feed, data)
      const delta = await timedImport("a day's delta (1 %)", catalog.delta, data)
      const withoutOffers = await diskWithoutOffers(catalog, scratch)
      const perOffer = { all: disk / first.offers, offersAlone: (disk - withoutOffers) / first.offers }
      return {
        tables: [
          {
            title: 'Import',
            head: ['', 'shows', 'offers', 'seconds', 'shows/s', 'offers/s', 'peak resident', 'peak anonymous'],
            rows: [first, again, delta].map(({ name, shows, offers, seconds, memory }) => [
              name,
              shows.toLocaleString('en'),
              offers.toLocaleString('en'),
              figure(seconds),
              figure(shows / seconds),
              figure(offers / seconds),
              bytes(memory.resident),
              bytes(memory.anonymous),
            ]),
            notes: [
              `On disk: ${bytes(disk)}, ${bytes(perOffer.all)} for each offer with all that there is to its show;`,
              `${bytes(perOffer.offersAlone)} for each offer alone, without the texts, images and indexes of shows.`,
            ],
          },
        ],
        figures: { first, again, delta, disk, diskWithoutOffers: withoutOffers, bytesPerOffer: perOffer },
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  },
}

/** What the same shows take on disk if nobody offers them: the difference is what offers take. */
async function diskWithoutOffers({ feed }: Catalog, scratch: string): Promise<number> {
  const bare = join(scratch, 'without-offers.ndjson.gz')
  const data = join(scratch, 'without-offers')
  say('import: the same shows without offers, to tell what offers take on disk')
  await writeFeed(bare, linesWithoutOffers(feed))
  await outputOf(startMarquee(['import', bare, '--json'], data), 'marquee import')
  return diskUse(data)
}

async function* linesWithoutOffers(feed: string): AsyncGenerator<string> {
  for await (const line of feedLines(feed)) {
    if (!isShow(line)) {
      yield line
      continue
    }
    const show = JSON.parse(line) as FeedShow
    show.streamingOptions = {}
    for (const season of show.seasons ?? []) {
      season.streamingOptions = {}
      for (const episode of season.episodes ?? []) episode.streamingOptions = {}
    }
    yield JSON.stringify(show)
  }
}
