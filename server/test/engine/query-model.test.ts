import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countShows } from '../../src/http/api/count-endpoint.ts'
import type { Endpoint } from '../../src/http/api/endpoint.ts'
import { searchShowsByFilters } from '../../src/http/api/search-endpoints.ts'
import { createParameterParser } from '../../src/http/request/parameter-parser.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aSnapshot, NOW } from '../support/builders.ts'
import {
  Chance,
  countBy,
  generateQuery,
  generateShows,
  type ModelShow,
  matches,
  type Parameters,
  passingOptions,
  sortShows,
  yearOf,
} from '../support/query-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const SHOWS = 600
const QUERIES = 2_000

/** Pages of a query that are compared; the others are only counted. */
const MAX_PAGES = 3

const chance = new Chance(20_260_315)
const shows = generateShows(chance, SHOWS)

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

  /** The body of the response to parameters, without HTTP around it. */
  const ask = ({ parameters: schema, toQuery }: Endpoint, parameters: Parameters) => {
    const parser = createParameterParser(schema)
    const values = parser.parse(parser.scan(new URLSearchParams(parameters).toString(), true))
    const context = { names: engine.names(), now: NOW, countries: 'array' as const, strict: false, ignore: () => {} }
    const { body } = engine.execute(toQuery(values, {}, context), NOW) ?? { body: { bytes: Buffer.from('{}') } }
    const json = JSON.parse(body.bytes.toString())
    body.release?.()
    return json
  }

  const readPages = (parameters: Parameters, maxPages: number) => {
    const ids: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const { shows, nextCursor } = ask(searchShowsByFilters, {
        ...parameters,
        ...(cursor !== undefined && { cursor }),
      })
      ids.push(...shows.map(({ id }: ModelShow) => id))
      cursor = nextCursor
      if (cursor === undefined) break
    }
    return { ids, isWhole: cursor === undefined }
  }

  it(`agrees with the answers to ${QUERIES} queries`, () => {
    let found = 0
    for (let i = 0; i < QUERIES; i++) {
      const query = generateQuery(chance, shows)
      const about = `query ${i}: ${new URLSearchParams(query)}`
      const expected = sortShows(
        shows.filter((show) => matches(show, query)),
        query,
      )
      found += expected.length
      if (query.order_by === 'random') {
        // The model has no order by chance: all shows come, each once.
        const { ids } = readPages({ ...query, limit: '20' }, Number.POSITIVE_INFINITY)
        expect(ids.toSorted(), about).toEqual(expected.map(({ id }) => id).toSorted())
      } else {
        const { ids, isWhole } = readPages(query, MAX_PAGES)
        expect(ids, about).toEqual(expected.slice(0, ids.length).map(({ id }) => id))
        expect(isWhole, about).toBe(ids.length === expected.length)
      }
      const { order_by, order_direction, seed, limit, ...filters } = query
      expect(ask(countShows, filters), about).toEqual({
        count: expected.length,
        facets: {
          services: countBy(expected, (show) => passingOptions(show, query).map(({ service }) => service)),
          showTypes: countBy(expected, ({ showType }) => [showType]),
          genres: countBy(expected, ({ genres }) => genres),
          years: countBy(expected, (show) => [yearOf(show)].filter((year) => year !== undefined)),
          languages: countBy(expected, ({ originalLanguage }) => [originalLanguage]),
        },
      })
    }
    // Queries that find nothing would prove nothing.
    expect(found).toBeGreaterThan(20 * QUERIES)
  }, 120_000)
})
