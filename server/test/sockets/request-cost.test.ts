import { describe, expect, it } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { aTestService } from '../support/test-service.ts'

const MAX_PROCESSOR_MS = 5

/** A request that takes too long is repeated this often: the first runs of code are slow, and garbage is collected. */
const REPEATS = 20

/** About what a URL, and far more than what a header of a browser may have. */
const INPUT_BYTES = 8_000

/** Parts whose repetition is hard on parsers, sorts and regular expressions. */
const PARTS = [
  'a',
  ' ',
  ',',
  'a,',
  '%20',
  '%F0%9F%8E%AC',
  '-',
  'en-',
  'en;q=0.1,',
  '"',
  'W/"a",',
  '(',
  '.',
  'a=b; ',
  '1',
]

const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'access-control-request-headers',
  'cookie',
  'if-none-match',
  'origin',
  'prefer',
  'referer',
  'x-api-key',
  'x-forwarded-for',
  'x-request-id',
]

/** Parameters that take text, by path. */
const PARAMETERS = {
  '/shows/1': ['country', 'output_language'],
  '/shows': ['ids'],
  '/shows/search/filters': ['catalogs', 'genres', 'show_original_language', 'year_min', 'keyword', 'people', 'cursor'],
  '/shows/search/title': ['title', 'catalogs', 'genres'],
  '/shows/top': ['service'],
  '/people/search': ['name'],
  '/changes': ['catalogs', 'from', 'cursor'],
  '/countries/us': ['output_language'],
}

const fill = (part: string, bytes = INPUT_BYTES) => part.repeat(Math.ceil(bytes / part.length)).slice(0, bytes)

/** A URL component of a part, cut where no percent-encoding is broken. */
const fillUrl = (part: string) => {
  const encoded = /^%/.test(part) ? part : encodeURIComponent(part)
  return encoded.repeat(Math.floor(INPUT_BYTES / encoded.length))
}

interface TestRequest {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body?: string
}

describe(`8 KB of input cost less than ${MAX_PROCESSOR_MS} ms of processor time`, async () => {
  const shows = Array.from({ length: 40 }, (_, i) => aMovie({ id: String(i + 1), title: `The Show ${i}` }))
  const service = await aTestService(aSnapshot(...shows))
  const key = { 'x-api-key': service.directKey }

  async function measure({ url, headers, body }: TestRequest): Promise<number> {
    const before = process.cpuUsage()
    const { status } = await service.raw(url, headers, body === undefined ? 'GET' : 'POST', body)
    const { user, system } = process.cpuUsage(before)
    expect(status).not.toBe(500)
    return (user + system) / 1000
  }

  /** What a long input costs more than a short one, in processor time: the least of some tries of both. */
  async function cost(long: TestRequest, short: TestRequest): Promise<number> {
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < REPEATS && least > MAX_PROCESSOR_MS; i++) {
      const ofShort = await measure(short)
      least = Math.min(least, (await measure(long)) - ofShort)
    }
    return least
  }

  it.each(HEADERS)('in the header %s', async (name) => {
    for (const part of PARTS) {
      for (const url of ['/v4/genres', '/browse', '/nowhere']) {
        const short = { url, headers: { ...key, accept: 'text/html' } }
        const long = { url, headers: { ...short.headers, [name]: fill(part) } }
        expect([part, url, await cost(long, short)]).toEqual([part, url, expect.toSatisfy(isCheap)])
      }
    }
  })

  it.each(Object.entries(PARAMETERS))('in a parameter of %s', async (path, names) => {
    const short = { url: `/v4${path}?country=us`, headers: key }
    const required = 'country=us&title=a&name=a&ids=1&service=netflix&change_type=new&item_type=show'
    for (const name of [...names, 'unknown']) {
      const others = required.split('&').filter((pair) => !pair.startsWith(`${name}=`))
      for (const part of PARTS.slice(0, 8)) {
        const url = `/v4${path}?${name}=${fillUrl(part)}`.slice(0, 8_100).replace(/%[0-9A-F]?$/, '')
        const target = `${url}&${others.join('&')}`.slice(0, 8_190)
        expect([name, part, await cost({ url: target, headers: key }, short)]).toEqual([
          name,
          part,
          expect.toSatisfy(isCheap),
        ])
      }
    }
    const many = Array.from({ length: 1_500 }, (_, i) => `a${i}=`).join('&')
    expect(await cost({ url: `/v4${path}?${many}`, headers: key }, short)).toBeLessThan(MAX_PROCESSOR_MS)
  })

  it('in a path, and in a body', async () => {
    for (const part of [...PARTS, '/', '../', '%2e%2e%2f']) {
      for (const prefix of ['/', '/v4/shows/', '/v4/countries/', '/show/', '/artwork/', '/docs/api/', '/assets/'])
        expect([
          prefix,
          part,
          await cost({ url: prefix + fillUrl(part), headers: key }, { url: `${prefix}a`, headers: key }),
        ]).toEqual([prefix, part, expect.toSatisfy(isCheap)])
    }
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const request = (body: string) => ({ url: '/platform/keys', headers, body })
    for (const part of ['[', '{"a":', '"', '0', '"\\u0000",', ' '])
      expect([part, await cost(request(fill(part)), request('{}'))]).toEqual([part, expect.toSatisfy(isCheap)])
  })
})

function isCheap(milliseconds: number): boolean {
  return milliseconds < MAX_PROCESSOR_MS
}
