import { expect, test } from 'vitest'
import { field, fieldsOf, listOf } from './header-fields.ts'

test('a field is a line', () => {
  expect(field('X-Quota-Used', '12')).toBe('X-Quota-Used: 12\r\n')
  expect(field('X-Title', 'caf\xe9\t: 12')).toBe('X-Title: caf\xe9\t: 12\r\n')
})

test.each(['a\r\nSet-Cookie: b', 'a\nb', '\0', '\x7f', 'ł'])('a field cannot hold %j', (value) => {
  expect(() => field('X-Title', value)).toThrow('The header X-Title cannot hold')
  expect(() => fieldsOf(['X-First', 'good', 'X-Title', value])).toThrow('The header X-Title cannot hold')
})

test('a list becomes fields, and fields become the list', () => {
  const list = ['Vary', 'Accept-Encoding, Origin', 'RateLimit', '"quota";r=1;t=2, "rate";r=3', 'Empty', '', 'A', ': b']
  expect(listOf(fieldsOf(list))).toEqual(list)
  expect(listOf('')).toEqual([])
})
