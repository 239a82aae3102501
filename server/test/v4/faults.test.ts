import { describe, expect, test } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY } from '../support/builders.ts'
import type { Fault } from '../support/faults.ts'
import { aTestService } from '../support/test-service.ts'
import { instantTimer } from '../support/tmdb/sync-with.ts'
import { aGateway, createFederation, differingAnswers } from '../support/v4/federation.ts'

const PLAIN = { languages: ['en'], popularity: [], originalLanguages: false }

function shows(count: number) {
  const movies = Array.from({ length: count }, (_, i) => aMovie({ id: String(i + 1), originalTitle: `Film ${i + 1}` }))
  return [...movies, aSeries({ id: '900', originalTitle: 'Serie' })]
}

async function aPair(count = 65) {
  const remote = await aTestService(aSnapshot(...shows(count)))
  const local = await aTestService()
  const gateway = await aGateway(remote)
  return { remote, local, gateway, sync: createFederation(local, remote, gateway) }
}

/** Sends a fault on the first requests of each path. */
function failFirst(fault: Fault, times: number) {
  const seen = new Map<string, number>()
  return (path: string) => {
    const count = (seen.get(path) ?? 0) + 1
    seen.set(path, count)
    return count <= times ? fault : undefined
  }
}

describe('a fault that passes', () => {
  const faults: Record<string, Fault> = {
    'status 500': { kind: 'status', status: 500 },
    'status 503 with Retry-After': { kind: 'status', status: 503, retryAfter: '2' },
    'status 429': { kind: 'status', status: 429, retryAfter: '3' },
    'a truncated body': { kind: 'cut' },
    'invalid JSON': { kind: 'no-json' },
    'JSON of another shape': { kind: 'body', body: { shows: 'none' } },
    'a page with more and no cursor': { kind: 'body', body: { shows: [], changes: [], hasMore: true } },
  }
  test.each(Object.entries(faults))('%s on every path delays a sync and loses nothing', async (_, fault) => {
    const { remote, local, gateway, sync } = await aPair(25)
    gateway.fault = failFirst(fault, 2)
    const report = await sync(PLAIN)
    expect(report).toMatchObject({ failures: [] })
    expect(Object.keys(differingAnswers(local, remote)).filter((path) => !path.includes('language'))).toEqual([])
  })

  test('of status 429 pauses requests as long as the service asks', async () => {
    const { gateway, sync } = await aPair(5)
    const timer = instantTimer()
    gateway.fault = failFirst({ kind: 'status', status: 429, retryAfter: '7' }, 1)
    await sync({ ...PLAIN, client: { timer } })
    expect(Math.max(...timer.slept)).toBeGreaterThan(6_900)
  })
})

describe('a fault that stays', () => {
  test('stops the sync; the next one goes on at the same page and asks for no page twice', async () => {
    const { remote, local, gateway, sync } = await aPair()
    let pages = 0
    gateway.fault = (path) => (path.includes('/filters') && ++pages > 2 ? { kind: 'status', status: 500 } : undefined)
    const inUs = { ...PLAIN, countries: ['us'], concurrency: 1 }
    await expect(sync({ ...inUs, client: { attempts: 2 } })).rejects.toThrow(/500/)
    expect(local.ledger.catalog.counts().shows).toBe(40)
    gateway.fault = () => undefined
    const report = await sync(inUs)
    expect(report.resumed).toBe(true)
    const movies = gateway.requests.filter(({ path, status }) => path.includes('show_type=movie&') && status === 200)
    const pagesOfUs = movies
      .map(({ path }) => path)
      .filter((path) => path.includes('country=us') && !path.includes('/top'))
    expect(pagesOfUs.length).toBe(4)
    expect(new Set(pagesOfUs).size).toBe(4)
    const { shows: count, offers } = remote.ledger.catalog.counts()
    expect(local.ledger.catalog.counts()).toMatchObject({ shows: count, offers })
  })

  test('on one show keeps its offers, is reported, and is retried by the next sync', async () => {
    const { remote, local, gateway, sync } = await aPair(5)
    await sync(PLAIN)
    for (const service of [remote, local]) service.now += DAY
    const update = (link: string) => aDelta(aSeries({ id: '900', streamingOptions: { us: [anOption({ link })] } }))
    await remote.import(update('https://netflix.test/new'))
    gateway.fault = (path) => (path.startsWith('/v4/shows/900') ? { kind: 'status', status: 500 } : undefined)
    const report = await sync(PLAIN)
    expect(report.failures).toMatchObject([{ key: '900', problem: expect.stringContaining('500') }])
    expect((await local.get('/shows/900')).body.streamingOptions.us[0].link).toBe('https://netflix.test/title/900')
    gateway.fault = () => undefined
    expect((await sync(PLAIN)).failures).toEqual([])
    expect((await local.get('/shows/900')).body.streamingOptions.us[0].link).toBe('https://netflix.test/new')
  })

  test('a key that is not accepted stops the sync at once, and is not printed', async () => {
    const { gateway, sync } = await aPair(2)
    const failing = sync({ ...PLAIN, client: { key: 'mq-key-wrong' } })
    await expect(failing).rejects.toThrow(/does not accept the token/)
    await expect(failing).rejects.toThrow(expect.not.stringContaining('mq-key-wrong'))
    expect(gateway.requests).toHaveLength(1)
  })

  test('an answer of 300 MB is aborted after a few', async () => {
    const { gateway, sync } = await aPair(2)
    let poured = 0
    gateway.fault = (path) =>
      path.includes('/filters') ? { kind: 'huge', megabytes: 300, onPoured: () => void poured++ } : undefined
    const client = { maxBytes: 4 << 20, attempts: 1 }
    await expect(sync({ ...PLAIN, concurrency: 1, client })).rejects.toThrow(/more than 4194304 bytes/)
    expect(poured).toBeLessThan(60)
  })

  test('an answer that never ends is aborted by the timeout', async () => {
    const { gateway, sync } = await aPair(2)
    gateway.fault = (path) => (path.includes('/filters') ? { kind: 'drip' } : undefined)
    const client = { timeoutMs: 200, attempts: 2 }
    await expect(sync({ ...PLAIN, concurrency: 1, client })).rejects.toThrow(/it took too long/)
  })

  test('a service that lists only few of its shows any more removes none without --force', async () => {
    const { remote, local, sync } = await aPair()
    await sync(PLAIN)
    for (const service of [remote, local]) service.now += 40 * DAY
    await remote.import(aSnapshot(aMovie({ id: '1', originalTitle: 'Film 1' })), { force: true })
    const before = local.ledger.catalog.counts()
    await expect(sync(PLAIN)).rejects.toThrow(/no longer lists 65 of 66 shows in us/)
    expect(local.ledger.catalog.counts()).toEqual(before)
    await sync({ ...PLAIN, force: true })
    expect((await local.get('/shows/search/filters?country=us')).body.shows).toHaveLength(1)
  })

  test('a cursor that the service refuses starts the walk again', async () => {
    const { remote, local, gateway, sync } = await aPair()
    let refused = 0
    gateway.fault = (path) =>
      path.includes('/filters') && path.includes('cursor=') && refused++ === 0
        ? { kind: 'status', status: 400 }
        : undefined
    await sync(PLAIN)
    expect(refused).toBeGreaterThan(1)
    expect(local.ledger.catalog.counts().shows).toBe(remote.ledger.catalog.counts().shows)
  })
})

describe('a quota', () => {
  test('is never exceeded: the sync pauses, and goes on when the next period begins', async () => {
    const { remote, local, gateway, sync } = await aPair()
    await remote.accounts.plans.set({ name: 'tiny', quota: { requests: 15, per: 'day' } }, remote.act)
    const { key } = await remote.aKey('tiny')
    const paused: number[] = []
    for (let day = 0; day < 9; day++) {
      const report = await sync({ ...PLAIN, client: { key } })
      if (report.paused === undefined) break
      expect(report.paused.reason).toMatch(/requests of the quota are left/)
      const resumesAt = report.paused.resumesAt ?? 0
      expect(resumesAt).toBeGreaterThan(local.now)
      paused.push(report.requests)
      for (const service of [remote, local]) service.now = resumesAt + 1
    }
    expect(paused.length).toBeGreaterThan(0)
    expect(gateway.count('', 429)).toBe(0)
    expect(local.ledger.catalog.counts()).toMatchObject({ shows: 66 })
    expect(Object.keys(differingAnswers(local, remote)).filter((path) => !path.includes('language'))).toEqual([])
  })

  test('keeps the requests that are reserved for others', async () => {
    const { remote, sync } = await aPair()
    await remote.accounts.plans.set({ name: 'tiny', quota: { requests: 20, per: 'day' } }, remote.act)
    const { key } = await remote.aKey('tiny')
    const report = await sync({ ...PLAIN, client: { key, keep: 8 } })
    expect(report).toMatchObject({
      requests: expect.any(Number),
      paused: { reason: expect.stringContaining('8 are kept') },
    })
    const { headers } = await remote.raw('/v4/genres', { 'x-api-key': key })
    expect(Number(headers['x-quota-used'])).toBeLessThanOrEqual(13)
  })

  test('a limit of requests for one run pauses it, too', async () => {
    const { sync } = await aPair()
    const report = await sync({ ...PLAIN, client: { maxRequests: 12 } })
    expect(report).toMatchObject({
      requests: 12,
      paused: { reason: 'The limit of 12 requests for one run is reached' },
    })
  })
})
