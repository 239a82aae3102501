import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from './endpoints.ts'
import { openApiDocument } from './openapi.ts'
import { SCHEMAS } from './schemas.ts'

const document = JSON.parse(JSON.stringify(openApiDocument({ marketplace: 'Market', countries: 'array' })))
const ajv = new Ajv2020({ strict: false, formats: { int64: true, 'uri-reference': true } }).addSchema(document, 'api')
const validator = (name: string) => ajv.compile({ $ref: `api#/components/schemas/${name}` })

describe('the document', () => {
  test('describes every endpoint with its parameters', () => {
    expect(Object.keys(document.paths)).toEqual(ENDPOINTS.map((endpoint) => endpoint.path))
    const filters = document.paths['/shows/search/filters'].get
    expect(filters.operationId).toBe('searchShowsByFilters')
    expect(filters.parameters.map((parameter: { name: string }) => parameter.name)).toContain('genres_relation')
    expect(filters.parameters[1]).toMatchObject({ name: 'catalogs', in: 'query', required: false, explode: false })
  })

  test('names both kinds of key after the marketplace', () => {
    const { securitySchemes } = openApiDocument({ marketplace: 'Rapid', countries: 'array' }).components as {
      securitySchemes: Record<string, { name: string }>
    }
    expect(Object.values(securitySchemes).map((scheme) => scheme.name)).toEqual(['X-API-Key', 'X-Rapid-API-Key'])
  })

  test('every reference leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    expect(references.length).toBeGreaterThan(50)
    for (const [, kind, name] of references) expect(document.components[kind as string]).toHaveProperty(name as string)
  })

  test('objects are closed, and all that is required comes in order', () => {
    for (const schema of Object.values(document.components.schemas) as Record<string, unknown>[]) {
      if (schema.properties === undefined) continue
      expect(schema.additionalProperties).toBe(false)
      const names = Object.keys(schema.properties as object)
      const { required = [] } = schema as { required?: string[] }
      expect(required).toEqual(names.filter((name) => required.includes(name)))
    }
  })

  test('errors are a message, or problem details, with their code and parameter in headers', () => {
    const responses = Object.values(document.components.responses) as Record<string, Record<string, unknown>>[]
    expect(responses.length).toBeGreaterThan(8)
    for (const { content, headers } of responses) {
      expect(Object.keys(content!)).toEqual(['application/json', 'application/problem+json'])
      expect(Object.keys(headers!)).toEqual(
        expect.arrayContaining(['X-Request-Id', 'X-Error-Code', 'X-Error-Parameter']),
      )
      for (const [type, name] of Object.entries({
        'application/json': 'Error',
        'application/problem+json': 'Problem',
      })) {
        const { examples } = content![type] as { examples: Record<string, { value: unknown }> }
        const isValid = validator(name)
        for (const { value } of Object.values(examples)) expect(isValid(value)).toBe(true)
      }
    }
    expect(document.components.schemas.Error.required).toEqual(['message'])
  })

  test('the quota headers of the marketplace are described where they are sent', () => {
    const original = openApiDocument({ marketplace: 'Rapid', countries: 'map', compatibility: 'original' })
    expect(JSON.stringify(original)).toContain('X-RateLimit-Api-Request-Remaining')
    expect(JSON.stringify(document)).not.toContain('X-RateLimit')
  })

  test('countries take the shape of the setting', () => {
    const asMap = openApiDocument({ marketplace: 'Market', countries: 'map' })
    expect(JSON.stringify(asMap)).toContain('"All countries by code."')
    expect(document.components.schemas.Countries.type).toBe('array')
  })

  test('every schema can be compiled', () => {
    for (const name of Object.keys(SCHEMAS)) expect(validator(name)).toBeTypeOf('function')
  })
})

describe('the schema of a show', () => {
  const image = (widths: number[]) => Object.fromEntries(widths.map((w) => [`w${w}`, 'https://a.example/x']))
  const vertical = image([240, 360, 480, 600, 720])
  const horizontal = image([360, 480, 720, 1080, 1440])
  const aMovie = {
    itemType: 'show',
    showType: 'movie',
    id: '1',
    imdbId: '',
    tmdbId: 'movie/1',
    title: 'A',
    overview: '',
    originalTitle: 'A',
    genres: [],
    cast: [],
    rating: 0,
    imageSet: { verticalPoster: vertical, horizontalPoster: horizontal },
    streamingOptions: {},
  }
  const aSeries = { ...aMovie, showType: 'series', tmdbId: 'tv/1', firstAirYear: 2000, seasons: [] }
  const isShow = validator('Show')

  test('takes movies and series', () => {
    expect(isShow(aMovie)).toBe(true)
    expect(isShow({ ...aMovie, releaseYear: 1999, directors: ['B'], runtime: 90 })).toBe(true)
    expect(isShow(aSeries)).toBe(true)
  })

  test.each([
    ['a movie with seasons', { ...aMovie, seasons: [] }],
    ['a series with a release year', { ...aSeries, releaseYear: 2000 }],
    ['a series with directors', { ...aSeries, directors: [] }],
    ['an unknown type', { ...aMovie, showType: 'play' }],
    ['null', { ...aMovie, releaseYear: null }],
    ['a country without options', { ...aMovie, streamingOptions: { us: [] } }],
    ['a country in upper case', { ...aMovie, streamingOptions: { US: [{}] } }],
    ['an image of the wrong kind', { ...aMovie, imageSet: { verticalPoster: horizontal, horizontalPoster: vertical } }],
  ])('refuses %s', (_what, show) => {
    expect(isShow(show)).toBe(false)
  })
})
