import { describe, expect, test } from 'vitest'
import type { ProviderMapping } from '../../src/connectors/tmdb/records/provider-directory.ts'
import { aTestService } from '../support/test-service.ts'
import type { Fault } from '../support/tmdb/faults.ts'
import { aClient, aStandIn, createSync, instantTimer } from '../support/tmdb/sync-with.ts'

async function aSync({ movies = 12, series = 0 } = {}) {
  const service = await aTestService()
  const standIn = await aStandIn({ movies, series, now: () => service.now })
  return { service, standIn, sync: createSync(service, standIn) }
}

const FEW = { movies: 6, series: 3 }

/** A mapping of a provider that no title has: another one makes a sync ask for every title again. */
function mappingFor(turn: number): ProviderMapping {
  return new Map([[99_999, { service: `none-${turn}` }]])
}

/** Fails the first so many times that a path is asked for. */
function failing(fault: Fault, times: number, isMeant: (path: string) => boolean = () => true) {
  const seen = new Map<string, number>()
  return (path: string) => {
    const count = (seen.get(path) ?? 0) + 1
    seen.set(path, count)
    return isMeant(path) && count <= times ? fault : undefined
  }
}

describe('what passes', () => {
  const faults: Record<string, Fault> = {
    'status 500': { kind: 'status', status: 500 },
    'status 503': { kind: 'status', status: 503 },
    'a body that is cut': { kind: 'cut' },
    'something else than JSON': { kind: 'no-json' },
    'JSON of another shape': { kind: 'body', body: [1, 2, 3] },
    'an answer without its providers': { kind: 'body', body: { id: 3, title: 'Bare', external_ids: {} } },
    'a page of 404 in the shape of an answer': { kind: 'body', body: { success: false, status_code: 11 } },
  }
  test('faults of every kind, on every path, delay a sync and cost it nothing', async () => {
    const clean = await aSync(FEW)
    await clean.sync()
    const { service, standIn, sync } = await aSync(FEW)
    for (const [turn, [name, fault]] of Object.entries(faults).entries()) {
      standIn.fault = failing(fault, 2)
      const report = await sync({ mapping: mappingFor(turn) })
      expect({ name, failures: report.failures, fetched: report.fetched }).toEqual({ name, failures: [], fetched: 9 })
      expect(service.ledger.catalog.counts()).toEqual(clean.service.ledger.catalog.counts())
    }
  })

  test('429 is waited out for as long as it says, by everybody', async () => {
    const { standIn } = await aSync()
    standIn.fault = failing({ kind: 'status', status: 429, retryAfter: '7' }, 1, (path) => path === '/3/movie/1')
    const timer = instantTimer()
    const client = aClient(standIn, { timer })
    expect(await client.get('/3/movie/1', {})).toMatchObject({ id: 1 })
    expect(Math.max(...timer.slept)).toBeGreaterThan(6_900)
    expect(standIn.count('/3/movie/1')).toBe(2)
  })

  test('an export that breaks off is read again from its start', async () => {
    const { standIn, sync } = await aSync(FEW)
    let cut = 0
    standIn.exportFault = () => (cut++ < 2 ? { kind: 'cut' } : undefined)
    const report = await sync()
    expect(report.fetched).toBe(9)
  })
})

describe('what does not pass', () => {
  test('a title that cannot be had loses nothing, is told, and is asked for again by the next sync', async () => {
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

  test('a token that is not accepted ends the sync at once, with what TMDB says', async () => {
    const { standIn, sync } = await aSync()
    await expect(sync({ client: { token: 'wrong' } })).rejects.toThrow(/does not accept the token: Invalid API key/)
    expect(standIn.requests.length).toBeLessThanOrEqual(2)
  })

  test('a key of 32 digits is sent as a key, and is never part of a message', async () => {
    const { standIn } = await aSync()
    const token = '0123456789abcdef0123456789abcdef'
    const failure = aClient(standIn, { token }).get('/3/movie/1', {})
    await expect(failure).rejects.toThrow(expect.not.stringContaining(token))
    expect(standIn.requests.at(-1)).toBe(`/3/movie/1?api_key=${token}`)
  })

  test('a rest of hours is told rather than waited for', async () => {
    const { standIn, sync } = await aSync()
    standIn.fault = () => ({ kind: 'status', status: 429, retryAfter: '7200' })
    await expect(sync()).rejects.toThrow(/no request for 7200 seconds/)
  })

  test('when TMDB goes down in the middle, the sync stops, and the next one goes on where it was', async () => {
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
    // Those that were given up wait for the next sync; those that came are not asked for again, nor is the plan made anew.
    expect(report.resumed).toBe(true)
    expect(again.every((path) => /^\/3\/movie\/\d+$/.test(path ?? ''))).toBe(true)
    expect(again).toHaveLength(60 - 30 - report.failures.length)
    await sync({ kinds: ['movie'] })
    expect(service.ledger.catalog.counts().shows).toBe(60)
  })

  test('answers that would take away most offers are not imported, unless that is wanted', async () => {
    const { service, standIn, sync } = await aSync({ movies: 60, series: 0 })
    await sync({ kinds: ['movie'] })
    const before = service.ledger.catalog.counts()
    service.now += 8 * 86_400
    standIn.answer = (document) =>
      'watch/providers' in document ? { ...document, 'watch/providers': { results: {} } } : document
    await expect(sync({ kinds: ['movie'] })).rejects.toThrow(/would remove \d+ of \d+ offers/)
    expect(service.ledger.catalog.counts()).toEqual(before)
    // Once TMDB is in order again, the same titles are asked for again.
    standIn.answer = (document) => document
    expect((await sync({ kinds: ['movie'] })).fetched).toBe(60)
    expect(service.ledger.catalog.counts()).toEqual(before)
    service.now += 8 * 86_400
    standIn.answer = (document) =>
      'watch/providers' in document ? { ...document, 'watch/providers': { results: {} } } : document
    await sync({ kinds: ['movie'], force: true })
    expect(service.ledger.catalog.counts().offers).toBe(0)
  })

  test('a page of 300 MB is given up after a few', async () => {
    const { standIn } = await aSync()
    let poured = 0
    standIn.fault = () => ({ kind: 'huge', megabytes: 300, onPoured: () => poured++ })
    const client = aClient(standIn, { maxBytes: 8 << 20 })
    await expect(client.get('/3/movie/1', {})).rejects.toThrow(/more than 8388608 bytes/)
    expect(standIn.requests).toHaveLength(1)
    expect(poured).toBeGreaterThanOrEqual(8)
    expect(poured).toBeLessThan(100)
  })

  test('an answer that drips in for ever is given up when its time is up', async () => {
    const { standIn } = await aSync()
    standIn.fault = () => ({ kind: 'drip' })
    const client = aClient(standIn, { timeoutMs: 60, attempts: 2 })
    await expect(client.get('/3/movie/1', {})).rejects.toThrow(/took too long \(tried 2 times\)/)
  })
})
