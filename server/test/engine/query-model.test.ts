import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/http/api/endpoint.ts'
import { countShows, searchShowsByFilters } from '../../src/http/api/search-endpoints.ts'
import { createParameterParser } from '../../src/http/request/parameter-parser.ts'
import type { Query } from '../../src/query/queries.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import type { RenderedResponse } from '../../src/render/query-engine.ts'
import { aMovie, anOption, aSnapshot, NOW } from '../support/builders.ts'
import {
  Chance,
  countBy,
  generateQuery,
  generateShows,
  type Parameters,
  QueryModel,
  yearOf,
} from '../support/query-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const SHOWS = 250
const QUERIES = 2_000

/** Pages of a query that are compared. */
const MAX_PAGES = 3

const chance = new Chance(20_260_315)
const shows = generateShows(chance, SHOWS)

/** Steps of filters on shows and on options, and facets without their own filters. */
const OTHERS = { facet_filters: 'others', steps: 'year_max:1993,quality_min:uhd,show_type:series,rating_min:10' }

describe('a plain model of filters, orders, pages and facets', () => {
  const folder = temporaryFolder(afterAll)
  let service: TestService
  let engine: CatalogQueryEngine

  beforeAll(async () => {
    service = await TestService.open(folder)
    expect((await service.import(aSnapshot(...shows))).notices).toEqual({})
    engine = new CatalogQueryEngine(service.ledger.catalog)
  })
  afterAll(() => service.close())

  /** Answers parameters as the endpoint does, without HTTP around it. */
  const answerer = ({ parameters: schema, toQuery }: Endpoint, otherEngine?: CatalogQueryEngine) => {
    const parser = createParameterParser(schema)
    return async (parameters: Parameters) => {
      const asked = otherEngine ?? engine
      const values = parser.parse(parser.scan(new URLSearchParams(parameters).toString(), true))
      const context = { names: asked.names(), now: NOW, countries: 'array' as const, strict: true, ignore: () => {} }
      const response = asked.execute(toQuery(values, {}, context) as Query, NOW) as RenderedResponse
      const { body } = (await response.renderInTurns?.()) ?? response
      const text = body.bytes.toString()
      body.release?.()
      return text
    }
  }
  const search = answerer(searchShowsByFilters)
  const count = answerer(countShows)

  /** What one request with steps and with facets without their own filters answers, put together from many. */
  const countOneByOne = async (filters: Parameters) => {
    const counted = async (others: Parameters) => JSON.parse(await count(others))
    const without = async (...names: string[]) =>
      (await counted(Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name))))).facets
    const { services } = await without('catalogs')
    const { genres } = await (filters.genres_relation === 'or' ? without('genres') : without())
    const { showTypes } = await without('show_type')
    const { years } = await without('year_min', 'year_max')
    const { languages } = await without('show_original_language')
    const steps = OTHERS.steps.split(',').map(async (step) => {
      const [filter = '', value = ''] = step.split(':')
      const isReversed = filter === 'year_max' && Number(filters.year_min ?? 0) > Number(value)
      return { filter, value, count: isReversed ? 0 : (await counted({ ...filters, [filter]: value })).count }
    })
    return {
      count: (await counted(filters)).count,
      facets: { services, genres, showTypes, years, languages },
      steps: await Promise.all(steps),
    }
  }

  /** The ids on the first pages, and whether those are all pages. */
  const readPages = async (parameters: Parameters) => {
    const ids: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const text = await search({ ...parameters, ...(cursor !== undefined && { cursor }) })
      ids.push(...Array.from(text.matchAll(/"showType":"\w+","id":"(\d+)"/g), ([, id]) => id as string))
      cursor = JSON.parse(`{${text.slice(text.lastIndexOf('"hasMore"'))}`).nextCursor
      if (cursor === undefined) return { ids, isWhole: true }
    }
    return { ids, isWhole: false }
  }

  it(`agrees with the answers to ${QUERIES} queries`, async () => {
    let found = 0
    for (let i = 0; i < QUERIES; i++) {
      const query = generateQuery(chance, shows)
      const about = `query ${i}: ${new URLSearchParams(query)}`
      const model = new QueryModel(query)
      const expected = model.find(shows)
      const expectedIds = expected.map(({ id }) => id)
      found += expected.length
      const { ids, isWhole } = await readPages(query)
      if (query.order_by !== 'random') expect(ids, about).toEqual(expectedIds.slice(0, ids.length))
      else {
        // The model has no order by chance: shows that match come, each once.
        expect(new Set(ids).size, about).toBe(ids.length)
        expect(
          ids.filter((id) => !expectedIds.includes(id)),
          about,
        ).toEqual([])
      }
      expect(isWhole, about).toBe(ids.length === expected.length)
      const { order_by, order_direction, seed, limit, ...filters } = query
      expect(JSON.parse(await count(filters)), about).toEqual({
        count: expected.length,
        facets: {
          services: countBy(expected, (show) => model.passingOptions(show).map(({ service }) => service)),
          showTypes: countBy(expected, ({ showType }) => [showType]),
          genres: countBy(expected, ({ genres }) => genres),
          years: countBy(expected, (show) => [yearOf(show)].filter((year) => year !== undefined)),
          languages: countBy(expected, ({ originalLanguage }) => [originalLanguage]),
        },
      })
      if (i % 20 === 0)
        expect(JSON.parse(await count({ ...filters, ...OTHERS })), about).toEqual(await countOneByOne(filters))
    }
    // Queries that find nothing would prove nothing.
    expect(found).toBeGreaterThan(20 * QUERIES)
  })

  it('counts services in all countries where those are more than a request can name', async () => {
    const codes = ['ar', 'at', 'au', 'be', 'br', 'ca', 'de', 'es', 'fr', 'in', 'it', 'jp']
    const other = await TestService.open(temporaryFolder(afterAll))
    const shows = codes.map((code, i) => {
      // The first show is on one service in all countries, and counts once.
      const countries = i === 0 ? codes : [code]
      const streamingOptions = Object.fromEntries(
        countries.map((country) => [country, [anOption({ service: i % 3 === 0 ? 'netflix' : 'mubi' })]]),
      )
      return aMovie({ id: String(50 + i), title: `Movie ${code}`, streamingOptions })
    })
    await other.import(aSnapshot(...shows))
    const countOther = answerer(countShows, new CatalogQueryEngine(other.ledger.catalog))
    for (const options of [{}, { option_types: 'subscription' }, { exclude_ids: '51' }]) {
      const { count, facets } = JSON.parse(await countOther({ country: 'any', ...options }))
      const mubi = 'exclude_ids' in options ? 7 : 8
      expect(count).toBe(4 + mubi)
      expect(facets.services).toEqual([
        { value: 'mubi', count: mubi },
        { value: 'netflix', count: 4 },
      ])
    }
    await other.close()
  })
})
