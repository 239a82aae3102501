import { describe, expect, test } from 'vitest'
import Type from '../../lib/json-schema.ts'
import { changeWindow } from '../api/change-endpoints.ts'
import { ENDPOINTS } from '../api/endpoints.ts'
import { ApiError } from '../exchange/errors.ts'
import {
  createParameterParser,
  extractQueryString,
  type IgnoredPart,
  ignoredParametersHeader,
  optionalWithDefault,
  parseQueryString,
} from './parameter-parser.ts'

const NOON = Date.UTC(2026, 2, 15, 12) / 1000
const DAY = 86_400

const parser = createParameterParser(
  Type.Object({
    country: Type.String(),
    count: Type.Optional(Type.Integer()),
    share: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    kind: Type.Optional(Type.Enum(['movie', 'series'])),
    language: Type.Optional(Type.Enum(['en', 'tr'], { 'x-case-insensitive': true })),
    deep: Type.Optional(Type.Boolean()),
    ids: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
  }),
)

function parse(search: string, strict: boolean) {
  const scanned = parser.scan(search, strict)
  return { values: parser.parse(scanned), unknown: scanned.ignored.map(({ text }) => text) }
}

describe('parsing by a schema', () => {
  test('returns typed values', () => {
    const { values, unknown } = parse('country=us&count=-5&share=100&kind=movie&deep=true&ids=a,b&x=1', false)
    expect(values).toEqual({ country: 'us', count: -5, share: 100, kind: 'movie', deep: true, ids: ['a', 'b'] })
    expect(unknown).toEqual(['x'])
  })

  test('fills in the defaults of the schema', () => {
    const { scan, parse } = createParameterParser(
      Type.Object({
        language: optionalWithDefault(Type.Enum(['en', 'tr'], { default: 'en' })),
        deep: optionalWithDefault(Type.Boolean({ default: false })),
        kind: Type.Optional(Type.String()),
      }),
    )
    expect(parse(scan('', false))).toEqual({ language: 'en', deep: false })
    expect(parse(scan('language=tr&deep=true', false))).toEqual({ language: 'tr', deep: true })
    expect(() => optionalWithDefault(Type.String())).toThrow('no default')
  })

  test('checks the pattern of the schema', () => {
    const { scan, parse } = createParameterParser(
      Type.Object({ country: Type.String({ pattern: '^[A-Za-z]{2}$', examples: ['us'] }) }),
    )
    expect(parse(scan('country=US', false))).toEqual({ country: 'US' })
    expect(problem(() => parse(scan('country=usa', false))).message).toBe(
      'The parameter "country" is "usa"; it must be of the form ^[A-Za-z]{2}$, such as us.',
    )
  })

  test('an empty value counts as absent, and the same value twice as once', () => {
    expect(parse('country=us&country=&country=us&count=', false).values).toEqual({ country: 'us' })
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
    ['country=us&deep=2', 'invalid_parameter', 'deep'],
    ['country=us&deep=yes', 'invalid_parameter', 'deep'],
    ['country=us&count=1.', 'invalid_parameter', 'count'],
    ['country=us&count=.0', 'invalid_parameter', 'count'],
    ['country=us&count=1.01', 'invalid_parameter', 'count'],
    ['country=us&count=1,0', 'invalid_parameter', 'count'],
    ['country=us&share=100.5', 'invalid_parameter', 'share'],
    ['country=us&language=de', 'invalid_parameter', 'language'],
    ['country=us&ids=a,,b,c, ,d', 'invalid_parameter', 'ids'],
    ['country=us&ids=a,b,c,d', 'invalid_parameter', 'ids'],
    ['country=us&count=%', 'invalid_parameter', 'count'],
  ])('%s: %s', (search, code, parameter) => {
    expect(problem(() => parse(search, false))).toMatchObject({ code, details: { parameter } })
  })

  test('messages name the value and what is expected', () => {
    expect(problem(() => parse('country=us&share=abc', false)).message).toBe(
      'The parameter "share" is "abc"; it must be a whole number from 0 to 100.',
    )
    expect(problem(() => parse('country=us&kind=x', false)).message).toContain('one of movie, series')
  })

  test('an integer may have a zero fraction', () => {
    expect(parse('country=us&count=1990.0&share=100.000', false).values).toMatchObject({ count: 1990, share: 100 })
    expect(parse('country=us&count=-5.0', false).values).toMatchObject({ count: -5 })
  })

  test.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
  ])('the boolean %s', (text, value) => {
    expect(parse(`country=us&deep=${text}`, false).values).toMatchObject({ deep: value })
  })

  test('codes are accepted in any case, other values are not', () => {
    expect(parse('country=us&language=TR', false).values).toMatchObject({ language: 'tr' })
    expect(problem(() => parse('country=us&kind=MOVIE', false)).details.parameter).toBe('kind')
  })

  test.each(['a,b,c', 'a, b ,c', ' a ,,b,c,', ',a,%20,b,c'])(
    'spaces and empty entries of a list are dropped: %j',
    (ids) => {
      expect(parse(`country=us&ids=${ids}`, false).values).toMatchObject({ ids: ['a', 'b', 'c'] })
    },
  )

  test.each([',', ',,', ' ', '%20,'])('a list without entries counts as absent: %j', (ids) => {
    expect(parse(`country=us&ids=${ids}`, false).values).toEqual({ country: 'us' })
  })

  test('strict scanning rejects unknown names before missing ones', () => {
    expect(problem(() => parse('contry=us', true))).toMatchObject({
      code: 'unknown_parameter',
      details: { parameter: 'contry' },
    })
  })

  test.each([
    ['contry', 'There is no parameter "contry" here; did you mean "country"? Known: country, '],
    ['xyzzy', 'There is no parameter "xyzzy" here. Known: country, '],
  ])('the error of the unknown name %j reads well with and without a suggestion', (name, start) => {
    const { message } = problem(() => parse(`${name}=us`, true))
    expect(message.startsWith(start), message).toBe(true)
  })

  test('names of every object are no parameters', () => {
    expect(parse('country=us&constructor=1&__proto__=2', false).unknown).toEqual(['constructor', '__proto__'])
  })
})

describe('the header of ignored parameters', () => {
  const part = (text: string, suggestion?: string, parameter?: string): IgnoredPart => ({
    text,
    suggest: () => suggestion,
    ...(parameter !== undefined && { parameter }),
  })

  test('names what was probably meant, where something is near', () => {
    const parts = [
      part('genre', 'genres'),
      part('cöuntry', 'country'),
      part('x'),
      part('netflx', 'netflix', 'catalogs'),
    ]
    expect(ignoredParametersHeader(parts)).toBe(
      'X-Ignored-Parameters: genre (genres?), c%C3%B6untry (country?), x, catalogs=netflx (netflix?)\r\n',
    )
    expect(ignoredParametersHeader([])).toBe('')
  })

  test('is safe and bounded, whatever is sent', () => {
    const names = Array.from({ length: 500 }, (_, i) => `${'😀'.repeat(40)}\r\n${i}`)
    const field = ignoredParametersHeader([`${'a'.repeat(63)}😀`, ...names].map((name) => part(name)))
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
      countryCodes: () => ['us'],
      genreIds: () => ['action'],
      serviceIds: () => ['netflix', 'prime'],
      addonIds: (_country: string, service: string) => (service === 'prime' ? ['hbo', 'tvs.sbd.1000579'] : []),
    },
  }
  let ignored: IgnoredPart[] = []
  const ask = (path: string, search: string, strict = false) => {
    const endpoint = ENDPOINTS.find((candidate) => candidate.path === path)!
    const { scan, parse } = createParameterParser(endpoint.parameters)
    ignored = []
    const ignore = (one: IgnoredPart) => void ignored.push(one)
    return endpoint.toQuery(parse(scan(search, strict)), {}, { ...context, strict, ignore })
  }
  const filters = (search: string) => ask('/shows/search/filters', `country=us&${search}`)
  const changes = (search: string) => ask('/changes', `country=us&item_type=show&${search}`)

  test('catalogs are read by their syntax', () => {
    expect(
      filters('catalogs=netflix,prime.rent, prime.addon,,prime.addon.hbo,prime.addon.tvs.sbd.1000579'),
    ).toMatchObject({
      catalogs: [
        { service: 'netflix' },
        { service: 'prime', type: 'rent' },
        { service: 'prime', type: 'addon' },
        { service: 'prime', type: 'addon', addon: 'hbo' },
        { service: 'prime', type: 'addon', addon: 'tvs.sbd.1000579' },
      ],
    })
    expect(ignored).toEqual([])
    expect(filters(`catalogs=${Array(32).fill('netflix').join()}`)).toMatchObject({ kind: 'filter' })
  })

  test.each([
    ['nobody', 'no service "nobody" in us', undefined],
    ['netflx.rent', 'no service "netflx" in us', 'netflix.rent'],
    ['Netflix', 'no service "Netflix" in us', 'netflix'],
    ['prime.addon.none', 'no addon "none" on prime in us', undefined],
    ['prime.addon.hboo', 'no addon "hboo" on prime in us', 'prime.addon.hbo'],
    ['netflix.addon.hbo', 'no addon "hbo" on netflix in us', undefined],
    ['prime.addon.hbo.x', 'no addon "hbo.x" on prime in us', 'prime.addon.hbo'],
  ])('catalogs=%s matches nothing and is reported, or rejected if strict', (entry, why, suggestion) => {
    expect(filters(`catalogs=${entry}`)).toMatchObject({ catalogs: [{ service: entry.split('.')[0] }] })
    expect(ignored.map(({ parameter, text, suggest }) => [parameter, text, suggest()])).toEqual([
      ['catalogs', entry, suggestion],
    ])
    const error = problem(() => ask('/shows/search/filters', `country=us&catalogs=${entry}`, true))
    expect(error).toMatchObject({ code: 'invalid_parameter', details: { parameter: 'catalogs' } })
    expect(error.message).toContain(why)
  })

  test.each([
    ['netflix.lease', 'must be <service>'],
    ['netflix.rent.hbo', 'must be <service>'],
    ['netflix.', 'must be <service>'],
    ['.netflix', 'must be <service>'],
    ['netflix..addon', 'must be <service>'],
    ['prime.addon.', 'must be <service>'],
    ['prime.addon..', 'must be <service>'],
    ['net flix', 'must be <service>'],
    ['nétflix', 'must be <service>'],
    ['.', 'must be <service>'],
    [Array(33).fill('netflix').join(), 'at most 32'],
  ])('catalogs=%s is rejected', (catalogs, why) => {
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
  ])('filters?%s is rejected for %s', (search, parameter) => {
    expect(problem(() => ask('/shows/search/filters', search))).toMatchObject({
      code: 'invalid_parameter',
      details: { parameter },
    })
  })

  test('codes are accepted in any case', () => {
    expect(ask('/shows/search/filters', 'country=US&output_language=TR&show_original_language=Ko')).toMatchObject({
      countries: ['us'],
      language: 'tr',
      originalLanguage: 'ko',
    })
  })

  test('uk is told of gb', () => {
    expect(problem(() => ask('/shows/search/filters', 'country=UK')).message).toBe(
      'The parameter "country" is "UK"; it must be a country of the catalog: us; the ISO 3166-1 code for United Kingdom is gb.',
    )
  })

  test('the direction follows the order unless given', () => {
    expect(filters('order_by=rating')).toMatchObject({ direction: 'desc' })
    expect(filters('order_by=release_date')).toMatchObject({ direction: 'asc' })
    expect(filters('order_by=popularity_1week&order_direction=asc')).toMatchObject({ direction: 'asc' })
  })

  test('absent filters have no value in the query', () => {
    const given = Object.entries(filters('')).filter(([, value]) => value !== undefined)
    expect(given.map(([name]) => name).sort()).toEqual([
      'catalogs',
      'countries',
      'direction',
      'genres',
      'genresRelation',
      'granularity',
      'kind',
      'language',
      'order',
      'people',
    ])
  })

  test('the queries of an endpoint have the same members in the same order, whatever is given', () => {
    expect(Object.keys(filters('year_min=1990&keyword=zombie&ids=1,2'))).toEqual(Object.keys(filters('')))
    expect(Object.keys(changes('change_type=new&cursor=x'))).toEqual(Object.keys(changes('change_type=new')))
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

test('the query string is what follows the question mark', () => {
  expect(extractQueryString('/genres')).toBe('')
  expect(extractQueryString('/genres?a=1?b')).toBe('a=1?b')
  expect(extractQueryString('/genres?a=1#b')).toBe('a=1')
})

describe('the pairs of a query string', () => {
  test.each([
    ['', []],
    ['&&', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a+b=c+d%2Be', [['a b', 'c d+e']]],
    ['title=Am%C3%A9lie', [['title', 'Amélie']]],
    ['__proto__=1', [['__proto__', '1']]],
  ])('%s', (search, pairs) => {
    expect(parseQueryString(search)).toEqual(pairs)
  })

  test.each(['a=%', 'a=%zz', 'a=%ff', '%=1'])('%s is rejected', (search) => {
    expect(() => parseQueryString(search)).toThrow(expect.objectContaining({ code: 'invalid_parameter' }))
  })
})
