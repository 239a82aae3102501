import { describe, expect, test } from 'vitest'
import {
  findFreshETag,
  formatETag,
  formatHeader,
  formatHeaders,
  hashUrl,
  matchesETag,
  parseETag,
  toHeaderList,
} from './headers.ts'

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

const hash = hashUrl('/genres?output_language=en', 'array')

describe('making tags', () => {
  test('a tag holds edition, URL and the end of its validity', () => {
    expect(formatETag('e36', 'abc', 1296)).toBe('W/"e36-abc-100"')
    expect(formatETag('1', 'abc', Infinity)).toBe('W/"1-abc--"')
  })

  test('a tag can be read again', () => {
    for (const validUntil of [1296, 1_900_000_000, Infinity]) {
      const text = formatETag('e36', 'abc', validUntil)
      expect(parseETag(text, 'e36')).toEqual({ text, contentHash: 'e36', validUntil })
    }
  })

  test('URLs and variants differ', () => {
    expect(hashUrl('/a', 'x')).not.toBe(hashUrl('/b', 'x'))
    expect(hashUrl('/a', 'x')).not.toBe(hashUrl('/a', 'y'))
    expect(hash).toMatch(/^[0-9a-z]{1,7}$/)
  })
})

describe('tags that come back', () => {
  const forever = formatETag('5', hash, Infinity)
  const timed = formatETag('5', hash, 1000)

  test.each([
    ['weak', forever],
    ['strong', forever.slice(2)],
    ['in a list', `"other", ${forever} ,W/"more"`],
    ['after an outdated one', `${formatETag('5', hash, 10)},${forever}`],
  ])('hold: %s', (_how, header) => {
    expect(findFreshETag(header, '5', hash, 100)).toBe(forever)
  })

  test('hold until their time', () => {
    expect(findFreshETag(timed, '5', hash, 999)).toBe(timed)
    expect(findFreshETag(timed, '5', hash, 1000)).toBeUndefined()
  })

  test.each([
    ['another version', formatETag('6', hash, Infinity)],
    ['another URL', formatETag('5', 'zzz', Infinity)],
    ['a star', '*'],
    ['rubbish', `"5-${hash}-`],
    ['rubbish in place of the time', `"5-${hash}-zzzzzzzzzzzzzzzz"`],
    ['nothing', ''],
  ])('do not hold: %s', (_how, header) => {
    expect(findFreshETag(header, '5', hash, 100)).toBeUndefined()
  })

  test('match a computed tag, weakly, or as a star', () => {
    expect(matchesETag('*', timed)).toBe(true)
    expect(matchesETag(`"a", ${timed.slice(2)}`, timed)).toBe(true)
    expect(matchesETag('"a"', timed)).toBe(false)
  })
})
