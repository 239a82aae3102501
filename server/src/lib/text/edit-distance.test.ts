import { expect, test } from 'vitest'
import { editDistance, suggestName } from './edit-distance.ts'

const FILTERS = [
  'country',
  'catalogs',
  'output_language',
  'show_type',
  'genres',
  'genres_relation',
  'show_original_language',
  'year_min',
  'year_max',
  'rating_min',
  'rating_max',
  'keyword',
  'series_granularity',
  'order_by',
  'order_direction',
  'cursor',
]

test.each([
  ['genre', 'genres'],
  ['catalog', 'catalogs'],
  ['Country', 'country'],
  ['contry', 'country'],
  ['cuontry', 'country'],
  ['countryCode', 'country'],
  ['yearmin', 'year_min'],
  ['yearMin', 'year_min'],
  ['min_year', 'year_min'],
  ['year', 'year_min'],
  ['type', 'show_type'],
  ['language', 'output_language'],
  ['order', 'order_by'],
  ['keywords', 'keyword'],
  ['next_cursor', 'cursor'],
])('%s: %s was probably meant', (name, suggestion) => {
  expect(suggestName(name, FILTERS)).toBe(suggestion)
})

test.each([
  'x',
  'id',
  'page',
  'limit',
  'offset',
  'title',
  'service',
  'services',
  'utm_source',
  'callback',
  '_',
  '',
  'föo',
])('nothing is near %j', (name) => {
  expect(suggestName(name, FILTERS)).toBeUndefined()
})

test('a name of one or two letters is near only to a name that differs in one', () => {
  expect(suggestName('ot', ['from', 'to'])).toBe('to')
  expect(suggestName('a', ['from', 'to'])).toBeUndefined()
  expect(suggestName('ab', ['from', 'to'])).toBeUndefined()
})

test('the nearest name wins, the first of equals', () => {
  expect(suggestName('genre', ['genres_relation', 'genres', 'country'])).toBe('genres')
  expect(suggestName('abc', ['abx', 'aby'])).toBe('abx')
  expect(suggestName('x', [])).toBeUndefined()
})

test('a long name costs no time', () => {
  expect(suggestName('genres'.repeat(1_000), FILTERS)).toBeUndefined()
})

test('the distance counts insertions, deletions, replacements and swaps of neighbours', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('', 'abc')).toBe(3)
  expect(editDistance('same', 'same')).toBe(0)
  expect(editDistance('form', 'from')).toBe(1)
})

test('a distance beyond the limit is infinite', () => {
  expect(editDistance('kitten', 'sitting', 2)).toBe(Number.POSITIVE_INFINITY)
  expect(editDistance('kitten', 'sitting', 3.5)).toBe(3)
  expect(editDistance('a'.repeat(300), 'b'.repeat(300))).toBe(300)
})
