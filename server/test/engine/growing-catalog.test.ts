import { expect, it } from 'vitest'
import type { FilterQuery } from '../../src/query/queries.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aDelta, aMovie, anOption, aSnapshot } from '../support/builders.ts'
import { cacheStats } from '../support/cache-stats.ts'
import { aTestService } from '../support/test-service.ts'

const GENRES = ['crime', 'drama', 'comedy', 'western']

/** One in eight of the movies is on Prime, the others are on Netflix. */
function movies(first: number, count: number, country: string) {
  return Array.from({ length: count }, (_, i) =>
    aMovie({
      id: String(10_000 + first + i),
      genres: [GENRES[(i * 7) % 4]],
      streamingOptions: { [country]: [anOption({ service: i % 8 === 0 ? 'prime' : 'netflix' })] },
    }),
  )
}

it('answers from the sort orders that it has in memory while posting lists grow past them', async () => {
  const service = await aTestService(aSnapshot(...movies(0, 4_096, 'us')))
  const engine = new CatalogQueryEngine(service.ledger.catalog)
  const search = (query: Partial<FilterQuery>): string[] => {
    const { body } =
      engine.execute(
        {
          kind: 'filter',
          countries: ['us'],
          catalogs: [{ service: 'prime' }],
          genres: [],
          genresRelation: 'or',
          people: [],
          order: 'popularity_alltime',
          direction: 'desc',
          granularity: 'show',
          language: 'en',
          limit: 100,
          ...query,
        } as FilterQuery,
        service.now,
      ) ?? {}
    const ids = (JSON.parse(String(body?.bytes)) as { shows: { id: string }[] }).shows.map(({ id }) => id)
    body?.release?.()
    return ids
  }
  const columnsInMemory = () => cacheStats(engine, 'sorted_columns').entries
  for (let i = 0; i < 60; i++) search({})
  expect(columnsInMemory()).toBe(1)
  const query = { genres: ['crime', 'drama'] }
  const before = search(query)
  expect(before).toHaveLength(100)
  await service.import(aDelta(...movies(4_096, 6_000, 'de')))
  expect(search({ countries: ['de'] })).toHaveLength(100)
  expect(search(query)).toEqual(before)
  expect(columnsInMemory()).toBe(1)
})
