import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../api/endpoints.ts'
import { changeWindow } from '../api/get-changes.ts'
import { ApiError } from '../response/errors.ts'
import { createParameterParser, ignoredParametersHeader } from './parameter-parser.ts'

const NOON = Date.UTC(2026, 2, 15, 12) / 1000
const DAY = 86_400

const reader = createParameterParser(
  Type.Object({
    country: Type.String(),
    count: Type.Optional(Type.Integer()),
    share: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    kind: Type.Optional(Type.Enum(['movie', 'series'])),
    deep: Type.Optional(Type.Boolean()),
    ids: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
  }),
)

function read(search: string, strict: boolean) {
  const given = reader.scan(search, strict)
  return { values: reader.parse(given), unknown: given.unknown }
}

describe('reading by a schema', () => {
  test('gives values of the right types', () => {
    const { values, unknown } = read('country=us&count=-5&share=100&kind=movie&deep=true&ids=a,b&x=1', false)
    expect(values).toEqual({ country: 'us', count: -5, share: 100, kind: 'movie', deep: true, ids: ['a', 'b'] })
    expect(unknown).toEqual(['x'])
  })

  test('an empty value counts as absent, and the same value twice as once', () => {
    expect(read('country=us&country=&country=us&count=', false).values).toEqual({ country: 'us' })
  })

  test.each([
    ['', 'missing_parameter', 'country'],
    ['country=', 'missing_parameter', 'country'],
    ['country=us&country=de', 'invalid_parameter', 'country'],
    ['country=us&count=1.5', 'invalid_parameter', 'count'],
    ['country=us&count=1e3', 'invalid_parameter', 'count'],
    ['country=us&count=%2B1', 'invalid_parameter', 'count'],
    ['country=us&count=99999999999999999999', 'invalid_parameter', 'count'],
    ['country=us&share=101', 'invalid_parameter', 'share'],
    ['country=us&share=-1', 'invalid_parameter', 'share'],
    ['country=us&kind=Movie', 'invalid_parameter', 'kind'],
    ['country=us&deep=1', 'invalid_parameter', 'deep'],
    ['country=us&ids=a,b,c,d', 'invalid_parameter', 'ids'],
    ['country=us&count=%', 'invalid_parameter', 'count'],
  ])('%s: %s', (search, code, parameter) => {
    expect(problem(() => read(search, false))).toMatchObject({ code, details: { parameter } })
  })

  test('messages say what is wrong and what would be right', () => {
    expect(problem(() => read('country=us&share=abc', false)).message).toBe(
      'The parameter "share" is "abc"; it must be a whole number from 0 to 100.',
    )
    expect(problem(() => read('country=us&kind=x', false)).message).toContain('one of movie, series')
  })

  test('strict reading refuses unknown names before missing ones', () => {
    expect(problem(() => read('contry=us', true))).toMatchObject({
      code: 'unknown_parameter',
      details: { parameter: 'contry' },
    })
  })

  test('names of every object are no parameters', () => {
    expect(read('country=us&constructor=1&__proto__=2', false).unknown).toEqual(['constructor', '__proto__'])
  })
})

describe('the header of ignored parameters', () => {
  test('names the nearest known one', () => {
    const field = ignoredParametersHeader(['genre', 'cöuntry'], ['genres', 'country'])
    expect(field).toBe('X-Ignored-Parameters: genre (genres?), c%C3%B6untry (country?)\r\n')
  })

  test('is safe and bounded, whatever is sent', () => {
    const names = Array.from({ length: 500 }, (_, i) => `${'😀'.repeat(40)}\r\n${i}`)
    const field = ignoredParametersHeader([`${'a'.repeat(63)}😀`, ...names], ['genres'])
    expect(field).toMatch(/^[\x20-\x7e]+, 485 more\r\n$/)
    expect(field?.length).toBeLessThan(10_000)
  })
})

describe('the endpoints', () => {
  const context = {
    now: NOON,
    countries: 'array' as const,
    names: {
      hasCountry: (code: string) => code === 'us',
      hasGenre: (id: string) => id === 'action',
      hasService: (id: string) => id === 'netflix' || id === 'prime',
      hasAddon: (service: string, addon: string) => service === 'prime' && addon === 'hbo',
      countryCodes: () => ['us'],
      genreIds: () => ['action'],
    },
  }
  const ask = (path: string, search: string) => {
    const endpoint = ENDPOINTS.find((candidate) => candidate.path === path)!
    const { scan, parse } = createParameterParser(endpoint.parameters)
    return endpoint.toQuery(parse(scan(search, false)), {}, context)
  }
  const filters = (search: string) => ask('/shows/search/filters', `country=us&${search}`)
  const changes = (search: string) => ask('/changes', `country=us&item_type=show&${search}`)

  test('catalogs are read by their syntax', () => {
    expect(filters('catalogs=netflix,prime.rent,prime.addon,prime.addon.hbo')).toMatchObject({
      catalogs: [
        { service: 'netflix' },
        { service: 'prime', type: 'rent' },
        { service: 'prime', type: 'addon' },
        { service: 'prime', type: 'addon', addon: 'hbo' },
      ],
    })
    expect(filters(`catalogs=${Array(32).fill('netflix').join()}`)).toMatchObject({ kind: 'filter' })
  })

  test.each([
    ['nobody', 'no country has a service'],
    ['prime.addon.none', 'no country has an addon'],
    ['netflix.addon.hbo', 'no country has an addon'],
    ['netflix.lease', 'must be <service>'],
    ['netflix.rent.hbo', 'must be <service>'],
    ['prime.addon.hbo.x', 'must be <service>'],
    ['netflix,', 'must be <service>'],
    ['netflix, prime', 'must be <service>'],
    ['.', 'must be <service>'],
    [Array(33).fill('netflix').join(), 'at most 32'],
  ])('catalogs=%s is refused', (catalogs, why) => {
    const error = problem(() => filters(`catalogs=${catalogs}`))
    expect(error).toMatchObject({ code: 'invalid_parameter', details: { parameter: 'catalogs' } })
    expect(error.message).toContain(why)
  })

  test.each([
    ['country=zz', 'country'],
    ['country=usa', 'country'],
    ['country=us&genres=action,none', 'genres'],
    ['country=us&show_original_language=qq', 'show_original_language'],
    ['country=us&show_original_language=eng', 'show_original_language'],
    ['country=us&year_min=2001&year_max=2000', 'year_min'],
    ['country=us&rating_min=51&rating_max=50', 'rating_min'],
    ['country=us&rating_max=101', 'rating_max'],
    ['country=us&order_by=title', 'order_by'],
    ['country=us&output_language=xx', 'output_language'],
  ])('filters?%s is refused for %s', (search, parameter) => {
    expect(problem(() => ask('/shows/search/filters', search))).toMatchObject({
      code: 'invalid_parameter',
      details: { parameter },
    })
  })

  test('the direction follows the order unless given', () => {
    expect(filters('order_by=rating')).toMatchObject({ direction: 'desc' })
    expect(filters('order_by=release_date')).toMatchObject({ direction: 'asc' })
    expect(filters('order_by=popularity_1week&order_direction=asc')).toMatchObject({ direction: 'asc' })
  })

  test('absent filters are left out of the query', () => {
    expect(Object.keys(filters(''))).toEqual([
      'kind',
      'country',
      'catalogs',
      'genres',
      'genresRelation',
      'granularity',
      'order',
      'direction',
      'language',
    ])
  })

  test('the window of changes is whole UTC days, 31 of them', () => {
    const today = NOON - DAY / 2
    expect(changeWindow('new', NOON)).toEqual({ first: today - 31 * DAY, last: today + DAY - 1 })
    expect(changeWindow('upcoming', NOON)).toEqual({ first: today, last: today + 32 * DAY - 1 })
    expect(changes('change_type=new')).toMatchObject({ from: today - 31 * DAY, to: today + DAY - 1 })
    expect(changes('change_type=expiring')).toMatchObject({ from: today, to: today + 32 * DAY - 1 })
  })

  test.each(['new', 'expiring'] as const)('bounds of %s changes are inside the window', (type) => {
    const { first, last } = changeWindow(type, NOON)
    expect(changes(`change_type=${type}&from=${first}&to=${last}`)).toMatchObject({ from: first, to: last })
    for (const name of ['from', 'to']) {
      for (const value of [first - 1, last + 1]) {
        const error = problem(() => changes(`change_type=${type}&${name}=${value}`))
        expect(error).toMatchObject({ code: 'invalid_parameter', details: { parameter: name } })
      }
    }
    expect(problem(() => changes(`change_type=${type}&from=${last}&to=${first}`)).details.parameter).toBe('from')
  })

  test.each([
    ['/changes', 'country=us', 'change_type'],
    ['/changes', 'country=us&change_type=new', 'item_type'],
    ['/shows/search/title', 'country=us', 'title'],
    ['/shows/search/title', 'title=a', 'country'],
    ['/shows/top', 'country=us', 'service'],
  ])('%s?%s lacks %s', (path, search, parameter) => {
    expect(problem(() => ask(path, search))).toMatchObject({ code: 'missing_parameter', details: { parameter } })
  })
})

function problem(action: () => unknown): ApiError {
  try {
    action()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
