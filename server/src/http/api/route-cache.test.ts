import { expect, it } from 'vitest'
import { createRoute, RouteCache } from './route-cache.ts'

const route = (url: string) => createRoute(url, 0, {}, () => {}, '')

it('finds routes of the last two generations, also by the URL of a hundred ids', () => {
  const cache = new RouteCache()
  const long = `/shows?ids=${Array.from({ length: 100 }, (_, i) => `tt${10_000_000 + i}`).join('%2C')}`
  const routes = [route('/genres'), route(long)]
  for (const one of routes) cache.put(one)
  expect(routes.map(({ url }) => cache.get(url))).toEqual(routes)
  expect(cache.get('/countries')).toBeUndefined()
})

it('evicts what was not used for a generation, and takes no more bytes than it says', () => {
  const cache = new RouteCache()
  const [used, unused] = [route('/used'), route('/unused')]
  cache.put(used)
  cache.put(unused)
  for (let i = 0; i < 10_000; i++) {
    cache.put(route(`/shows?ids=${i}${'0'.repeat(3000)}`))
    cache.get(used.url)
  }
  expect(cache.get(used.url)).toBe(used)
  expect(cache.get(unused.url)).toBeUndefined()
  const [stats] = cache.caches().map((one) => one.stats())
  expect(stats?.bytes).toBeLessThanOrEqual(stats?.maxBytes ?? 0)
  expect(stats?.entries).toBeLessThan(2000)
})

it('does not hold a URL that is longer than any useful one', () => {
  const cache = new RouteCache()
  const endless = route(`/shows?ids=${'1'.repeat(5000)}`)
  cache.put(endless)
  expect(cache.get(endless.url)).toBeUndefined()
})
