import { Writable } from 'node:stream'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import type { ApiRequest } from './exchange.ts'
import { createRequestLog } from './request-log.ts'

describe('the request log', () => {
  const secret = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0'
  const marketplaceKey = 'a1b2c3d4e5'.repeat(5)

  function logged(url: string): string {
    const lines: string[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const log = createRequestLog(pino({ level: 'error' }, stream), 'mq-key-')
    log.logError({ method: 'GET', url, headers: {} } as unknown as ApiRequest, 'id', new Error('failed'))
    return (JSON.parse(lines[0] as string) as { url: string }).url
  }

  it.each([
    ['a direct key', `/v4/genres?key=mq-key-${secret}`],
    ['a marketplace key', `/genres?key=${marketplaceKey}`],
    ['a key with an encoded hyphen', `/v4/genres?key=mq%2Dkey%2D${secret}`],
    ['a key that is encoded letter by letter', `/genres?key=${[...marketplaceKey].map(encode).join('')}`],
    ['a key that is encoded twice', `/v4/genres?key=mq%252Dkey-${secret}`],
  ])('masks %s', (_, url) => {
    const text = logged(url)
    expect(text).toMatch(/^\/(v4\/)?genres.*\*\*\*/)
    expect(decodeURIComponent(text)).not.toContain(secret)
    expect(decodeURIComponent(text)).not.toContain(marketplaceKey)
  })

  it('leaves encoded text without a secret as it is', () => {
    const url = '/v4/shows/search/title?title=caf%C3%A9%20100%25&country=us'
    expect(logged(url)).toBe(url)
  })

  it('cuts long URLs', () => {
    expect(logged(`/v4/${'x-'.repeat(5_000)}`).length).toBeLessThan(2_100)
  })

  function encode(letter: string): string {
    return `%${letter.charCodeAt(0).toString(16)}`
  }
})
