import { expect, test } from 'vitest'
import { oldPathError, presentPath } from './old-paths.ts'

test.each([
  ['/get', '/shows/{id}'],
  ['/get/basic?country=us&imdb_id=tt0068646', '/shows/tt0068646'],
  ['/get?tmdb_id=movie%2F597', '/shows/movie/597'],
  ['/get?tmdb_id=nonsense', '/shows/{id}'],
  ['/get/title?title=x', '/shows/search/title'],
  ['/search/title?title=x&country=us', '/shows/search/title'],
  ['/search/basic', '/shows/search/filters'],
  ['/search/pro', '/shows/search/filters'],
  ['/search/ultra', '/shows/search/filters'],
  ['/search/filters', '/shows/search/filters'],
  ['/services', '/countries'],
  ['/country', '/countries'],
  ['/country/us', '/countries/{country-code}'],
  ['/leaving?country=us', '/changes?change_type=expiring'],
  ['/v2/get/basic?imdb_id=tt1', '/shows/tt1'],
  ['/v2/search/title/', '/shows/search/title'],
  ['/v2/services', '/countries'],
  ['/v2/countries', '/countries'],
  ['/v2/leaving', '/changes?change_type=expiring'],
  ['/v3/shows/tt0068646?country=us', '/shows/tt0068646'],
  ['/v3/genres', '/genres'],
  ['/v1/changes', '/changes'],
  ['/v4/get', '/shows/{id}'],
  ['/v4/search/title', '/shows/search/title'],
  ['/v3', ''],
  ['/v2/show/details', ''],
])('%s is now %s', (url, present) => {
  expect(presentPath(url)).toBe(present)
})

test.each([
  '/',
  '/v4',
  '/v4/nowhere',
  '/v5/genres',
  '/v22/get',
  '/getting',
  '/search',
  '/shows/get',
  '/countries/us/x',
])('%s is of no older version', (url) => {
  expect(presentPath(url)).toBeUndefined()
  expect(oldPathError(url)).toBeUndefined()
})

test('the message names the present path on both bases', () => {
  expect(oldPathError('/search/title?title=x')).toMatchObject({
    code: 'not_found',
    message:
      'The path "/search/title" is of an older version of this API; the present path is /v4/shows/search/title with a ' +
      'direct key, /shows/search/title with a marketplace key.',
  })
  expect(oldPathError('/v3')?.message).toContain('the present one is /v4')
})
