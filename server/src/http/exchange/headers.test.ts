import { expect, test } from 'vitest'
import { formatHeader, formatHeaders, toHeaderList } from './headers.ts'

test('a field is a line', () => {
  expect(formatHeader('X-Quota-Used', '12')).toBe('X-Quota-Used: 12\r\n')
  expect(formatHeader('X-Title', 'caf\xe9\t: 12')).toBe('X-Title: caf\xe9\t: 12\r\n')
})

test.each(['a\r\nSet-Cookie: b', 'a\nb', '\0', '\x7f', 'ł'])('a field cannot hold %j', (value) => {
  expect(() => formatHeader('X-Title', value)).toThrow('The header X-Title cannot hold')
  expect(() => formatHeaders(['X-First', 'good', 'X-Title', value])).toThrow('The header X-Title cannot hold')
})

test('a list becomes fields, and fields become the list', () => {
  const list = ['Vary', 'Accept-Encoding, Origin', 'RateLimit', '"quota";r=1;t=2, "rate";r=3', 'Empty', '', 'A', ': b']
  expect(toHeaderList(formatHeaders(list))).toEqual(list)
  expect(toHeaderList('')).toEqual([])
})
