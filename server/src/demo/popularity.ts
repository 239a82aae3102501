import type { FeedPopularity } from './feed-record.ts'
import type { Random } from './random.ts'

/** A figure such as a show's audience is: a few very large, most small. */
export function zipfLike(random: Random, least: number, most: number): number {
  return Math.min(most, Math.floor(least / (random.next() + least / most)))
}

/** How much the show was looked for in each country, over each span of time. */
export function popularityIn(
  random: Random,
  countries: readonly string[],
  base: number,
  recent: number,
): FeedPopularity {
  const popularity: FeedPopularity = {}
  for (const country of countries) {
    const alltime = Math.max(1, Math.floor(base * (0.25 + 1.5 * random.next())))
    const year = Math.floor(alltime * recent * (0.1 + 0.5 * random.next()))
    const month = Math.floor(year * (0.04 + 0.16 * random.next()))
    const week = Math.floor(month * (0.1 + 0.4 * random.next()))
    popularity[country] = { alltime, '1year': year, '1month': month, '1week': week }
  }
  return popularity
}
