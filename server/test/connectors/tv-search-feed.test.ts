import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSource } from '../../src/connectors/registry.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { formatGolden, importSource, nativeFeed } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const fixturePath = (name: string) => fileURLToPath(new URL(`./tv-search-feed/${name}`, import.meta.url))
const options = { service: 'acme', serviceName: 'Acme TV', linkTemplate: 'https://acme.test/{type}/{playId}?from={id}' }
const FEED = { format: 'tv-search-feed', path: fixturePath('page-1.json'), options }

describe('a search feed for TV devices', () => {
  let service: TestService
  beforeEach(async () => {
    service = await TestService.open(temporaryFolder())
  })
  afterEach(async () => {
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
    await service.close()
  })

  it('becomes this native feed, with its next page', async () => {
    await expect(formatGolden(await nativeFeed(service, FEED))).toMatchFileSnapshot(fixturePath('native.txt'))
  })

  it('is what the API answers after the import', async () => {
    const report = await importSource(service, FEED)
    expect(report).toMatchObject({
      source: 'tv-search-feed/acme',
      mode: 'snapshot',
      shows: 3,
      complete: true,
      notices: { left_out: 1 },
    })
    const { body: heat } = await service.get('/shows/tt0113277')
    expect(heat).toMatchObject({
      title: 'Heat',
      overview: 'A thief and a policeman.',
      releaseYear: 1995,
      runtime: 170,
      cast: ['Al Pacino', 'Robert De Niro'],
      directors: ['Michael Mann'],
      genres: [{ id: 'crime' }, { id: 'drama' }],
    })
    expect(heat.imageSet.horizontalBackdrop.w1440).toBe('https://img.acme.test/heat-bg.jpg')
    expect(heat.streamingOptions.us).toMatchObject([
      {
        service: { id: 'acme', name: 'Acme TV', homePage: 'https://acme.test' },
        type: 'subscription',
        quality: 'uhd',
        link: 'https://acme.test/movie/heat-4k?from=heat',
        expiresOn: 1798761599,
        availableSince: Date.UTC(2025, 0, 1) / 1000,
      },
      { type: 'rent', quality: 'hd', price: { amount: '3.99', currency: 'USD' } },
    ])
    expect(heat.streamingOptions.mx).toMatchObject([
      { type: 'subscription' },
      { type: 'buy', price: { amount: '199', currency: 'MXN', formatted: '199 MXN' } },
    ])
    const { body: spanish } = await service.get('/shows/tt0113277?output_language=es')
    expect(spanish).toMatchObject({ title: 'Fuego contra fuego', overview: 'Un ladrón.' })
    const { services } = (await service.get('/countries/us')).body
    expect(services[0].streamingOptionTypes).toEqual({
      addon: false,
      buy: false,
      rent: true,
      free: true,
      subscription: true,
    })
  })

  it('joins series over several pages, with the options of their episodes', async () => {
    await importSource(service, FEED)
    const [dark] = (await service.get('/shows/search/title?title=dark&country=us&series_granularity=episode')).body
    expect(dark).toMatchObject({ firstAirYear: 2017, creators: ['Jantje Friese'], cast: ['Louis Hofmann'] })
    expect(dark.streamingOptions.us).toMatchObject([
      { type: 'free', quality: 'sd', link: 'https://acme.test/series/dark?from=dark' },
    ])
    expect(dark.seasons).toMatchObject([
      {
        title: 'The first season',
        streamingOptions: { us: [{ link: 'https://acme.test/season/dark-1?from=dark-1' }] },
        episodes: [{ title: 'Secrets', overview: 'A boy is missing.', airYear: 2017 }, { title: 'Lies' }],
      },
    ])
    const { body: canada } = await service.get('/shows/search/filters?country=ca&series_granularity=episode')
    expect(canada.shows.map(({ title }: { title: string }) => title)).toEqual(['A Night of Songs', 'Dark'])
    expect(canada.shows[1].streamingOptions.ca).toMatchObject([
      { quality: 'hd', expiresOn: Date.UTC(2026, 5, 30) / 1000 },
    ])
  })

  it('changes nothing in a second import, gzipped and as a folder of pages', async () => {
    await importSource(service, FEED)
    const folder = temporaryFolder()
    for (const page of ['page-1.json', 'page-2.json']) {
      writeFileSync(join(folder, `${page}.gz`), gzipSync(readFileSync(fixturePath(page))))
    }
    const again = await importSource(service, { ...FEED, path: folder })
    expect(again).toMatchObject({ complete: true, unchanged: 3, created: 0, altered: 0 })
  })

  it('whose next page is missing removes nothing', async () => {
    await importSource(service, FEED)
    const folder = temporaryFolder()
    copyFileSync(fixturePath('page-1.json'), join(folder, 'page-1.json'))
    const report = await importSource(service, { ...FEED, path: join(folder, 'page-1.json') })
    expect(report).toMatchObject({ complete: false, changes: { removed: 0 }, notices: { truncated_feed: 1 } })
    expect((await service.get('/shows/search/filters?country=ca')).body.shows).toHaveLength(2)
  })

  it.each([
    'x?/../../secret.json',
    'x?/../secret.json',
    '../secret.json',
    '..%2fsecret.json',
    'x?\\..\\secret.json',
    '..',
    '/',
    '?',
    'http://[',
  ])('does not follow %j out of its folder', async (nextPageUrl) => {
    const outside = temporaryFolder()
    const folder = join(outside, 'pages')
    mkdirSync(join(folder, 'x?'), { recursive: true })
    copyFileSync(fixturePath('page-2.json'), join(outside, 'secret.json'))
    const page = JSON.parse(readFileSync(fixturePath('page-1.json'), 'utf8'))
    writeFileSync(join(folder, 'page-1.json'), JSON.stringify({ ...page, nextPageUrl }))
    const records = await nativeFeed(service, { ...FEED, path: join(folder, 'page-1.json') })
    expect(JSON.stringify(records)).not.toContain('A Night of Songs')
    expect(records).toContainEqual(expect.objectContaining({ problem: 'truncated_feed' }))
  })

  it.each([
    ['page-2.json', 'https://feeds.acme.test/search/page-2.json'],
    ['../other/page-1.json', 'https://feeds.acme.test/other/page-1.json'],
    ['/page-2.json?n=2', 'https://feeds.acme.test/page-2.json?n=2'],
    ['?page=2', 'https://feeds.acme.test/search/page-1.json?page=2'],
  ])('that was downloaded may name its next page as %s', async (nextPageUrl, address) => {
    const folder = temporaryFolder()
    const page = JSON.parse(readFileSync(fixturePath('page-1.json'), 'utf8'))
    writeFileSync(join(folder, 'body'), JSON.stringify({ ...page, nextPageUrl }))
    const asked: string[] = []
    const fetchPage = async (url: string) => {
      asked.push(url)
      const second = JSON.parse(readFileSync(fixturePath('page-2.json'), 'utf8'))
      // The second page names itself, and then a third page by a relative URL.
      const next = asked.length === 1 ? 'third.json' : new URL(url).pathname
      writeFileSync(join(folder, `page-${asked.length}`), JSON.stringify({ ...second, nextPageUrl: next }))
      return join(folder, `page-${asked.length}`)
    }
    const web = { address: 'https://feeds.acme.test/search/page-1.json', fetchPage }
    const source = { ...FEED, path: join(folder, 'body') }
    const feed = await openSource(source, { catalog: service.ledger.catalog, web })
    for await (const line of feed.lines()) expect(line).not.toHaveProperty('problem')
    expect(asked).toEqual([address, new URL('third.json', address).href])
    await feed.dispose()
  })

  it('that was downloaded has its next pages downloaded once each', async () => {
    const asked: string[] = []
    const fetchPage = async (url: string) => {
      asked.push(url)
      return fixturePath('page-2.json')
    }
    const folder = temporaryFolder()
    copyFileSync(fixturePath('page-1.json'), join(folder, 'body'))
    const source = { ...FEED, path: join(folder, 'body') }
    const feed = await openSource(source, {
      catalog: service.ledger.catalog,
      web: { address: 'https://feeds.acme.test/search/page-1.json', fetchPage },
    })
    const read = async () => {
      let shows = 0
      for await (const line of feed.lines()) if ('text' in line && line.text.includes('"kind":"show"')) shows++
      return shows
    }
    expect([await read(), await read(), asked]).toEqual([3, 3, ['https://feeds.acme.test/search/page-2.json']])
    await feed.dispose()
  })

  describe('with seasons that have no ids', () => {
    const ADVANCED = { ...FEED, path: fixturePath('advanced.json') }

    it('is complete, with the titles of its seasons', async () => {
      const report = await importSource(service, ADVANCED)
      expect(report).toMatchObject({ shows: 2, complete: true, notices: {} })
      const [series] = (
        await service.get('/shows/search/title?title=workshop talks&country=us&series_granularity=episode')
      ).body
      expect(series.genres).toEqual([
        { id: 'educational', name: 'Educational' },
        { id: 'home-improvement', name: 'Home Improvement' },
      ])
      expect(series.seasons).toMatchObject([
        {
          title: 'Talks of the first winter',
          firstAirYear: 2020,
          streamingOptions: {
            us: [{ type: 'free', link: 'https://acme.test/season/workshop-series?from=workshop-series' }],
          },
          episodes: [{ title: 'Saws', streamingOptions: { us: [{ quality: 'uhd' }] } }],
        },
        { title: 'Talks of the second winter', firstAirYear: 2021, streamingOptions: {}, episodes: [] },
      ])
    })

    it('has texts in one language each, and prices in dollars unless they say otherwise', async () => {
      await importSource(service, ADVANCED)
      const [night] = (await service.get('/shows/search/title?title=night&country=mx&output_language=es')).body
      expect(night).toMatchObject({ title: 'Una noche en el taller', runtime: 90, genres: [{}, {}] })
      expect(night.streamingOptions.mx).toMatchObject([
        { type: 'rent', quality: 'hd', price: { amount: '1.90', currency: 'USD' } },
      ])
    })

    it('removes what is gone from it', async () => {
      await importSource(service, ADVANCED)
      const feed = JSON.parse(readFileSync(fixturePath('advanced.json'), 'utf8'))
      const path = join(temporaryFolder(), 'feed.json')
      writeFileSync(path, JSON.stringify({ ...feed, assets: feed.assets.slice(0, -1) }))
      const report = await importSource(service, { ...ADVANCED, path }, { force: true })
      expect(report).toMatchObject({ complete: true, changes: { removed: 2 } })
    })

    it('is damaged if a season names no series either', async () => {
      const path = join(temporaryFolder(), 'feed.json')
      writeFileSync(path, JSON.stringify({ assets: [{ type: 'season', titles: [] }] }))
      const records = await nativeFeed(service, { ...ADVANCED, path })
      expect(records).toContainEqual(expect.objectContaining({ problem: 'unreadable_line' }))
    })
  })

  it('is refused without a service and a link template, or with an invalid template', async () => {
    const importing = (options: Record<string, string>) => importSource(service, { ...FEED, options })
    await expect(importing({})).rejects.toThrow(/needs --service <id>: [\s\S]*needs --link-template <url>: /)
    for (const linkTemplate of ['https://acme.test/watch', 'acme://{id}', 'https://acme.test/{ID}']) {
      await expect(importing({ service: 'acme', linkTemplate })).rejects.toThrow(/--link-template is ".*"; it must be/)
    }
  })
})
