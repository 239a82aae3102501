import { expect, test } from 'vitest'
import { aMovie, anOption, aSnapshot } from '../support/builders.ts'
import { aWatchmodeSync } from '../support/watchmode/sync-with.ts'

const TITLE = /^\/v1\/title\/\d+\/details\/$/
const titlesIn = (requested: readonly string[]) =>
  requested.flatMap((path) => /^\/v1\/title\/(\d+)\//.exec(path)?.[1] ?? []).sort()

test('a sync imports movies and series with offers, prices, seasons and episodes', async () => {
  const { service, sync } = await aWatchmodeSync()
  const report = await sync()
  expect(report).toMatchObject({ fetched: 12, gone: 0, failures: [], resumed: false })
  const { body: movie } = await service.get('/shows/tt7000001?country=us')
  expect(movie).toMatchObject({
    showType: 'movie',
    tmdbId: 'movie/5001',
    title: 'The Harbour 1',
    originalTitle: 'Der Hafen 1',
    overview: 'What happens at quay 1, in revision 0.',
    releaseYear: 1991,
    genres: [{ id: 'drama' }, { id: 'crime' }],
    directors: ['Dana Director'],
    cast: ['First Billed', 'Second Billed'],
    rating: 74,
    runtime: 91,
  })
  const options = movie.streamingOptions.us.map((option: Record<string, unknown> & { service: { id: string } }) => ({
    ...option,
    service: option.service.id,
  }))
  expect(options).toMatchObject([
    { service: 'netflix', type: 'subscription', quality: 'uhd', link: 'https://netflix.test/title/1' },
    { service: 'prime', type: 'rent', quality: 'sd', price: { amount: '2.99', currency: 'USD' } },
    { service: 'prime', type: 'rent', quality: 'hd', price: { amount: '3.99', currency: 'USD' } },
    { service: 'prime', type: 'addon', addon: { id: 'starz', name: 'STARZ' } },
    { service: 'lantern-lane', type: 'free', link: 'https://lantern.test/title/1' },
  ])
  const { body: series } = await service.get('/shows/tv/5003?country=us')
  expect(series).toMatchObject({ showType: 'series', firstAirYear: 1993, lastAirYear: 1995 })
  expect(series.seasons).toMatchObject([{ title: 'Season 1', firstAirYear: 1994 }, { title: 'Season 2' }])
  expect(series.seasons[1].episodes[2]).toMatchObject({
    title: 'Chapter 3',
    overview: 'Chapter 3 of season 2.',
    airYear: 1995,
    streamingOptions: { us: [{ type: 'buy', link: 'https://amazon.test/episode/3/2/3', price: { amount: '1.99' } }] },
  })
})

test('services have logos, and unknown ones an id of their own with a notice', async () => {
  const { service, sync } = await aWatchmodeSync()
  const { imports } = await sync()
  const { body } = await service.get('/countries/us')
  const byId = new Map(body.services.map((one: { id: string }) => [one.id, one]))
  expect([...byId.keys()]).toEqual(expect.arrayContaining(['netflix', 'prime', 'lantern-lane']))
  expect(byId.get('lantern-lane')).toMatchObject({
    name: 'Lantern Lane',
    imageSet: { lightThemeImage: 'https://cdn.test/lantern.png' },
  })
  expect([...byId.keys()]).not.toContain('a-e')
  expect(imports.flatMap(({ noticeList }) => noticeList.map(({ code }) => code))).toContain('unknown_provider')
})

test('new services come after those that the catalog has, which keep their order', async () => {
  const { service, sync } = await aWatchmodeSync()
  const services = ['mubi', 'netflix'].map((id) => ({ id, name: id }))
  const country = { kind: 'country', countryCode: 'us', services }
  await service.import([{ kind: 'feed', source: 'test', mode: 'delta' }, country, aMovie()])
  await sync()
  const { body } = await service.get('/countries/us')
  expect(body.services.map(({ id }: { id: string }) => id)).toEqual(['mubi', 'netflix', 'prime', 'lantern-lane'])
})

test('offers of other countries are not taken, and images only if they are asked for', async () => {
  const { service, sync } = await aWatchmodeSync()
  await sync({ countries: ['de'] })
  const { body } = await service.get('/shows/tt7000001')
  expect(Object.keys(body.streamingOptions)).toEqual(['de'])
  expect(body.imageSet.verticalPoster.w240).toBe('')
  await sync({ countries: ['de'], images: true })
  const { body: pictured } = await service.get('/shows/tt7000001')
  expect(pictured.imageSet.verticalPoster.w240).toBe('https://cdn.test/posters/1.jpg')
})

test('a second sync fetches only titles that changed, and removes titles that are gone', async () => {
  const { service, standIn, sync } = await aWatchmodeSync()
  await sync()
  expect(titlesIn((await sync()).requested)).toEqual([])
  service.now += 86_400
  standIn.change(1)
  standIn.remove(2)
  service.now += 60
  const report = await sync()
  expect(titlesIn(report.requested)).toEqual(['1', '2'])
  expect(report).toMatchObject({ fetched: 1, gone: 1 })
  const { body } = await service.get('/shows/tt7000001?country=us')
  expect(body.streamingOptions.us[1].price.amount).toBe('3.99')
  expect((await service.get('/shows/tt7000002')).status).toBe(404)
})

test('a plan without lists of changes fetches titles again after some days', async () => {
  const { service, standIn, sync } = await aWatchmodeSync({ paid: false })
  await sync()
  service.now += 86_400
  standIn.change(1)
  expect((await sync()).fetched).toBe(0)
  service.now += 7 * 86_400
  expect((await sync()).fetched).toBe(12)
})

test('the limit keeps the most popular titles, and a kind only its titles', async () => {
  const { standIn, sync } = await aWatchmodeSync({ titles: 600 })
  const report = await sync({ limit: 5, types: ['tv_series'] })
  expect(titlesIn(report.requested)).toEqual(['12', '15', '3', '6', '9'])
  expect(standIn.count(/list-titles/)).toBe(1)
})

test('with the id map only titles that the catalog has are fetched', async () => {
  const { service, sync } = await aWatchmodeSync({ titles: 40 })
  await service.import(
    aSnapshot(
      aMovie({ id: '1', imdbId: 'tt7000004', tmdbId: '', streamingOptions: { us: [anOption()] } }),
      aMovie({ id: '2', imdbId: '', tmdbId: 'movie/5008', streamingOptions: { us: [anOption()] } }),
      aMovie({ id: '3', imdbId: 'tt0000009', tmdbId: '', streamingOptions: { us: [anOption()] } }),
    ),
  )
  const report = await sync({ onlyKnown: true })
  expect(titlesIn(report.requested)).toEqual(['4', '8'])
  const { body } = await service.get('/shows/1?country=us')
  expect(body.streamingOptions.us.map(({ service: { id } }: { service: { id: string } }) => id)).toContain('prime')
})

test('the quota of the key is never exceeded, and the next sync resumes', async () => {
  const { service, standIn, sync } = await aWatchmodeSync({ titles: 12, quota: 9 })
  const first = await sync({ client: { keep: 2 } })
  // The list of services, a page of titles, and five titles; the answer to the last request leaves two.
  expect(first).toMatchObject({
    fetched: 5,
    paused: { reason: '2 requests of the quota are left, of which 2 are kept' },
  })
  expect(service.ledger.catalog.counts().shows).toBe(5)
  standIn.quota = 100
  const second = await sync()
  expect(second).toMatchObject({ resumed: true, fetched: 7, failures: [] })
  expect(standIn.count(TITLE)).toBe(12)
  expect(service.ledger.catalog.counts().shows).toBe(12)
})

test('a quota that somebody else has used up pauses the sync', async () => {
  const { standIn, sync } = await aWatchmodeSync()
  standIn.quota = 6
  expect(await sync()).toMatchObject({ fetched: 4, failures: [], paused: { reason: expect.stringContaining('402') } })
  standIn.quota = 1000
  expect(await sync()).toMatchObject({ resumed: true, fetched: 8, failures: [] })
})

test("the operator's mapping decides which service a source is", async () => {
  const { service, sync } = await aWatchmodeSync()
  await sync({
    mapping: new Map([
      [502, { service: 'lantern', name: 'Lantern' }],
      [203, null],
    ] as const),
  })
  const { body } = await service.get('/shows/tt7000001?country=us')
  const ids = body.streamingOptions.us.map(({ service: { id } }: { service: { id: string } }) => id)
  expect(ids).toContain('lantern')
  expect(ids).not.toContain('netflix')
})
