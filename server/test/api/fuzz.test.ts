import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../../src/http/api/endpoints.ts'
import { aMovie, aSeries, aSnapshot } from '../support/builders.ts'
import { runFactor } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

/** A small generator of random numbers, so that a failing run can be repeated. */
function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
  return {
    whole: (below: number) => Math.floor(next() * below),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    chance: (part: number) => next() < part,
  }
}

type Random = ReturnType<typeof randomOf>

const names = [...new Set(ENDPOINTS.flatMap(({ parameters }) => Object.keys(parameters.properties)))]
const goodValues = [
  'us',
  'US',
  'gb',
  'movie',
  'series',
  'new',
  'removed',
  'show',
  'episode',
  'asc',
  'desc',
  'rating',
  'drama',
  'netflix',
  '50',
  'en',
  'true',
]
const badValues = [
  '',
  ' ',
  '%',
  '%zz',
  '%00',
  '%ff%fe',
  '%F0%9F%98%80',
  '..%2f..%2fetc%2fpasswd',
  "'%20or%201=1--",
  '%3Cscript%3E',
  '-1',
  '0x10',
  '1e9',
  '99999999999999999999',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  '[object%20Object]',
  '__proto__',
  'constructor',
  'toString',
  ',,,',
  ',',
  'netflix.',
  '.netflix',
  'netflix.addon.',
  'netflix..addon',
  'prime.addon.starz.x',
  'a'.repeat(3000),
  '1:',
  ':1',
  '1:2',
  '1:2:rating.desc',
  '1::rating.desc',
  '1:NaN:rating.desc',
  '9999999999999999:1:rating.desc',
  '1:😀:original_title.asc',
  '1773576000:1:0:0:netflix:subscription::new.show.asc',
  '1:1:99999:1:a:b:c:new.show.asc',
  '-5:1:0:0::::new.show.asc',
  '\ud800',
  '+',
  '&',
  '=',
  '?',
  '#',
  ';',
  '%0d%0aX-Evil:1',
  '%E0%A4%A',
  '𝟙𝟚',
]
const paths = [
  '/shows/',
  '/shows',
  '/shows/1',
  '/shows/tt1',
  '/shows/movie/1',
  '/shows/movie%2F1',
  '/shows/movie/1/2',
  '/shows/%2e%2e',
  '/shows/%',
  '/shows/%ff',
  '/shows/search',
  '/shows/search/filters',
  '/shows/search/title',
  '/shows/top',
  '/changes',
  '/countries',
  '/countries/us',
  '/countries/%00',
  '/genres',
  '//',
  '/v4',
  '/v4/v4/shows/1',
  '/docs/assets/../../package.json',
  '/docs/assets/%2e%2e%2fpackage.json',
  '/artwork/x',
  '/openapi.json',
  '/readyz',
  '/%F0%9F%98%80',
  '/SHOWS/1',
  '*',
]

function randomUrl(random: Random): string {
  const path = random.chance(0.05) ? `/${random.pick(badValues)}` : random.pick(paths)
  const pairs = Array.from({ length: random.whole(7) }, () => {
    const name = random.chance(0.85) ? random.pick(names) : random.pick(badValues)
    const value = random.chance(0.5) ? random.pick(goodValues) : random.pick(badValues)
    return random.chance(0.1) ? name : `${name}=${value}`
  })
  return `${random.chance(0.7) ? '/v4' : ''}${path}${pairs.length > 0 ? `?${pairs.join(random.chance(0.95) ? '&' : '&&')}` : ''}`
}

function randomHeaders(random: Random, key: string): Record<string, string> {
  const headers: Record<string, string> = random.chance(0.9) ? { 'x-api-key': key } : {}
  const some: [string, string[]][] = [
    ['x-api-key', ['', 'x', 'mq-key-', 'a'.repeat(2000), '"', `${key} `]],
    ['x-market-api-key', ['x', key]],
    ['if-none-match', ['*', '*', '""', 'W/"', '"a","b"', 'W/"1-x-zzzzzzzzzzzz"', ',,,', 'a'.repeat(4000)]],
    ['accept-encoding', ['gzip', 'br', '*', 'gzip;q=0', 'identity;q=0', 'br;q=abc', ';;;', 'zstd', 'gzip;q=1;q=0']],
    ['prefer', ['handling=strict', 'handling=lenient', ';', 'handling="strict"; x=y']],
    ['origin', ['null', 'https://evil.test', 'x'.repeat(500)]],
    ['x-request-id', ['abc', 'a b', 'é', 'x'.repeat(300)]],
    ['content-length', ['0']],
    ['range', ['bytes=0-1']],
    ['host', ['evil.test', '']],
  ]
  for (const [name, values] of some) if (random.chance(0.2)) headers[name] = random.pick(values)
  return headers
}

describe('malformed requests', () => {
  let service: TestService
  let port: number

  beforeAll(async () => {
    service = await TestService.open(temporaryFolder(afterAll))
    await service.import(
      aSnapshot(...Array.from({ length: 60 }, (_, i) => (i % 2 ? aMovie : aSeries)({ id: String(i + 1) }))),
    )
    await service.app.listen({ port: 0, host: '127.0.0.1' })
    port = (service.app.server.address() as AddressInfo).port
  })
  afterAll(() => service.close())

  it('never make the service fail: thousands of them by URL and headers', async () => {
    const random = randomOf(20_260_315)
    const statuses: Record<number, number> = {}
    for (let i = 0; i < 6_000 * runFactor; i++) {
      const url = randomUrl(random)
      const headers = randomHeaders(random, service.directKey)
      const method = random.chance(0.9)
        ? 'GET'
        : random.pick(['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH'] as const)
      const { statusCode, body } = await service.app.inject({
        method,
        url: Buffer.from(url).toString('latin1'),
        headers,
      })
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      expect(statusCode, `${method} ${url} ${JSON.stringify(headers)} ${body.slice(0, 200)}`).toBeLessThan(500)
    }
    // The mix must produce responses too, not only rejections by the first check.
    for (const status of [200, 304, 400, 401, 404, 405])
      expect(statuses[status], `status ${status}`).toBeGreaterThan(20)
  })

  it('never make the service fail: a thousand of them as bytes on a socket', async () => {
    const random = randomOf(4)
    const pieces = [
      'GET ',
      'POST ',
      'G\0T ',
      '/',
      '/v4/shows/1',
      '/v4/genres',
      ' HTTP/1.1',
      ' HTTP/9.9',
      ' HTP/1.1',
      '\r\n',
      '\n',
      '\r',
      'Host: x',
      'host:',
      ': x',
      'X-API-Key: ',
      'X-API-Key: \x01',
      'Content-Length: 5',
      'Content-Length: -1',
      'Transfer-Encoding: chunked',
      'Connection: close',
      'Expect: 100-continue',
      '\u00ff\u00fe',
      '0\r\n\r\n',
      'a'.repeat(9000),
      'Upgrade: websocket',
    ]
    const ask = async () => {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('error', () => {})
      const bytes = Array.from({ length: 1 + random.whole(9) }, () => random.pick(pieces)).join('')
      const closed = once(socket, 'close')
      socket.end(
        Buffer.from(`${random.chance(0.5) ? 'GET /v4/genres HTTP/1.1\r\nHost: x\r\n' : ''}${bytes}\r\n\r\n`, 'latin1'),
      )
      await closed
      for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm))
        expect(Number(status), JSON.stringify(bytes)).toBeLessThan(500)
    }
    for (let i = 0; i < 2_000 * runFactor; i += 20) await Promise.all(Array.from({ length: 20 }, ask))
    expect((await service.get('/genres')).status).toBe(200)
  })
})
