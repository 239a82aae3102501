import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

type Json = Record<string, unknown>

/** A deterministic sequence: the same numbers in every run. */
function* sequence(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    yield state
  }
}

const WORDS = 'night garden heat ghost matrix gravity parasite inception zebra Ägypten été 千尋 기생충 river'.split(' ')

describe('a catalog that grew feed by feed', async () => {
  const numbers = sequence(7)
  const pick = <T>(list: readonly T[]): T => list[(numbers.next().value >>> 8) % list.length] as T
  const upTo = (most: number) => (numbers.next().value >>> 8) % most
  const title = () => Array.from({ length: 1 + upTo(3) }, () => pick(WORDS)).join(' ')
  const popularity = () => ({ alltime: upTo(40), '1year': upTo(40), '1month': upTo(5), '1week': upTo(1000) })
  const options = () => {
    const one = () => {
      const [service, type] = pick([
        ['netflix', 'subscription'],
        ['prime', 'rent'],
        ['prime', 'free'],
        ['mubi', 'subscription'],
        ['tubi', 'free'],
      ] as const)
      return anOption({ service, type, link: `https://${service}.test/${upTo(1000)}`, availableSince: 1_700_000_000 })
    }
    const list = (most: number) => Array.from({ length: upTo(most) }, one)
    return { us: [one(), ...list(2)], ...(upTo(3) === 0 && { tr: [anOption({ service: 'mubi' })] }) }
  }
  const aShow = (id: number): Json => {
    const make = id % 5 === 0 ? aSeries : aMovie
    return make({
      id: String(id),
      title: title(),
      originalTitle: title(),
      overview: `${title()} ${title()}`,
      ...(id % 5 === 0 ? { firstAirYear: 1950 + upTo(70), seasons: undefined } : { releaseYear: 1950 + upTo(70) }),
      rating: upTo(101),
      genres: [...new Set([pick(['action', 'comedy', 'crime']), pick(['drama', 'horror', 'scifi'])])],
      originalLanguage: pick(['en', 'fr', 'ko']),
      translations: upTo(2) === 0 ? { es: { title: title(), overview: title() } } : {},
      popularity: { us: popularity(), tr: popularity() },
      streamingOptions: options(),
    })
  }

  // Eight feeds add, change and remove shows; then one feed fills a second catalog with what is left.
  const shows = new Map<number, Json>()
  for (let id = 1; id <= 320; id++) shows.set(id, aShow(id))
  const grown = await aRunningService(aSnapshot(...shows.values()))
  let nextId = 321
  const gone: number[] = []
  for (let round = 0; round < 8; round++) {
    const altered = new Set(Array.from({ length: 40 }, () => pick([...shows.keys()])))
    const removed = new Set(Array.from({ length: 8 }, () => pick([...shows.keys()])).filter((id) => !altered.has(id)))
    // Some are new, some come back.
    const added = [...gone.splice(0, 3), ...Array.from({ length: 6 }, () => nextId++)]
    for (const id of removed) {
      shows.delete(id)
      gone.push(id)
    }
    for (const id of [...altered, ...added]) shows.set(id, aShow(id))
    const records = [...altered, ...added].map((id) => shows.get(id) as Json)
    const removals = [...removed].map((id) => ({ kind: 'remove', id: String(id) }))
    const { noticeList } = await grown.import(aDelta(...records, ...removals))
    expect(noticeList).toEqual([])
  }
  const fresh = await aRunningService(aSnapshot(...shows.values()))

  const FILTERS = '/shows/search/filters?country=us'
  const orders = ['original_title', 'release_date', 'rating', 'popularity_alltime', 'popularity_1week'].flatMap(
    (order) => ['asc', 'desc'].map((direction) => `${FILTERS}&order_by=${order}&order_direction=${direction}`),
  )

  it.each([
    ...orders,
    '/shows/search/filters?country=tr&order_by=popularity_1month',
    ...['netflix', 'prime.rent', 'prime.free', 'mubi', 'tubi'].map((catalogs) => `${FILTERS}&catalogs=${catalogs}`),
    ...['action', 'horror', 'crime,drama'].map((genres) => `${FILTERS}&genres=${genres}`),
    ...['rating_min=90', 'year_max=1960', 'show_type=series', 'show_original_language=ko'].map(
      (filter) => `${FILTERS}&${filter}`,
    ),
    ...['gar', 'zebra', 'agypten', 'ete river'].map((word) => `${FILTERS}&keyword=${word}`),
    `${FILTERS}&keyword=ghost&output_language=es`,
  ])('answers as one that was filled at once: %s', async (path) => {
    const expected = await fresh.allShows(path)
    expect(expected.shows.length).toBeGreaterThan(0)
    const actual = await grown.allShows(path)
    expect(actual.shows.map(({ id }) => id)).toEqual(expected.shows.map(({ id }) => id))
    expect(actual).toEqual(expected)
  })

  it.each(['heat', 'night garden', 'gost', 'gravty', 'parsaite', 'incepton', 'agypten', '千尋', 'z'])(
    'finds the same titles: %s',
    async (phrase) => {
      const path = `/shows/search/title?country=us&title=${encodeURIComponent(phrase)}`
      const expected = (await fresh.get(path)).body
      expect(expected.length).toBeGreaterThan(0)
      expect((await grown.get(path)).body).toEqual(expected)
    },
  )

  it('holds the same shows', async () => {
    for (const id of [...shows.keys()].slice(-60)) {
      expect((await grown.get(`/shows/${id}`)).text).toBe((await fresh.get(`/shows/${id}`)).text)
    }
  })
})
