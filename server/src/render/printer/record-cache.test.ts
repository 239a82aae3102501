import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot } from '../../../test/support/builders.ts'
import { cacheStats } from '../../../test/support/cache-stats.ts'
import { aTestService } from '../../../test/support/test-service.ts'
import { CatalogQueryEngine } from '../catalog-query-engine.ts'

const KILOBYTE = 1024
const COUNT = 40

/** Movies, and series whose seasons have entries of their own, from one to seven kilobytes. */
const shows = Array.from({ length: COUNT }, (_, i) => {
  const id = String(i + 1)
  const overview = 'x'.repeat(((i * 7) % 13) * 500)
  const streamingOptions = { us: [anOption()], de: [anOption({ link: 'https://a.test/de' })] }
  return i % 3 === 0 ? aSeries({ id, overview, streamingOptions }) : aMovie({ id, overview, streamingOptions })
})
const service = await aTestService(aSnapshot(...shows))
const createEngine = (maxShowBytes?: number) =>
  new CatalogQueryEngine(service.ledger.catalog, { ...(maxShowBytes !== undefined && { maxShowBytes }) })

function ask(engine: CatalogQueryEngine, id: number, country: string, granularity: 'show' | 'episode'): string {
  const query = { kind: 'show', id: String(id), countries: [country], granularity, language: 'en' } as const
  const { body, renderInTurns } = engine.execute(query, service.now) ?? {}
  const text = renderInTurns === undefined ? String(body?.bytes) : 'large'
  body?.release?.()
  return text
}

const request = fc.record({
  id: fc.integer({ min: 1, max: COUNT }),
  country: fc.constantFrom('us', 'de'),
  granularity: fc.constantFrom<('show' | 'episode')[]>('show', 'episode'),
})

it('answers alike however little it holds, and whatever was asked before', () => {
  const reference = createEngine()
  fc.assert(
    fc.property(fc.integer({ min: 16, max: 100 }), fc.array(request, { maxLength: 300 }), (kilobytes, requests) => {
      const engine = createEngine(kilobytes * KILOBYTE)
      for (const { id, country, granularity } of requests) {
        expect(ask(engine, id, country, granularity)).toBe(ask(reference, id, country, granularity))
      }
    }),
    { numRuns: 60 },
  )
})

it('counts what it finds, reads and evicts', () => {
  const engine = createEngine(32 * KILOBYTE)
  const stats = () => cacheStats(engine, 'shows')
  ask(engine, 2, 'us', 'show')
  ask(engine, 2, 'de', 'show')
  expect(stats()).toMatchObject({ hits: 1, misses: 1, entries: 1, evictions: 0 })
  for (let id = 1; id <= COUNT; id++) ask(engine, id, 'us', 'episode')
  const { entries, evictions, misses, bytes } = stats()
  expect(evictions).toBe(misses - entries)
  expect(entries).toBeGreaterThan(2)
  expect(bytes).toBeLessThanOrEqual(32 * KILOBYTE)
})

it('keeps what is used again while others come and go', () => {
  const engine = createEngine(32 * KILOBYTE)
  const others = Array.from({ length: COUNT }, (_, i) => i + 1).filter((id) => id !== 2)
  ask(engine, 2, 'us', 'show')
  for (const id of [...others, ...others]) {
    ask(engine, id, 'us', 'show')
    ask(engine, 2, 'us', 'show')
  }
  expect(cacheStats(engine, 'shows').misses).toBe(1 + 2 * others.length)
})

it('leaves records that it has no room for to be rendered in slices', () => {
  expect(ask(createEngine(8 * KILOBYTE), 12, 'us', 'episode')).toBe('large')
  expect(ask(createEngine(64 * KILOBYTE), 12, 'us', 'episode')).toContain('"id":"12"')
})

it('answers from one entry in all countries, until the show is altered', async () => {
  const engine = createEngine()
  const askBoth = () => ['us', 'de', 'us', 'de'].map((country) => JSON.parse(ask(engine, 2, country, 'show')))
  const expectAnswers = (overview: string) => {
    for (const [n, show] of askBoth().entries()) {
      expect(show.overview).toBe(overview)
      expect(Object.keys(show.streamingOptions)).toEqual([n % 2 === 0 ? 'us' : 'de'])
    }
  }
  expectAnswers('x'.repeat(7 * 500))
  await service.import(aDelta(aMovie({ ...shows[1], overview: 'Second' })))
  expectAnswers('Second')
})
