import { expect, test } from 'vitest'
import { GenerationalCache, VersionedCache } from './cache.ts'

const cache = (maxBytes = 100) =>
  new VersionedCache<string, string>({ name: 'test', maxBytes, sizeOf: (value) => value.length })

test('a value is found under the version that it was set for, and under no other', () => {
  const words = cache()
  words.set('a', 'one', 1)
  expect(words.get('a', 1)).toBe('one')
  expect(words.get('a', 2)).toBeUndefined()
  expect(words.get('a', 1), 'an outdated entry is dropped at the look-up that finds it outdated').toBeUndefined()
})

test('the least recently used entries are evicted beyond the limit in bytes', () => {
  const words = cache(10)
  words.set('a', 'aaaa')
  words.set('b', 'bbbb')
  words.get('a')
  words.set('c', 'cccc')
  expect([words.get('a'), words.get('b'), words.get('c')]).toEqual(['aaaa', undefined, 'cccc'])
  expect(words.stats()).toMatchObject({ entries: 2, bytes: 8, maxBytes: 10, evictions: 1 })
})

test('a value larger than the cache is not kept', () => {
  const words = cache(3)
  words.set('a', 'four')
  expect(words.get('a')).toBeUndefined()
  expect(words.stats()).toMatchObject({ entries: 0, bytes: 0 })
})

test('hits and misses are counted', () => {
  const words = cache()
  expect(words.getOrCompute('a', 1, () => 'made')).toBe('made')
  expect(words.getOrCompute('a', 1, () => 'made again')).toBe('made')
  expect(words.stats()).toMatchObject({ name: 'test', hits: 1, misses: 1 })
})

const generations = (limits: { readonly maxBytes?: number; readonly maxEntries?: number } = {}) =>
  new GenerationalCache<string, string>({ name: 'test', maxBytes: 100, sizeOf: (value) => value.length, ...limits })

test('generations: what was used since the last change of generation stays, the rest is evicted', () => {
  const words = generations({ maxEntries: 4 })
  for (const key of ['a', 'b']) words.set(key, key)
  words.set('c', 'c')
  expect(words.get('a'), 'in the old generation').toBe('a')
  words.set('d', 'd')
  expect([words.get('a'), words.get('b'), words.get('c'), words.get('d')]).toEqual(['a', undefined, 'c', 'd'])
  expect(words.stats()).toMatchObject({ entries: 3, bytes: 3, evictions: 1, hits: 4, misses: 1 })
})

test('generations: no more bytes than the limit, and nothing that is larger than a generation', () => {
  const words = generations({ maxBytes: 20 })
  for (let i = 0; i < 50; i++) {
    words.set(String(i), 'four')
    expect(words.stats().bytes).toBeLessThanOrEqual(20)
  }
  expect(words.get('49')).toBe('four')
  words.set('long', 'eleven byte')
  expect(words.get('long')).toBeUndefined()
})

test('generations: another version finds nothing that was set before', () => {
  const words = generations()
  words.set('a', 'one', 1)
  expect(words.get('a', 1)).toBe('one')
  expect(words.get('a', 2)).toBeUndefined()
  expect(words.get('a', 1)).toBeUndefined()
  expect(words.stats()).toMatchObject({ entries: 0, bytes: 0 })
})
