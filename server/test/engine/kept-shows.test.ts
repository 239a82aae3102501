import { expect, it } from 'vitest'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aDelta, aMovie, anOption, aService, aSnapshot } from '../support/builders.ts'
import { cacheStats } from '../support/cache-stats.ts'
import { aTestService } from '../support/test-service.ts'

/** More than two blocks of documents. */
const COUNT = 600
const FIRST = '1'
const LAST = String(COUNT)

const movies = Array.from({ length: COUNT }, (_, i) =>
  aMovie({ id: String(i + 1), title: `Movie ${i + 1}`, streamingOptions: { us: [anOption()] } }),
)
const service = await aTestService(aSnapshot(...movies))
const engine = new CatalogQueryEngine(service.ledger.catalog)

/** Reads a show, and tells whether its records were in memory. */
function read(id: string): { readonly text: string; readonly isCached: boolean } {
  const hits = () => cacheStats(engine, 'shows').hits
  const before = hits()
  const query = { kind: 'show', id, countries: ['us'], language: 'en', granularity: 'show' } as const
  const { body } = engine.execute(query, service.now) ?? {}
  const text = String(body?.bytes)
  body?.release?.()
  return { text, isCached: hits() > before }
}

it('keeps the records of shows beyond an import that alters others', async () => {
  for (const id of [FIRST, LAST]) expect(read(id).isCached).toBe(false)
  for (const id of [FIRST, LAST]) expect(read(id).isCached).toBe(true)
  await service.import(aDelta(aMovie({ ...movies[0], title: 'Renamed' })))
  expect(read(FIRST)).toMatchObject({ text: expect.stringContaining('"title":"Renamed"'), isCached: false })
  expect(read(LAST)).toMatchObject({ text: expect.stringContaining(`"title":"Movie ${COUNT}"`), isCached: true })
  expect(read(FIRST).isCached).toBe(true)
})

it('prints the new name of a service from records that were kept', async () => {
  expect(read(LAST).text).toContain('"name":"Netflix"')
  await service.import(aDelta(aService('netflix', { name: 'Netzkino' })))
  expect(read(LAST)).toMatchObject({ text: expect.stringContaining('"name":"Netzkino"'), isCached: true })
})
