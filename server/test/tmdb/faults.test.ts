import { describe, expect, test } from 'vitest'
import type { ProviderMapping } from '../../src/connectors/providers/provider-directory.ts'
import type { Fault } from '../support/faults.ts'
import { aTestService } from '../support/test-service.ts'
import { failFirst } from '../support/title-faults.ts'
import { aClient, aStandIn, createSync, instantTimer } from '../support/tmdb/sync-with.ts'

async function aSync({ movies = 12, series = 0 } = {}) {
  const service = await aTestService()
  const standIn = await aStandIn({ movies, series, now: () => service.now })
  return { service, standIn, sync: createSync(service, standIn) }
}

const FEW = { movies: 6, series: 3 }

/** A mapping that affects no title. Another mapping is another scope, so all titles are fetched again. */
function mappingFor(turn: number): ProviderMapping {
  return new Map([[99_999, { service: `none-${turn}` }]])
}

describe('a fault that passes', () => {
  const faults: Record<string, Fault> = {
    'status 500': { kind: 'status', status: 500 },
    'status 503': { kind: 'status', status: 503 },
    'a truncated body': { kind: 'cut' },
    'invalid JSON': { kind: 'no-json' },
    'JSON of another shape': { kind: 'body', body: [1, 2, 3] },
    'an answer without its providers': { kind: 'body', body: { id: 3, title: 'Bare', external_ids: {} } },
    'an error document with status 200': { kind: 'body', body: { success: false, status_code: 11 } },
  }
  test('of any kind, on any path, delays a sync and loses nothing', async () => {
    const clean = await aSync(FEW)
    await clean.sync()
    const { service, standIn, sync } = await aSync(FEW)
    for (const [turn, [name, fault]] of Object.entries(faults).entries()) {
      standIn.fault = failFirst(fault, 2)
      const report = await sync({ mapping: mappingFor(turn) })
      expect({ name, failures: report.failures, fetched: report.fetched }).toEqual({ name, failures: [], fetched: 9 })
      expect(service.ledger.catalog.counts()).toEqual(clean.service.ledger.catalog.counts())
    }
  })

  test('of status 429 pauses all requests for the time of Retry-After', async () => {
    const { standIn } = await aSync()
    standIn.fault = failFirst({ kind: 'status', status: 429, retryAfter: '7' }, 1, (path) => path === '/3/movie/1')
    const timer = instantTimer()
    const client = aClient(standIn, { timer })
    expect(await client.get('/3/movie/1', {})).toMatchObject({ id: 1 })
    expect(Math.max(...timer.slept)).toBeGreaterThan(6_900)
    expect(standIn.count('/3/movie/1')).toBe(2)
  })

  test('in a daily file makes it be read again from the start', async () => {
    const { standIn, sync } = await aSync(FEW)
    let cut = 0
    standIn.exportFault = () => (cut++ < 2 ? { kind: 'cut' } : undefined)
    const report = await sync()
    expect(report.fetched).toBe(9)
  })
})

describe('a fault that stays', () => {
  test('on one title keeps its offers, is reported, and is retried by the next sync', async () => {
    const { service, standIn, sync } = await aSync(FEW)
    await sync()
    const before = await service.get('/shows/movie/5')
    service.now += 2 * 86_400
    standIn.change('movie', 5)
    standIn.change('movie', 6)
    standIn.fault = (path) => (path === '/3/movie/5' ? { kind: 'status', status: 500 } : undefined)
    const report = await sync()
    expect(report.failures).toMatchObject([{ key: 'movie/5', problem: expect.stringContaining('500') }])
    expect(report.fetched).toBe(1)
    expect((await service.get('/shows/movie/5')).body).toEqual(before.body)
    standIn.fault = () => undefined
    service.now += 86_400
    const next = await sync()
    expect(next).toMatchObject({ failures: [], fetched: expect.any(Number) })
    expect((await service.get('/shows/movie/5')).body.overview).toContain('revision 1')
  })

  test('of a rejected token stops the sync at once, with the message of TMDB', async () => {
    const { standIn, sync } = await aSync()
    await expect(sync({ client: { token: 'wrong' } })).rejects.toThrow(/does not accept the token: Invalid API key/)
    expect(standIn.requests.length).toBeLessThanOrEqual(2)
  })

  test('never prints an API key of 32 digits, which is sent as a parameter', async () => {
    const { standIn } = await aSync()
    const token = '0123456789abcdef0123456789abcdef'
    const failure = aClient(standIn, { token }).get('/3/movie/1', {})
    await expect(failure).rejects.toThrow(expect.not.stringContaining(token))
    expect(standIn.requests.at(-1)).toBe(`/3/movie/1?api_key=${token}`)
  })

  test('with a Retry-After of hours is reported instead of waited for', async () => {
    const { standIn, sync } = await aSync()
    standIn.fault = () => ({ kind: 'status', status: 429, retryAfter: '7200' })
    await expect(sync()).rejects.toThrow(/no request for 7200 seconds/)
  })

  test('of all requests stops the sync, and the next one resumes it', async () => {
    const { service, standIn, sync } = await aSync({ movies: 60, series: 0 })
    let answered = 0
    standIn.fault = (path) =>
      /^\/3\/movie\/\d+$/.test(path) && ++answered > 30 ? { kind: 'status', status: 502 } : undefined
    const client = { attempts: 2 }
    await expect(sync({ kinds: ['movie'], client })).rejects.toThrow(/502/)
    expect(service.ledger.catalog.counts().shows).toBe(30)
    standIn.fault = () => undefined
    const first = standIn.requests.length
    const report = await sync({ kinds: ['movie'] })
    const again = standIn.requests.slice(first).map((path) => path.split('?')[0])
    // Failed titles wait for the next sync, fetched ones are not requested again, and the plan is kept.
    expect(report.resumed).toBe(true)
    expect(again.every((path) => /^\/3\/movie\/\d+$/.test(path ?? ''))).toBe(true)
    expect(again).toHaveLength(60 - 30 - report.failures.length)
    await sync({ kinds: ['movie'] })
    expect(service.ledger.catalog.counts().shows).toBe(60)
  })

  test('that would remove most offers is not imported without --force', async () => {
    const { service, standIn, sync } = await aSync({ movies: 60, series: 0 })
    await sync({ kinds: ['movie'] })
    const before = service.ledger.catalog.counts()
    service.now += 8 * 86_400
    standIn.answer = (document) =>
      'watch/providers' in document ? { ...document, 'watch/providers': { results: {} } } : document
    await expect(sync({ kinds: ['movie'] })).rejects.toThrow(/would remove \d+ of \d+ offers/)
    expect(service.ledger.catalog.counts()).toEqual(before)
    // Once TMDB is sound again, the same titles are fetched again.
    standIn.answer = (document) => document
    expect((await sync({ kinds: ['movie'] })).fetched).toBe(60)
    expect(service.ledger.catalog.counts()).toEqual(before)
    service.now += 8 * 86_400
    standIn.answer = (document) =>
      'watch/providers' in document ? { ...document, 'watch/providers': { results: {} } } : document
    await sync({ kinds: ['movie'], force: true })
    expect(service.ledger.catalog.counts().offers).toBe(0)
  })

  test('of 300 MB in one answer is aborted after a few', async () => {
    const { standIn } = await aSync()
    let poured = 0
    standIn.fault = () => ({ kind: 'huge', megabytes: 300, onPoured: () => poured++ })
    const client = aClient(standIn, { maxBytes: 8 << 20 })
    await expect(client.get('/3/movie/1', {})).rejects.toThrow(/more than 8388608 bytes/)
    expect(standIn.requests).toHaveLength(1)
    expect(poured).toBeGreaterThanOrEqual(8)
    expect(poured).toBeLessThan(100)
  })

  test('of an answer that never ends is aborted by the timeout', async () => {
    const { standIn } = await aSync()
    standIn.fault = () => ({ kind: 'drip' })
    const client = aClient(standIn, { timeoutMs: 60, attempts: 2 })
    await expect(client.get('/3/movie/1', {})).rejects.toThrow(/took too long \(tried 2 times\)/)
  })
})
