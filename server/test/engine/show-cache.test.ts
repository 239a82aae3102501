import { expect, it } from 'vitest'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot } from '../support/builders.ts'
import { aTestService } from '../support/test-service.ts'

const KILOBYTE = 1024
const episodes = Array.from({ length: 20 }, (_, i) => ({
  itemType: 'episode',
  title: `Episode ${i + 1}`,
  overview: 'x'.repeat(KILOBYTE),
  streamingOptions: { us: [anOption()] },
}))
const seasons = [{ itemType: 'season', title: 'Season 1', streamingOptions: { us: [anOption()] }, episodes }]
const inTwoCountries = { us: [anOption()], de: [anOption({ link: 'https://a.test/de' })] }
const movie = (overview: string) => aMovie({ id: '1', overview, streamingOptions: inTwoCountries })
const service = await aTestService(
  aSnapshot(movie('First'), aSeries({ id: '2', overview: 'y'.repeat(40 * KILOBYTE), seasons })),
)

/** Rendered shows have 128 KB beside what a page holds, and none may take more than half of it. */
const createEngine = () =>
  new CatalogQueryEngine(service.ledger.catalog, { maxShowBytes: 12 * KILOBYTE ** 2 + 128 * KILOBYTE })

function ask(engine: CatalogQueryEngine, id: string, country: string): string {
  const query = { kind: 'show', id, countries: [country], granularity: 'episode', language: 'en' } as const
  const body = engine.execute(query, service.now)?.body
  const text = String(body?.bytes)
  body?.release?.()
  return text
}

it('answers alike however often a show is asked for, its parts apart, joined, or too large for that', () => {
  const engine = createEngine()
  const first = ['1', '2'].map((id) => ask(engine, id, 'us'))
  expect(first.map((text) => JSON.parse(text).id)).toEqual(['1', '2'])
  for (let i = 0; i < 300; i++) expect(['1', '2'].map((id) => ask(engine, id, 'us'))).toEqual(first)
})

it('answers from the same texts in all countries, until the show is altered', async () => {
  const engine = createEngine()
  const askBoth = () => ['us', 'de', 'us', 'de', 'us', 'de'].map((country) => JSON.parse(ask(engine, '1', country)))
  for (let i = 0; i < 4; i++) {
    for (const show of askBoth()) expect(show.overview).toBe('First')
  }
  await service.import(aDelta(movie('Second')))
  for (let i = 0; i < 4; i++) {
    for (const [n, show] of askBoth().entries()) {
      expect(show.overview).toBe('Second')
      expect(Object.keys(show.streamingOptions)).toEqual([n % 2 === 0 ? 'us' : 'de'])
    }
  }
})
