import { type FeedOption, type FeedShow, isShowLine, readFeedLines, writeFeed } from './feed.ts'

/**
 * Writes a delta feed with every n-th show of a feed. In rotation, a show changes its video quality, loses an offer or
 * gains one. With `restore`, the delta contains the same shows unchanged and so undoes the first one.
 */
export async function writeDelta(feed: string, out: string, everyNth: number, restore = false): Promise<void> {
  await writeFeed(out, deltaLines(feed, everyNth, restore))
}

async function* deltaLines(feed: string, everyNth: number, restore: boolean): AsyncGenerator<string> {
  yield JSON.stringify({ kind: 'feed', source: 'demo', mode: 'delta' })
  let index = 0
  let edited = 0
  for await (const line of readFeedLines(feed)) {
    if (!isShowLine(line) || index++ % everyNth !== 0) continue
    if (restore) {
      yield line
      continue
    }
    const show = JSON.parse(line) as FeedShow
    EDITS[edited++ % EDITS.length]!(show)
    yield JSON.stringify(show)
  }
}

const EDITS: readonly ((show: FeedShow) => void)[] = [
  (show) => {
    for (const option of allOptions(show)) option.quality = option.quality === 'uhd' ? 'hd' : 'uhd'
  },
  (show) => {
    const country = Object.keys(show.streamingOptions)[0]
    if (country !== undefined) show.streamingOptions[country]!.pop()
  },
  (show) => {
    const [country, others] = Object.entries(show.streamingOptions)[0] ?? []
    const netflix = allOptions(show).find(({ service }) => service === 'netflix') ?? others?.[0]
    if (country !== undefined && netflix !== undefined) {
      show.streamingOptions[country]!.push({ ...netflix, link: `${netflix.link ?? 'https://marquee.example'}/again` })
    }
  },
]

function allOptions(show: FeedShow): FeedOption[] {
  return Object.values(show.streamingOptions).flat()
}
