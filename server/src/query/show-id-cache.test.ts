import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ShowIdCache } from './show-id-cache.ts'

const number = fc.oneof(fc.nat(50), fc.nat(), fc.nat(10 ** 15 - 1).map(Number))
const numbered = fc
  .tuple(fc.constantFrom('', 'tt', 'movie/', 'tv/'), number, fc.nat(3))
  .map(([prefix, value, zeros]) => `${prefix}${'0'.repeat(zeros)}${value}`)
const id = fc.oneof({ weight: 8, arbitrary: numbered }, fc.constantFrom('', 'tt', 'tt1a', 'x/1', 'movie/', '-1', '1.5'))

it('finds the document that was set last for an id, in one version', () => {
  const step = fc.record({ id, doc: fc.nat(2 ** 31), version: fc.constantFrom(1, 1, 1, 1, 2) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = new ShowIdCache()
      const model = new Map<string, number>()
      let present = 0
      for (const { id, doc, version } of steps) {
        if (version !== present) model.clear()
        present = version
        const found = cache.get(id, version)
        // An id without a number is not kept.
        if (found !== undefined || /^(?:|tt|movie\/|tv\/)\d{1,15}$/.test(id)) expect(found).toBe(model.get(id))
        cache.set(id, doc, version)
        model.set(id, doc)
      }
    }),
  )
})

it('keeps thousands of ids apart while it grows, and starts again when it is full', () => {
  const cache = new ShowIdCache()
  const ids = Array.from({ length: 50_000 }, (_, i) => `tt${String(i * 7).padStart(7, '0')}`)
  ids.forEach((id, doc) => {
    cache.set(id, doc, 1)
  })
  expect(ids.map((id) => cache.get(id, 1))).toEqual(ids.map((_, doc) => doc))
  for (let i = 0; i < 100_000; i++) cache.set(`movie/${i}`, i, 1)
  expect(cache.meter.evictions).toBeGreaterThan(0)
  expect(cache.get('movie/99999', 1)).toBe(99_999)
})
