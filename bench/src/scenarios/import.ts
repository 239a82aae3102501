import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenario } from '../context.ts'
import { measureDisk } from '../data/catalog.ts'
import { type FeedShow, isShowLine, readFeedLines, timeParsing, writeFeed } from '../data/feed.ts'
import { runMarquee, timeImport } from '../lib/marquee-cli.ts'
import { logProgress } from '../lib/output.ts'

/** Imports into an empty catalog, of an unchanged feed and of a delta. */
export const importScenario: Scenario = {
  name: 'import',
  description: 'import rate, peak memory and disk space',
  async run(context) {
    const catalog = await context.catalog()
    const scratch = mkdtempSync(join(catalog.folder, 'import-'))
    try {
      const data = join(scratch, 'data')
      const parseSeconds = await timeParsing(catalog.feed)
      const first = await timeImport('first import', catalog.feed, data)
      const diskBytes = measureDisk(data)
      const unchanged = await timeImport('same feed again', catalog.feed, data)
      const delta = await timeImport('delta of 1 %', catalog.delta, data)
      const diskBytesWithoutOffers = await importWithoutOffers(catalog.feed, scratch)
      return { kind: 'import', imports: [first, unchanged, delta], parseSeconds, diskBytes, diskBytesWithoutOffers }
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  },
}

/** Imports the same shows without offers and returns the disk space; the difference is the space of the offers. */
async function importWithoutOffers(feed: string, scratch: string): Promise<number> {
  const stripped = join(scratch, 'without-offers.ndjson.gz')
  const data = join(scratch, 'without-offers')
  logProgress('import: the same shows without offers')
  await writeFeed(stripped, linesWithoutOffers(feed))
  await runMarquee(['import', stripped, '--json'], data)
  return measureDisk(data)
}

async function* linesWithoutOffers(feed: string): AsyncGenerator<string> {
  for await (const line of readFeedLines(feed)) {
    if (!isShowLine(line)) {
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
