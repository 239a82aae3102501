import { expect, it } from 'vitest'
import { CachedRoute, RouteCache } from './route-cache.ts'

const route = (url: string) => new CachedRoute(url, 0, {}, () => {}, '')

/** A cache with some routes, whose URLs have come twice. */
function createCache(...routes: CachedRoute[]): RouteCache {
  const cache = new RouteCache()
  for (const one of [...routes, ...routes]) cache.put(one)
  return cache
}

it('caches a route when its URL comes for the second time', () => {
  const cache = new RouteCache()
  const [first, second] = [route('/genres'), route('/genres')]
  cache.put(first)
  expect(first.isRepeated).toBe(false)
  expect(cache.get('/genres')).toBeUndefined()
  cache.put(second)
  expect(second.isRepeated).toBe(true)
  expect(cache.get('/genres')).toBe(second)
})

it('finds routes of the last two generations, also by the URL of a hundred ids', () => {
  const long = `/shows?ids=${Array.from({ length: 100 }, (_, i) => `tt${10_000_000 + i}`).join('%2C')}`
  const routes = [route('/genres'), route(long)]
  const cache = createCache(...routes)
  expect(routes.map(({ url }) => cache.get(url))).toEqual(routes)
  expect(cache.get('/countries')).toBeUndefined()
})

it('evicts what was not used for a generation, and takes no more bytes than it says', () => {
  const [used, unused] = [route('/used'), route('/unused')]
  const cache = createCache(used, unused)
  for (let i = 0; i < 10_000; i++) {
    const other = route(`/shows?ids=${i}${'0'.repeat(3000)}`)
    cache.put(other)
    cache.put(other)
    cache.get(used.url)
  }
  expect(cache.get(used.url)).toBe(used)
  expect(cache.get(unused.url)).toBeUndefined()
  const [stats] = cache.caches().map((one) => one.stats())
  expect(stats?.bytes).toBeLessThanOrEqual(stats?.maxBytes ?? 0)
  expect(stats?.entries).toBeLessThan(2000)
})

it('does not hold a URL that is longer than any useful one', () => {
  const endless = route(`/shows?ids=${'1'.repeat(5000)}`)
  const cache = createCache(endless)
  expect(cache.get(endless.url)).toBeUndefined()
})
