import { expect, it } from 'vitest'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { cacheStats } from '../support/cache-stats.ts'
import { aTestService } from '../support/test-service.ts'

const service = await aTestService(aSnapshot(aMovie({ id: '1', title: 'Casablanca' })))

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
