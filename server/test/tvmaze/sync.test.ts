import { expect, test } from 'vitest'
import { aSeries, aSnapshot } from '../support/builders.ts'
import type { TestService } from '../support/test-service.ts'
import { failFirst, TITLE_FAULTS } from '../support/title-faults.ts'
import { aTvmazeClient, aTvmazeSync } from '../support/tvmaze/sync-with.ts'

const showsIn = (requested: readonly string[]) =>
  requested.flatMap((path) => /^\/shows\/(\d+)\?/.exec(path)?.[1] ?? []).sort()

/** Imports series that TVmaze has, too: 1, 2 and 4 of its shows. */
async function importSeries(service: TestService): Promise<void> {
  const series = [1, 2, 4].map((id) => aSeries({ id: String(id), imdbId: `tt${8_000_000 + id}`, tmdbId: '' }))
  await service.import(aSnapshot(...series))
}

const get = async (service: TestService, id: string) =>
  (await service.get(`/shows/${id}?series_granularity=episode`)).body

test('series of the catalog get seasons and episodes, and keep their texts and people', async () => {
  const { service, sync } = await aTvmazeSync()
  await importSeries(service)
  const before = await get(service, '1')
  const report = await sync()
  expect(showsIn(report.requested)).toEqual(['1', '2', '4'])
  const after = await get(service, '1')
  expect(after).toMatchObject({
    title: before.title,
    overview: before.overview,
    cast: before.cast,
    streamingOptions: before.streamingOptions,
    seasonCount: 2,
    episodeCount: 4,
  })
  expect(after.seasons).toMatchObject([
    {
      firstAirYear: 2014,
      lastAirYear: 2014,
      streamingOptions: before.seasons[0].streamingOptions,
      episodes: [
        { title: 'Berth 1', overview: 'Berth 1 of season 1.', airYear: 2014 },
        { title: 'Berth 2', overview: 'What happens in episode 2.' },
      ],
    },
    { firstAirYear: 2015, episodes: [{ title: 'Berth 1' }, { title: 'Berth 2' }] },
  ])
})

test('web channels become offers in the countries of choice, those of one country only there', async () => {
  const { service, sync } = await aTvmazeSync(8)
  const { imports } = await sync({ create: true, countries: ['us', 'gb'] })
  const offers = async (id: number) => {
    const { streamingOptions } = await get(service, `tt${8_000_000 + id}`)
    return Object.entries(streamingOptions as Record<string, { type: string; link: string; service: { id: string } }[]>)
      .flatMap(([country, list]) => list.map(({ type, link, service: { id } }) => [country, id, type, link]))
      .sort()
  }
  expect(await offers(4)).toEqual([
    ['gb', 'prime', 'subscription', 'https://site.test/quay/4'],
    ['us', 'prime', 'subscription', 'https://site.test/quay/4'],
  ])
  expect(await offers(1)).toEqual([['gb', 'iplayer', 'free', 'https://site.test/quay/1']])
  expect((await offers(2)).map(([, id]) => id)).toEqual(['lantern-lane', 'lantern-lane'])
  expect(imports.flatMap(({ noticeList }) => noticeList.map(({ code }) => code))).toContain('unknown_provider')
})

test('with --create all series come in, with texts, people, images and an id of their own if they have none', async () => {
  const { service, sync } = await aTvmazeSync(8)
  expect(await sync({ create: true, countries: ['us'] })).toMatchObject({ fetched: 8, failures: [] })
  expect(service.ledger.catalog.counts().shows).toBe(8)
  const [show] = (await service.get('/shows/search/title?title=quay%203&country=us')).body
  expect(show).toMatchObject({
    imdbId: '',
    title: 'Quay 3',
    overview: 'Quay 3 is about ships & people.',
    firstAirYear: 2014,
    lastAirYear: 2016,
    genres: [{ id: 'drama' }, { id: 'scifi' }],
    cast: ['Ada Lowe', 'Sam Reed'],
    rating: 82,
  })
  expect(show.imageSet.verticalPoster.w240).toBe('https://img.test/o/3.jpg')
  expect(await sync({ create: true, countries: ['us'] })).toMatchObject({ fetched: 0 })
})

test('later syncs fetch only updated shows, and read only the last page of the index', async () => {
  const { service, standIn, sync } = await aTvmazeSync(600)
  await importSeries(service)
  const first = await sync()
  expect(first.requested.filter((path) => path.startsWith('/shows?'))).toHaveLength(4)
  service.now += 3_600
  standIn.change(2)
  service.now += 3_600
  const second = await sync()
  expect(showsIn(second.requested)).toEqual(['2'])
  expect(second.requested.filter((path) => path.startsWith('/shows?'))).toEqual(['/shows?page=2', '/shows?page=3'])
  expect((await get(service, '2')).seasons[1].episodes).toHaveLength(3)
  service.now += 40 * 86_400
  expect(showsIn((await sync({ refreshDays: 3650 })).requested)).toEqual(['1', '2', '4'])
})

test('a show that TVmaze no longer has loses the offers of the sync, and stays', async () => {
  const { service, standIn, sync } = await aTvmazeSync()
  await importSeries(service)
  await sync({ countries: ['gb'] })
  expect((await get(service, '4')).streamingOptions.gb).toHaveLength(1)
  service.now += 3_600
  standIn.remove(4)
  await sync({ countries: ['gb'] })
  expect((await get(service, '4')).streamingOptions).toMatchObject({ us: [{}] })
  expect((await get(service, '4')).streamingOptions.gb).toBeUndefined()
  expect((await get(service, '4')).seasons[0].episodes[0].title).toBe('Berth 1')
  service.now += 31 * 86_400
  await service.import([{ kind: 'feed', source: 'test', mode: 'snapshot' }], { force: true })
  await sync({ countries: ['gb'] })
  expect((await service.get('/shows/4')).status).toBe(200)
})

test('a fault that passes, on any path, delays a sync and loses nothing', async () => {
  const clean = await aTvmazeSync(3)
  await clean.sync({ create: true })
  const { service, standIn, sync } = await aTvmazeSync(3)
  for (const [turn, [name, fault]] of Object.entries(TITLE_FAULTS).entries()) {
    standIn.fault = failFirst(fault, 2)
    const report = await sync({ create: true, mapping: new Map([[99_999, { service: `none-${turn}` }]]) })
    expect({ name, failures: report.failures, fetched: report.fetched }).toEqual({ name, failures: [], fetched: 3 })
    expect(service.ledger.catalog.counts()).toEqual(clean.service.ledger.catalog.counts())
  }
})

test('a fault that stays stops the sync, and the next one resumes it', async () => {
  const { service, standIn, sync } = await aTvmazeSync(60)
  let answered = 0
  standIn.fault = (path) => (/\d$/.test(path) && ++answered > 20 ? { kind: 'status', status: 502 } : undefined)
  await expect(sync({ create: true, client: { attempts: 2 } })).rejects.toThrow(/502/)
  expect(service.ledger.catalog.counts().shows).toBe(20)
  standIn.fault = () => undefined
  const report = await sync({ create: true })
  expect(report.resumed).toBe(true)
  expect(report.requested.every((path) => /^\/shows\/\d+\?/.test(path))).toBe(true)
  await sync({ create: true })
  expect(service.ledger.catalog.counts().shows).toBe(60)
})

test('an answer of 300 MB is aborted after a few, and one that never ends by the timeout', async () => {
  const { standIn } = await aTvmazeSync()
  let poured = 0
  standIn.fault = () => ({ kind: 'huge', megabytes: 300, onPoured: () => poured++ })
  await expect(aTvmazeClient(standIn, { maxBytes: 8 << 20 }).show(1)).rejects.toThrow(/more than 8388608 bytes/)
  expect(poured).toBeLessThan(100)
  standIn.fault = () => ({ kind: 'drip' })
  const hurried = aTvmazeClient(standIn, { timeoutMs: 60, attempts: 2 })
  await expect(hurried.show(1)).rejects.toThrow(/took too long \(tried 2 times\)/)
})
