import { expect, test } from 'vitest'
import { CatalogFilter } from '../../src/connectors/v4/records.ts'
import {
  aDelta,
  aMovie,
  anAddon,
  anOption,
  aSeries,
  aService,
  aSnapshot,
  DAY,
  NOW,
  referenceRecords,
} from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aTestService, TestService } from '../support/test-service.ts'
import { aGateway, createFederation, differingAnswers } from '../support/v4/federation.ts'

const WORDS =
  'amber boat cedar delta ember fjord grain harbour island jasper kettle lantern meadow north orchard pepper'.split(' ')

const popularity = (n: number) => ({ alltime: n * 10, '1year': n * 5, '1month': n % 7, '1week': n % 3 })

/** Shows that use everything that answers print: languages, addons, prices, windows, seasons, top lists. */
function aCatalog() {
  const movies = Array.from({ length: 47 }, (_, i) =>
    aMovie({
      id: String(i + 1),
      title: `${WORDS[i % 16]} ${WORDS[(i * 7 + 3) % 16]} ${i}`,
      originalTitle: `${WORDS[i % 16]} ${WORDS[(i * 7 + 3) % 16]} ${i}`,
      releaseYear: 1980 + (i % 40),
      originalLanguage: ['en', 'fr', 'ja'][i % 3],
      popularity: { us: popularity(i), ...(i % 4 === 0 && { gb: popularity(50 - i) }) },
      translations: i % 2 === 0 ? { fr: { title: `Film ${i}`, overview: 'En français.' } } : {},
      streamingOptions: {
        us: [
          anOption({ link: `https://netflix.test/${i}`, audios: [{ language: ['eng', 'fra', 'jpn'][i % 3] }] }),
          anOption({
            service: 'prime',
            type: 'rent',
            link: `https://p.test/${i}`,
            price: { amount: '3.99', currency: 'USD' },
          }),
          ...(i % 5 === 0
            ? [anOption({ service: 'prime', type: 'addon', addon: 'starz', link: `https://s.test/${i}` })]
            : []),
        ],
        ...(i % 4 === 0 && {
          gb: [anOption({ link: `https://netflix.test/gb/${i}`, expiresOn: NOW + (i + 1) * DAY })],
        }),
      },
    }),
  )
  const series = Array.from({ length: 13 }, (_, i) =>
    aSeries({ id: String(200 + i), popularity: { us: popularity(i) } }),
  )
  return [
    ...movies,
    ...series,
    aMovie({ id: '301', title: 'Announced', streamingOptions: { us: [anOption({ startsOn: NOW + 5 * DAY })] } }),
    aSeries({
      id: '302',
      title: 'Next season',
      seasons: [
        {
          title: 'Season 1',
          streamingOptions: { us: [anOption()] },
          episodes: [{ streamingOptions: { us: [anOption()] } }],
        },
        { title: 'Season 2', streamingOptions: { us: [anOption({ startsOn: 'unknown' })] }, episodes: [] },
      ],
    }),
    aMovie({ id: '303', imdbId: '', tmdbId: '', title: 'Without ids' }),
    aMovie({ id: '304', title: 'Imminent', streamingOptions: { us: [anOption({ expiresSoon: true })] } }),
    aMovie({ id: '305', title: 'In Turkey', streamingOptions: { tr: [anOption({ service: 'mubi' })] } }),
    { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['7', '3', '5'] },
    { kind: 'top', country: 'us', service: 'netflix', showType: 'series', shows: ['201'] },
  ]
}

async function aPair(records = aSnapshot(...aCatalog())) {
  const remote = await aTestService(records)
  const local = await aTestService()
  const gateway = await aGateway(remote)
  return { remote, local, gateway, sync: createFederation(local, remote, gateway) }
}

test('a federated service gives the same answers as the one behind it', async () => {
  const { remote, local, sync } = await aPair()
  const report = await sync()
  expect(report).toMatchObject({ source: 'peer', resumed: false, gone: 0, failures: [] })
  expect(report.paused).toBeUndefined()
  expect(differingAnswers(local, remote)).toEqual({})
  expect(checkCatalog(local.ledger.catalog)).toEqual([])
})

test('a second sync asks for changes only, and a third finds none', async () => {
  const { remote, local, sync } = await aPair()
  await sync()
  for (const service of [remote, local]) await service.advance(2 * DAY)
  await remote.import(
    aDelta(
      aMovie({
        id: '3',
        title: 'Movie D3',
        streamingOptions: { us: [anOption({ link: 'https://netflix.test/new-link' })] },
      }),
      aMovie({ id: '400', title: 'Brand new', translations: { fr: { title: 'Tout neuf', overview: 'Neuf.' } } }),
      aSeries({ id: '200', streamingOptions: {}, seasons: [] }),
      { kind: 'remove', id: '5' },
      aMovie({ id: '301', title: 'Announced', streamingOptions: { us: [anOption({ startsOn: NOW + 9 * DAY })] } }),
    ),
  )
  const second = await sync()
  const different = differingAnswers(local, remote)
  // The rank and the original language of a new show come with the next walk through all shows.
  const isLater = (path: string) => /popularity|show_original_language|title=/.test(path)
  expect(Object.keys(different).filter((path) => !isLater(path))).toEqual([])
  expect(second.requested.filter(({ path }) => path.startsWith('/shows/search/filters'))).toEqual([])
  expect(second.gone).toBe(1)
  expect((await local.get('/shows/400?output_language=fr')).body.title).toBe('Tout neuf')
  const version = local.ledger.catalog.version()
  for (const service of [remote, local]) await service.advance(3600)
  const third = await sync()
  expect(third.fetched).toBeLessThan(10)
  expect(local.ledger.catalog.version()).toBe(version)
})

test('a walk after some weeks finds new texts, and asks for unchanged pages by their entity tags', async () => {
  const shows = Array.from({ length: 45 }, (_, i) => aMovie({ id: String(i + 1), originalTitle: `Title ${i + 1}` }))
  const { remote, local, gateway, sync } = await aPair(aSnapshot(...shows, aSeries({ id: '100' })))
  await sync()
  for (const service of [remote, local]) service.now += 31 * DAY
  gateway.requests.length = 0
  const unchanged = await sync()
  expect(gateway.count('/shows/search/filters', 200)).toBe(0)
  expect(gateway.count('/shows/search/filters', 304)).toBeGreaterThan(10)
  expect(unchanged.fetched).toBe(0)
  for (const service of [remote, local]) service.now += 31 * DAY
  await remote.import(aDelta(aMovie({ id: '7', title: 'Renamed', releaseYear: 1986 })))
  await sync()
  expect((await local.get('/shows/7')).body.title).toBe('Renamed')
})

test('only the wanted catalogs and countries are copied, and dropped ones are removed', async () => {
  const { local, sync } = await aPair()
  const filter = new CatalogFilter([{ service: 'prime', type: 'addon', addon: 'starz' }, { service: 'mubi' }])
  await sync({ countries: ['us', 'tr'], filter })
  const services = async (country: string) => {
    const { shows } = await local.allShows(`/shows/search/filters?country=${country}`)
    return new Set(
      shows.flatMap((show) => show.streamingOptions[country].map((one: { service: { id: string } }) => one.service.id)),
    )
  }
  expect(await services('us')).toEqual(new Set(['prime']))
  expect(await services('tr')).toEqual(new Set(['mubi']))
  await sync({ countries: ['us'], filter })
  expect(await services('tr')).toEqual(new Set())
  expect((await services('us')).size).toBe(1)
})

test('offers, addons and ids of other sources stay', async () => {
  const { local, sync } = await aPair()
  const own = aMovie({
    id: '3',
    imdbId: 'tt7777777',
    tmdbId: 'movie/7777777',
    title: 'Mine',
    streamingOptions: { us: [anOption({ service: 'prime', type: 'addon', addon: 'own' })] },
  })
  await local.import([
    { kind: 'feed', source: 'mine', mode: 'snapshot' },
    ...referenceRecords(),
    aService('prime', { streamingOptionTypes: { addon: true }, addons: [anAddon('own'), anAddon('starz')] }),
    own,
    aMovie({
      id: '9000',
      imdbId: 'tt0000008',
      tmdbId: 'movie/8',
      streamingOptions: { us: [anOption({ service: 'mubi' })] },
    }),
  ])
  const report = await sync()
  const notices = report.imports.flatMap(({ noticeList }) => noticeList.map(({ code }) => code))
  expect(notices).toContain('id_taken')
  expect((await local.get('/shows/3')).body).toMatchObject({
    title: 'Mine',
    streamingOptions: { us: [{ addon: { id: 'own' } }] },
  })
  const { body } = await local.get('/shows/tt0000003')
  expect(body.id).not.toBe('3')
  const both = (await local.get('/shows/tt0000008?country=us')).body
  expect(both.streamingOptions.us.map((one: { service: { id: string } }) => one.service.id)).toEqual([
    'mubi',
    'netflix',
    'prime',
  ])
})

test('the state starts over if the catalog was replaced', async () => {
  const { remote, gateway, local, sync } = await aPair()
  await sync()
  const other = await TestService.open(temporaryFolder())
  try {
    Object.assign(local, { ledger: other.ledger })
    await sync()
    expect(differingAnswers(other, remote)).toEqual({})
    expect(gateway.count('/shows/search/filters', 304)).toBe(0)
  } finally {
    await other.close()
  }
})
