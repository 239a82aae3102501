import { describe, expect, test } from 'vitest'
import { chooseEncoding, createCompressor } from './compression.ts'

describe('the choice of a content coding', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['BR', 'br'],
    ['x-gzip', 'gzip'],
    ['deflate', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip ; q = 0.8', 'gzip'],
    ['gzip;q=rubbish', 'gzip'],
    [';;,,', undefined],
  ])('%s: %s', (header, encoding) => {
    expect(chooseEncoding(header, 10_000)).toBe(encoding)
  })

  test('short bodies stay uncompressed, unless identity is rejected', () => {
    expect(chooseEncoding('br, gzip', 1023)).toBeUndefined()
    expect(chooseEncoding('br, gzip', 1024)).toBe('br')
    expect(chooseEncoding('gzip, identity;q=0', 10)).toBe('gzip')
    expect(chooseEncoding('gzip, *;q=0', 10)).toBe('gzip')
  })
})

test('the cache is bounded with its keys included', async () => {
  const compressor = createCompressor()
  const body = { bytes: Buffer.alloc(5000, 'abc') }
  const key = 'k'.repeat(40 << 20)
  const made = await compressor.compress(key, body, 'gzip')
  expect(await compressor.compress(key, body, 'gzip')).not.toBe(made)
})

test('a compressed body is cached by its key, and compressed once', async () => {
  const compressor = createCompressor()
  const body = { bytes: Buffer.alloc(5000, 'abc') }
  const first = compressor.compress('a', body, 'br')
  expect(compressor.compress('a', body, 'br')).toBe(first)
  const made = await first
  expect(compressor.compress('a', body, 'br')).toBe(made)
  // What is cached holds no more memory than it has bytes.
  expect(made.buffer.byteLength).toBe(made.length)
  expect(await compressor.compress('a', body, 'gzip')).not.toEqual(made)
})
