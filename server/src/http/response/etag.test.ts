import { describe, expect, test } from 'vitest'
import { findFreshETag, formatETag, hashUrl, matchesETag, parseETag } from './etag.ts'

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
