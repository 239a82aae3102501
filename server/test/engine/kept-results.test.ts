import { describe, expect, it } from 'vitest'
import type { FilterQuery, SimilarQuery } from '../../src/query/queries.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aMovie, anOption, aSnapshot } from '../support/builders.ts'
import { cacheStats } from '../support/cache-stats.ts'
import { aTestService } from '../support/test-service.ts'

const service = await aTestService(
  aSnapshot(aMovie({ id: '1', title: 'Casablanca', streamingOptions: { us: [anOption()], gb: [anOption()] } })),
)

it('keeps the result of a query, and its page, only if the query may come again', () => {
  const engine = new CatalogQueryEngine(service.ledger.catalog)
  const query = { kind: 'shows', ids: ['1'], countries: ['us'], language: 'en', granularity: 'show' } as const
  const search = (isRepeated: boolean) => {
    const { body } = engine.execute(query, service.now, isRepeated) ?? {}
    const text = body?.bytes.toString()
    body?.release?.()
    return text
  }
  const count = (name: string, counter: 'entries' | 'hits') => cacheStats(engine, name)[counter]

  const first = search(false)
  expect(first).toContain('"title":"Casablanca"')
  expect(search(false)).toBe(first)
  expect([count('finds', 'entries'), count('pages', 'entries')]).toEqual([0, 0])
  expect([search(true), search(true)]).toEqual([first, first])
  expect([count('finds', 'entries'), count('pages', 'entries')]).toEqual([1, 1])
  expect([count('finds', 'hits'), count('pages', 'hits')]).toEqual([1, 1])
})

describe('filters on options that were dropped from memory', () => {
  const filters = {
    catalogs: [],
    genres: [],
    genresRelation: 'and',
    people: [],
    options: { qualityMin: 'sd' },
    language: 'en',
    granularity: 'show',
  } as const
  const filterQuery = (country: string): FilterQuery => {
    return { ...filters, kind: 'filter', countries: [country], order: 'rating', direction: 'desc' }
  }
  const similarQuery = (id: string): SimilarQuery => ({ ...filters, kind: 'similar', countries: ['us'], id, limit: 5 })

  /** An engine that has the options of one country in memory at most. */
  const createEngine = () => new CatalogQueryEngine(service.ledger.catalog, { maxOptionBytes: 1 })

  it('are read again for a new search, and not for one whose result was kept', async () => {
    const engine = createEngine()
    const [inUs, inGb] = [filterQuery('us'), filterQuery('gb')]
    const search = (query: FilterQuery) => engine.execute(query, service.now, true)
    const found = (await search(inUs)?.renderInTurns?.())?.body.bytes.toString()
    expect(found).toContain('"title":"Casablanca"')
    await search(inGb)?.renderInTurns?.()
    expect(cacheStats(engine, 'options').evictions).toBe(1)

    expect(search({ ...inUs })?.renderInTurns).toBeDefined()
    const kept = search(inUs)
    expect(kept?.renderInTurns).toBeUndefined()
    expect(kept?.body.bytes.toString()).toBe(found)
  })

  it('are not read for shows like one that there is not', () => {
    const engine = createEngine()
    expect(engine.execute(similarQuery('1'), service.now)?.renderInTurns).toBeDefined()
    expect(engine.execute(similarQuery('2'), service.now)).toBeUndefined()
  })
})
