import { expect, it } from 'vitest'
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
    'show_type=book&year_min=abc&rating_max=-3&order_by=price&genres=,,&genres_relation=xor',
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
  })
  const few = JSON.parse(JSON.stringify(filtersAsParameters(NO_FILTERS, VIEWER)))
  expect(few).toEqual({ country: 'gb', outputLanguage: 'fr', orderBy: 'popularity_1week' })
})

it('asks for what is included, unless everything or a catalog is wanted', () => {
  const catalogs = (filters: Partial<BrowseFilters>) =>
    filtersAsParameters({ ...NO_FILTERS, ...filters }, VIEWER, ['netflix.subscription']).catalogs
  expect(catalogs({})).toEqual(['netflix.subscription'])
  expect(catalogs({ ways: 'all' })).toBeUndefined()
  expect(catalogs({ catalogs: ['prime.rent'] })).toEqual(['prime.rent'])
})
