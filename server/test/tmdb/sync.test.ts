import { expect, test } from 'vitest'
import { aTestService } from '../support/test-service.ts'
import { aStandIn, createSync } from '../support/tmdb/sync-with.ts'

const TITLE = /^\/3\/(movie|tv)\/\d+/
const titlesIn = (requested: readonly string[]) =>
  requested.map((path) => TITLE.exec(path)?.[0].slice(3)).filter((key) => key !== undefined)

async function aSync({ movies = 60, series = 30 } = {}) {
  const service = await aTestService()
  const standIn = await aStandIn({ movies, series, now: () => service.now })
  return { service, standIn, sync: createSync(service, standIn) }
}

test('the first sync fetches the most popular titles, most of them with one request each', async () => {
  const { service, standIn, sync } = await aSync({ movies: 300, series: 100 })
  const report = await sync({ limit: 100 })
  const popularity = (key: string) => {
    const [kind, id] = key.split('/') as ['movie' | 'tv', string]
    return standIn.title(kind, Number(id)).popularity
  }
  const all = [
    ...standIn.popular('movie').map((id) => `movie/${id}`),
    ...standIn.popular('tv').map((id) => `tv/${id}`),
  ].sort((a, b) => popularity(b) - popularity(a))
  const fetched = [...new Set(titlesIn(report.requested))]
  expect(new Set(fetched)).toEqual(new Set(all.slice(0, 100)))
  expect(report).toMatchObject({ fetched: 100, gone: 0, failures: [], resumed: false })
  expect(service.ledger.catalog.counts().shows).toBe(100)
  // Two daily files for each kind, since today's is missing, and two provider lists for each country.
  expect(report.requested.filter((path) => !TITLE.test(path))).toHaveLength(8)
  const longSeries = fetched.filter((key) => {
    const [kind, id] = key.split('/') as ['movie' | 'tv', string]
    return standIn.title(kind, Number(id)).seasons > 7
  })
  expect(titlesIn(report.requested).length).toBeLessThanOrEqual(100 + 2 * longSeries.length)
})

test('the API answers with the data of TMDB, including seasons and episodes', async () => {
  const { service, standIn, sync } = await aSync()
  await sync()
  const facts = standIn.title('tv', 7)
  const { body } = await service.get('/shows/tv/7?country=us')
  expect(body).toMatchObject({
    showType: 'series',
    tmdbId: 'tv/7',
    imdbId: facts.imdbId ?? '',
    title: facts.title,
    overview: facts.overview,
    firstAirYear: facts.year,
    seasonCount: facts.seasons,
    cast: [...new Set([...facts.people.slice(0, 5), 'Gus Guest'])],
    creators: [facts.people[5]],
  })
  expect(body.seasons).toHaveLength(facts.seasons)
  for (const [i, season] of body.seasons.entries()) {
    expect(season.title).toBe(`Season ${i + 1}`)
    expect(season.episodes).toHaveLength(facts.episodesOf(i + 1))
  }
  const german = await service.get('/shows/tv/7?country=us&output_language=de&series_granularity=show')
  expect(german.body.title).toBe(`${facts.title}, auf Deutsch`)
  const found = await service.get(`/shows/search/title?country=us&title=${encodeURIComponent(facts.title)}`)
  expect(found.body[0].tmdbId).toBe('tv/7')
})

test('a series with more seasons than one request can append has all of them', async () => {
  const { service, standIn, sync } = await aSync({ movies: 0, series: 120 })
  const id = standIn.popular('tv').find((one) => standIn.title('tv', one).seasons > 10) as number
  const report = await sync({ kinds: ['tv'] })
  const { body } = await service.get(`/shows/tv/${id}`)
  expect(body.seasons).toHaveLength(standIn.title('tv', id).seasons)
  expect(report.requested.filter((path) => path.startsWith(`/3/tv/${id}?`)).length).toBeLessThanOrEqual(4)
  expect(report.requested.some((path) => path.includes('/season/') && !path.includes('?'))).toBe(false)
})

test('the services of a country are in the order of the provider lists, with their logos', async () => {
  const { service, sync } = await aSync()
  await sync()
  const { body } = await service.get('/countries/de')
  expect(body.services.map(({ id }: { id: string }) => id)).toEqual([
    'prime',
    'netflix',
    'disney',
    'apple',
    'mubi',
    'lantern-lane',
  ])
  expect(body.services[0]).toMatchObject({
    name: 'Prime Video',
    homePage: 'https://www.primevideo.com',
    imageSet: { lightThemeImage: 'https://image.tmdb.org/t/p/original/logo9.jpg' },
    streamingOptionTypes: { subscription: true, rent: true, buy: true, free: false, addon: false },
  })
  const us = await service.get('/countries/us')
  const prime = us.body.services.find(({ id }: { id: string }) => id === 'prime')
  expect(prime.addons).toMatchObject([{ id: 'paramountplus', name: 'Paramount+' }])
})

test('a second sync right after the first fetches no title', async () => {
  const { service, sync } = await aSync()
  await sync()
  const version = service.ledger.catalog.version()
  const report = await sync()
  expect(titlesIn(report.requested)).toEqual([])
  expect(service.ledger.catalog.version()).toBe(version)
})

test('a later sync fetches only changed titles and new popular ones', async () => {
  const { service, standIn, sync } = await aSync()
  await sync({ limit: 50 })
  const [first, second] = standIn.popular('movie') as [number, number]
  const unheld = standIn.popular('tv').at(-1) as number
  service.now += 3 * 86_400
  standIn.change('movie', first)
  standIn.change('tv', unheld)
  standIn.remove('movie', second)
  const report = await sync({ limit: 50 })
  const requested = titlesIn(report.requested)
  // The title that is gone makes room for one that was not among the first fifty.
  expect(new Set(requested).size).toBe(3)
  expect(requested).not.toContain(`tv/${unheld}`)
  expect(requested).toEqual(expect.arrayContaining([`movie/${first}`, `movie/${second}`]))
  expect(report.requested.filter((path) => path.startsWith('/3/movie/changes'))).toHaveLength(3)
  expect(report).toMatchObject({ fetched: 2, gone: 1 })
  const { body } = await service.get(`/shows/movie/${first}?country=us`)
  expect(body.overview).toContain('revision 1')
  expect((await service.get(`/shows/movie/${second}`)).status).toBe(404)
})

test('titles are fetched again after some days, since TMDB does not list all changes of offers', async () => {
  const { service, sync } = await aSync({ movies: 10, series: 0 })
  await sync({ kinds: ['movie'] })
  service.now += 6 * 86_400
  expect((await sync({ kinds: ['movie'] })).fetched).toBe(0)
  service.now += 2 * 86_400
  expect((await sync({ kinds: ['movie'] })).fetched).toBe(10)
})

test('a sync after the span of the list of changes fetches all titles', async () => {
  const { service, sync } = await aSync({ movies: 10, series: 0 })
  await sync({ kinds: ['movie'], refreshDays: 3650 })
  service.now += 30 * 86_400
  const report = await sync({ kinds: ['movie'], refreshDays: 3650 })
  expect(report.fetched).toBe(10)
})

test('another scope fetches all titles again, and the former countries lose their offers', async () => {
  const { service, standIn, sync } = await aSync({ movies: 20, series: 5 })
  await sync()
  const report = await sync({ countries: ['fr'] })
  expect(report.fetched).toBe(25)
  const id = standIn.popular('movie').find((one) => Object.keys(standIn.title('movie', one).offers('FR', 0)).length > 0)
  const { body } = await service.get(`/shows/movie/${id}`)
  expect(Object.keys(body.streamingOptions)).toEqual(['fr'])
})

test('an unknown provider is noted once, and keeps its id when it is renamed', async () => {
  const { service, standIn, sync } = await aSync({ movies: 20, series: 0 })
  const { imports } = await sync({ kinds: ['movie'] })
  const notes = imports.flatMap(({ noticeList }) => noticeList.filter(({ code }) => code === 'unknown_provider'))
  expect(notes).toMatchObject([
    { record: '9001', message: expect.stringContaining('becomes the service lantern-lane') },
  ])
  standIn.answer = (document) => JSON.parse(JSON.stringify(document).replaceAll('Lantern Lane', 'Lampe+'))
  service.now += 8 * 86_400
  await sync({ kinds: ['movie'] })
  const { body } = await service.get('/countries/us')
  const ids = body.services.map(({ id }: { id: string }) => id)
  expect(ids).toContain('lantern-lane')
  expect(ids).not.toContain('lampeplus')
})

test('a mapping adds providers and overrides known ones', async () => {
  const { service, sync } = await aSync()
  await sync({
    mapping: new Map([
      [9001, { service: 'lantern', name: 'Lantern' }],
      [11, null],
      [582, { service: 'paramount' }],
    ]),
  })
  const { body } = await service.get('/countries/us')
  const ids = body.services.map(({ id }: { id: string }) => id)
  expect(ids).toContain('lantern')
  expect(ids).toContain('paramount')
  expect(ids).not.toContain('mubi')
  expect(ids).not.toContain('lantern-lane')
})

test('services keep the data of another feed', async () => {
  const { service, sync } = await aSync()
  const imageSet = { lightThemeImage: 'https://a.test/l.svg', darkThemeImage: 'https://a.test/d.svg', whiteImage: '' }
  await service.import([
    { kind: 'feed', source: 'acme', mode: 'snapshot' },
    { kind: 'service', id: 'netflix', name: 'Netflix & Co', themeColorCode: '#123456', imageSet },
    { kind: 'country', countryCode: 'us', services: ['netflix'] },
  ])
  await sync()
  const { body } = await service.get('/countries/us')
  const netflix = body.services.find(({ id }: { id: string }) => id === 'netflix')
  expect(netflix).toMatchObject({ name: 'Netflix & Co', themeColorCode: '#123456', imageSet })
  expect(netflix.streamingOptionTypes.subscription).toBe(true)
})

test('adult titles are left out', async () => {
  const { sync } = await aSync({ movies: 200, series: 0 })
  const { requested } = await sync({ kinds: ['movie'] })
  expect(titlesIn(requested)).not.toContain('movie/97')
  expect(titlesIn(requested)).toHaveLength(198)
})

test('the required attribution is stored with the source, also when a later feed omits it', async () => {
  const { service, sync } = await aSync({ movies: 3, series: 0 })
  await sync({ kinds: ['movie'] })
  await service.import([{ kind: 'feed', source: 'tmdb', mode: 'delta' }])
  const attribution = service.ledger.catalog.source('tmdb')?.attribution
  expect(attribution?.map(({ text }) => text)).toEqual([
    'This product uses the TMDB API but is not endorsed or certified by TMDB.',
    'Watch provider data by JustWatch.',
  ])
})
