import type { ShowType } from '../model/show.ts'
import type { ShowRecord, TopRecord } from './feed-record.ts'
import type { Market } from './markets.ts'

const RANKS = 10

interface Ranking {
  readonly country: string
  readonly service: string
  readonly showType: ShowType
  readonly ids: string[]
  readonly scores: number[]
}

/** Keeps the ten most looked-for shows of each list while shows pass by, and nothing else. */
export class TopLists {
  private readonly rankings = new Map<string, Map<string, Record<ShowType, Ranking>>>()

  constructor(markets: readonly Market[]) {
    for (const market of markets) {
      const services = new Map<string, Record<ShowType, Ranking>>()
      for (const { service, hasTopList } of market.shelves) {
        if (!hasTopList) continue
        const ranking = (showType: ShowType) => ({ country: market.code, service, showType, ids: [], scores: [] })
        services.set(service, { movie: ranking('movie'), series: ranking('series') })
      }
      this.rankings.set(market.code, services)
    }
  }

  /** Ranks the show wherever it can be watched now. */
  consider(show: ShowRecord): void {
    for (const country in show.streamingOptions) {
      const services = this.rankings.get(country)
      if (services === undefined) continue
      const score = show.popularity[country]?.['1week'] ?? 0
      let last = ''
      for (const option of show.streamingOptions[country] ?? []) {
        if (option.startsOn !== undefined || option.service === last) continue
        last = option.service
        const ranking = services.get(option.service)?.[show.showType]
        if (ranking !== undefined) place(ranking, show.id, score)
      }
    }
  }

  /** The lists as they stand. A list that nothing fits is left out. */
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

function place({ ids, scores }: Ranking, id: string, score: number): void {
  if (ids.length === RANKS && score <= (scores[RANKS - 1] as number)) return
  if (ids.includes(id)) return
  let rank = ids.length
  while (rank > 0 && score > (scores[rank - 1] as number)) rank--
  ids.splice(rank, 0, id)
  scores.splice(rank, 0, score)
  if (ids.length > RANKS) {
    ids.pop()
    scores.pop()
  }
}
