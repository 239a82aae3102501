import { type FeedOption, type FeedShow, feedLines, isShow, writeFeed } from './feed.ts'

/**
 * Writes a delta about every n-th show of a feed, as a day brings it: of the shows in turn, one has other qualities, one
 * loses an offer, one gets an offer in another country. With `restore` it states the same shows as they were.
 */
export async function writeDelta(feed: string, out: string, everyNth: number, restore = false): Promise<void> {
  await writeFeed(out, deltaLines(feed, everyNth, restore))
}

async function* deltaLines(feed: string, everyNth: number, restore: boolean): AsyncGenerator<string> {
  yield JSON.stringify({ kind: 'feed', source: 'demo', mode: 'delta' })
  let seen = 0
  let altered = 0
  for await (const line of feedLines(feed)) {
    if (!isShow(line) || seen++ % everyNth !== 0) continue
    if (restore) {
      yield line
      continue
    }
    const show = JSON.parse(line) as FeedShow
    ALTERATIONS[altered++ % ALTERATIONS.length]!(show)
    yield JSON.stringify(show)
  }
}

const ALTERATIONS: readonly ((show: FeedShow) => void)[] = [
  (show) => {
    for (const option of optionsOf(show)) option.quality = option.quality === 'uhd' ? 'hd' : 'uhd'
  },
  (show) => {
    const country = Object.keys(show.streamingOptions)[0]
    if (country !== undefined) show.streamingOptions[country]!.pop()
  },
  (show) => {
    const [country, others] = Object.entries(show.streamingOptions)[0] ?? []
    const netflix = optionsOf(show).find(({ service }) => service === 'netflix') ?? others?.[0]
    if (country !== undefined && netflix !== undefined) {
      show.streamingOptions[country]!.push({ ...netflix, link: `${netflix.link ?? 'https://marquee.example'}/again` })
    }
  },
]

function optionsOf(show: FeedShow): FeedOption[] {
  return Object.values(show.streamingOptions).flat()
}
