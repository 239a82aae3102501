import { expect, it } from 'vitest'
import { readShowId, showPath } from './show-path.ts'

it.each([
  ['The Godfather', '/show/7/the-godfather'],
  ['Amélie — Le Fabuleux Destin', '/show/7/amelie-le-fabuleux-destin'],
  ['Ocean’s 8', '/show/7/oceans-8'],
  ['千と千尋', `/show/7/${encodeURIComponent('千と千尋')}`],
  ['???', '/show/7'],
  ['a/../b?c#d', '/show/7/a-b-c-d'],
  ['x'.repeat(300), `/show/7/${'x'.repeat(80)}`],
])('gives "%s" the path %s', (originalTitle, path) => {
  expect(showPath({ id: '7', originalTitle })).toBe(path)
  expect(readShowId(path.slice('/show/'.length))).toBe('7')
})

it.each([
  ['tt0068646', 'tt0068646'],
  ['67', '67'],
  ['67/', '67'],
  ['67/anything', '67'],
  ['movie/238', 'movie/238'],
  ['tv/1396/breaking-bad', 'tv/1396'],
  ['movie/238/', 'movie/238'],
  ['a%20b', 'a b'],
])('reads of %s the id %s', (rest, id) => {
  expect(readShowId(rest)).toBe(id)
})
