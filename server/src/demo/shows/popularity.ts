import type { ShowType } from '../../model/show.ts'
import type { FeedPopularity, ShowRecord, TopRecord } from '../feed-records.ts'
import type { Market } from '../market/markets.ts'
import type { Random } from '../random.ts'

/** Picks a number with a Zipf-like distribution: most are near `min`, a few near `max`. */
export function randomZipf(random: Random, min: number, max: number): number {
  return Math.min(max, Math.floor(min / (random.next() + min / max)))
}

/** Generates the popularity of a show by country and time span. `recent` scales all spans but `alltime`. */
export function generatePopularity(
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

const TOP_LIST_SIZE = 10

interface Ranking {
  readonly country: string
  readonly service: string
  readonly showType: ShowType
  readonly ids: string[]
  readonly scores: number[]
}

/** Collects the ten most popular shows of each country, service and show type. */
export class TopLists {
  private readonly rankings = new Map<string, Map<string, Record<ShowType, Ranking>>>()

  constructor(markets: readonly Market[]) {
    for (const market of markets) {
      const services = new Map<string, Record<ShowType, Ranking>>()
      for (const { id: service, hasTopList } of market.services) {
        if (!hasTopList) continue
        const ranking = (showType: ShowType) => ({ country: market.code, service, showType, ids: [], scores: [] })
        services.set(service, { movie: ranking('movie'), series: ranking('series') })
      }
      this.rankings.set(market.code, services)
    }
  }

  /** Ranks the show in every list whose service offers it now. */
  add(show: ShowRecord): void {
    for (const country in show.streamingOptions) {
      const services = this.rankings.get(country)
      if (services === undefined) continue
      const score = show.popularity[country]?.['1week'] ?? 0
      let last = ''
      for (const option of show.streamingOptions[country] ?? []) {
        if (option.startsOn !== undefined || option.service === last) continue
        last = option.service
        const ranking = services.get(option.service)?.[show.showType]
        if (ranking !== undefined) insertRanked(ranking, show.id, score)
      }
    }
  }

  /** Generates a record for every list that is not empty. */
  *records(): Generator<TopRecord> {
    for (const services of this.rankings.values()) {
      for (const { movie, series } of services.values()) {
        for (const { country, service, showType, ids } of [movie, series]) {
          if (ids.length > 0) yield { kind: 'top', country, service, showType, shows: [...ids] }
        }
      }
    }
  }
}

function insertRanked({ ids, scores }: Ranking, id: string, score: number): void {
  if (ids.length === TOP_LIST_SIZE && score <= (scores[TOP_LIST_SIZE - 1] as number)) return
  if (ids.includes(id)) return
  let rank = ids.length
  while (rank > 0 && score > (scores[rank - 1] as number)) rank--
  ids.splice(rank, 0, id)
  scores.splice(rank, 0, score)
  if (ids.length > TOP_LIST_SIZE) {
    ids.pop()
    scores.pop()
  }
}
