import { describe, expect, test } from 'vitest'
import { extractQueryString, parseQueryString } from './parameter-parser.ts'

test('the query string is what follows the question mark', () => {
  expect(extractQueryString('/genres')).toBe('')
  expect(extractQueryString('/genres?a=1?b')).toBe('a=1?b')
  expect(extractQueryString('/genres?a=1#b')).toBe('a=1')
})

describe('pairs', () => {
  test.each([
    ['', []],
    ['&&', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a+b=c+d%2Be', [['a b', 'c d+e']]],
    ['title=Am%C3%A9lie', [['title', 'Amélie']]],
    ['__proto__=1', [['__proto__', '1']]],
  ])('%s', (search, pairs) => {
    expect(parseQueryString(search)).toEqual(pairs)
  })

  test.each(['a=%', 'a=%zz', 'a=%ff', '%=1'])('%s is refused', (search) => {
    expect(() => parseQueryString(search)).toThrow(expect.objectContaining({ code: 'invalid_parameter' }))
  })
})
