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
      return Response.json({ count: requests.length, facets: { services: [{ value: 'netflix', count: 7 }] } })
    },
  })
  const count = (filters: Partial<BrowseFilters>, included: string[] = []) => {
    requests.length = 0
    const query = browseCountsQuery(VIEWER, { ...NO_FILTERS, ...filters }, included)
    return query.fetch(new AbortController().signal, client)
  }
  const { total, facets } = await count({ genres: ['crime'] })
  expect(requests).toEqual(['?country=gb&output_language=fr&genres=crime&facets=services,showTypes,genres,languages'])
  expect(total).toBe(1)
  expect(facets.services.get('netflix')).toBe(7)
  await count({ showType: 'movie' }, ['netflix.subscription'])
  expect(requests).toEqual([
    '?country=gb&output_language=fr&catalogs=netflix.subscription&show_type=movie&facets=genres,languages',
    '?country=gb&output_language=fr&show_type=movie&facets=services',
    '?country=gb&output_language=fr&catalogs=netflix.subscription&facets=showTypes',
  ])
})
