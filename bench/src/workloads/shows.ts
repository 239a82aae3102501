import type { SampleShow } from '../data/feed.ts'
import { Random } from '../lib/random.ts'
import { type ApiRequest, apiRequest, takeFresh } from './api-request.ts'

const SIZE = 2000
/** Fewer requests for large responses, which vary less. */
const LARGE_RESPONSE_SIZE = 500

/** Shows by own id, IMDb id or TMDB id in rotation, each in a country where it is available. */
export function showsInOneCountry(sample: readonly SampleShow[]): ApiRequest[] {
  const random = new Random(11)
  return selectIds(sample).map(({ show, id }) =>
    apiRequest('show', `/shows/${id}`, { country: show.countries.length === 0 ? 'us' : random.pick(show.countries) }),
  )
}

/** Shows with the options of all countries, seasons and episodes: the largest responses of the API. */
export function showsInAllCountries(sample: readonly SampleShow[]): ApiRequest[] {
  return takeEvenly(selectIds(sample), LARGE_RESPONSE_SIZE).map(({ id }) =>
    apiRequest('show', `/shows/${id}`, { series_granularity: 'episode' }),
  )
}

/** Ids of one request for many shows. */
const IDS_PER_REQUEST = 100

/** Fewer than of others, since their URLs are long, and more than a round can send. */
const FRESH_LISTS = 16_000

/** Requests for a hundred shows each, in one country, by ids of all kinds; the lists were never sent before. */
export function manyShows(sample: readonly SampleShow[]): () => ApiRequest[] {
  const random = new Random(12)
  const ids = selectIds(sample).map(({ id }) => id)
  return takeFresh(() => {
    const list = new Set<string>()
    while (list.size < Math.min(IDS_PER_REQUEST, ids.length)) list.add(random.pick(ids))
    return apiRequest('show', '/shows', { ids: [...list].join(), country: 'us', series_granularity: 'show' })
  }, FRESH_LISTS)
}

/** Shows that resemble others, in one country. */
export function similarShows(sample: readonly SampleShow[]): ApiRequest[] {
  return selectIds(sample).map(({ id }) => apiRequest('show', `/shows/${id}/similar`, { country: 'us' }))
}

function takeEvenly<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(items.length / count))
  return items.filter((_, i) => i % step === 0).slice(0, count)
}

function selectIds(sample: readonly SampleShow[]): { show: SampleShow; id: string }[] {
  return sample.slice(0, SIZE).map((show, i) => {
    const ids = [show.id, show.imdbId, show.tmdbId].filter((id) => id !== '')
    return { show, id: ids[i % ids.length]! }
  })
}
