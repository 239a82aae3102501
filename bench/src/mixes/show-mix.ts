import { type Ask, ask } from '../ask.ts'
import { Random } from '../support/random.ts'
import type { SampleShow } from '../support/sample.ts'

const SIZE = 2000
/** Large answers differ less from each other than small ones. */
const LARGE_SIZE = 500

/** Shows by id: spread over the catalog, each by one of its ids in turn, in a country where it can be watched. */
export function showsInACountry(sample: readonly SampleShow[]): Ask[] {
  const random = new Random(11)
  return idsOf(sample).map(({ show, id }) =>
    ask('show', `/shows/${id}`, { country: show.countries.length === 0 ? 'us' : random.pick(show.countries) }),
  )
}

/** The same shows with the options of all countries, of all seasons and episodes: the largest answer that there is. */
export function showsEverywhere(sample: readonly SampleShow[]): Ask[] {
  return spread(idsOf(sample), LARGE_SIZE).map(({ id }) =>
    ask('show', `/shows/${id}`, { series_granularity: 'episode' }),
  )
}

function spread<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(items.length / count))
  return items.filter((_, i) => i % step === 0).slice(0, count)
}

function idsOf(sample: readonly SampleShow[]): { show: SampleShow; id: string }[] {
  return sample.slice(0, SIZE).map((show, i) => {
    const ids = [show.id, show.imdbId, show.tmdbId].filter((id) => id !== '')
    return { show, id: ids[i % ids.length]! }
  })
}
