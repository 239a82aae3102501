import { Marquee } from 'marquee-client'
import { expect, it } from 'vitest'
import { browseCountsQuery } from '../../data/queries.ts'
import { type BrowseFilters, filtersAsParameters, filtersAsQuery, NO_FILTERS, readFilters } from './browse-filters.ts'

const ALL: BrowseFilters = {
  ways: 'all',
  catalogs: ['netflix', 'prime.addon.starz'],
  showType: 'series',
  genres: ['crime', 'drama'],
  genresRelation: 'or',
  originalLanguage: 'ko',
  yearMin: 1990,
  yearMax: 2020,
  ratingMin: 0,
  ratingMax: 100,
  runtimeMin: 60,
  runtimeMax: 120,
  audios: ['de', 'deu'],
  subtitles: ['en-cc', 'es'],
  qualityMin: 'uhd',
  priceMax: '3.99',
  leaving: 'week',
  keyword: 'heist, & more',
  people: ['Al Pacino', 'Renée Zellweger'],
  orderBy: 'release_date',
  orderDirection: 'desc',
}

const VIEWER = { country: 'gb', language: 'fr' } as const

function asAddress(filters: BrowseFilters): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filtersAsQuery(filters))) {
    if (value !== undefined && String(value) !== '') query.set(name, String(value))
  }
  return query
}

it('reads from an address what was written into it', () => {
  expect(readFilters(asAddress(ALL))).toEqual(ALL)
  expect(readFilters(asAddress(NO_FILTERS))).toEqual(NO_FILTERS)
})

it('writes nothing of what is as usual', () => {
  expect([...asAddress(NO_FILTERS)]).toEqual([])
})

it('passes over what cannot be understood', () => {
  const query = new URLSearchParams(
    'show_type=book&year_min=abc&rating_max=-3&order_by=price&genres=,,&genres_relation=xor&audios=klingonese,qqq&price_max=cheap&quality_min=8k&leaving=now',
  )
  expect(readFilters(query)).toEqual(NO_FILTERS)
})

it('brings numbers back to their limits, and turns a range that is upside down', () => {
  const query = new URLSearchParams('rating_min=500&year_min=2020&year_max=1&show_original_language=zz')
  expect(readFilters(query)).toEqual({ ...NO_FILTERS, ratingMin: 100, yearMin: 1880, yearMax: 2020 })
})

it('asks the API for what is set, and for nothing else', () => {
  expect(filtersAsParameters(ALL, VIEWER)).toMatchObject({
    country: 'gb',
    outputLanguage: 'fr',
    catalogs: ['netflix', 'prime.addon.starz'],
    genresRelation: 'or',
    showOriginalLanguage: 'ko',
    ratingMin: 0,
    keyword: 'heist, & more',
    people: ['Al Pacino', 'Renée Zellweger'],
    runtimeMin: 60,
    runtimeMax: 120,
    audios: ['de', 'deu'],
    subtitles: ['en-cc', 'es'],
    qualityMin: 'uhd',
    priceMax: '3.99',
    currency: 'GBP',
  })
  const { leavingBefore } = filtersAsParameters(ALL, VIEWER)
  const days = (Number(leavingBefore) - Date.now() / 1000) / 86_400
  expect(days).toBeGreaterThan(6.9)
  expect(days).toBeLessThanOrEqual(8)
  expect(Number(leavingBefore) % 86_400).toBe(0)
  const few = JSON.parse(JSON.stringify(filtersAsParameters(NO_FILTERS, VIEWER)))
  expect(few).toEqual({ country: 'gb', outputLanguage: 'fr', orderBy: 'popularity_1week' })
})

it('asks for what is included, unless everything or a catalog is wanted', () => {
  const catalogs = (filters: Partial<BrowseFilters>) =>
    filtersAsParameters({ ...NO_FILTERS, ...filters }, VIEWER, ['netflix.subscription']).catalogs
  expect(catalogs({})).toEqual(['netflix.subscription'])
  expect(catalogs({ ways: 'all' })).toBeUndefined()
  expect(catalogs({ catalogs: ['prime.rent'] })).toEqual(['prime.rent'])
  // Nothing that is included has a price.
  expect(catalogs({ priceMax: '3.99' })).toBeUndefined()
})

it('counts an option without what is chosen in its own filter, in as few requests as possible', async () => {
  const requests: string[] = []
  const client = new Marquee({
    baseUrl: 'http://localhost/v4',
    retries: 0,
    async fetch(url) {
      requests.push(decodeURIComponent(new URL(String(url)).search))
      const asked = new URL(String(url)).searchParams.get('steps')?.split(',') ?? []
      const steps = asked.map((step, i) => {
        const [filter, value] = step.split(':')
        return { filter, value, count: 10 * requests.length + i }
      })
      return Response.json({ count: requests.length, facets: { services: [{ value: 'netflix', count: 7 }] }, steps })
    },
  })
  const count = (filters: Partial<BrowseFilters>, included: string[] = []) => {
    requests.length = 0
    const query = browseCountsQuery(VIEWER, { ...NO_FILTERS, ...filters }, included)
    return query.fetch(new AbortController().signal, client)
  }
  /** The days on which offers end depend on today. */
  const asked = () => requests.map((request) => request.replace(/leaving_before:\d+/g, 'leaving_before:…'))
  const facetsOfAll = 'facets=services,showTypes,genres,languages&facet_filters=others'
  const stepsOfAll =
    'steps=runtime_max:90,runtime_max:120,runtime_max:150,quality_min:hd,quality_min:uhd,leaving_before:…,leaving_before:…'
  const prices = 'price_max:3,price_max:5,price_max:10'
  const { total, facets, steps } = await count({ genres: ['crime'], genresRelation: 'or' })
  expect(asked()).toEqual([
    `?country=gb&output_language=fr&genres=crime&genres_relation=or&currency=GBP&${facetsOfAll}&${stepsOfAll},${prices}`,
  ])
  expect(total).toBe(1)
  expect(facets.services.get('netflix')).toBe(7)
  expect([...steps.runtimeMax]).toEqual([90, 120, 150].map((minutes, i) => [String(minutes), 10 + i]))
  expect([...steps.leaving.keys()]).toEqual(['week', 'month'])
  expect(steps.priceMax.get('10')).toBe(19)
  // Nothing that is included has a price, so that prices are counted in all catalogs.
  const apart = await count({ showType: 'movie', runtimeMax: 120 }, ['netflix.subscription'])
  expect(asked()).toEqual([
    `?country=gb&output_language=fr&catalogs=netflix.subscription&show_type=movie&runtime_max=120&${facetsOfAll}&${stepsOfAll}`,
    `?country=gb&output_language=fr&show_type=movie&runtime_max=120&currency=GBP&facets=showTypes&steps=${prices}`,
  ])
  expect([...apart.steps.priceMax.values()]).toHaveLength(3)
})
