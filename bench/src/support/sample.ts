import { type FeedShow, feedLines, isShow } from './feed.ts'

/** What the questions need to know of a show that is in the catalog. */
export interface SampleShow {
  readonly id: string
  readonly imdbId: string
  readonly tmdbId: string
  readonly showType: 'movie' | 'series'
  readonly title: string
  readonly overview: string
  /** Countries in which it can be watched. */
  readonly countries: readonly string[]
}

/** Shows spread evenly over a feed: at most `size` of them, as many as there are if there are fewer. */
export async function takeSample(feed: string, shows: number, size: number): Promise<SampleShow[]> {
  const step = Math.max(1, Math.floor(shows / size))
  const sample: SampleShow[] = []
  let seen = 0
  for await (const line of feedLines(feed)) {
    if (!isShow(line) || seen++ % step !== 0 || sample.length >= size) continue
    const { id, imdbId, tmdbId, showType, title, overview, streamingOptions } = JSON.parse(line) as FeedShow
    sample.push({ id, imdbId, tmdbId, showType, title, overview, countries: Object.keys(streamingOptions) })
  }
  return sample
}
