import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aMovie, anOption, aSnapshot, NOW } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { formatGolden, importSource, nativeFeed } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const fixturePath = (name: string) => fileURLToPath(new URL(`./media-actions/${name}`, import.meta.url))
const FEED = { format: 'media-actions', path: fixturePath('feed.json'), options: { countries: 'us,de' } }

describe('a Media Actions feed', () => {
  let service: TestService
  beforeEach(async () => {
    service = await TestService.open(temporaryFolder())
  })
  afterEach(async () => {
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
    await service.close()
  })

  it('becomes this native feed', async () => {
    await expect(formatGolden(await nativeFeed(service, FEED))).toMatchFileSnapshot(fixturePath('native.txt'))
  })

  it('is what the API answers after the import', async () => {
    const report = await importSource(service, FEED)
    expect(report).toMatchObject({
      source: 'media-actions/acme',
      shows: 2,
      created: 2,
      complete: true,
      notices: { left_out: 1 },
    })
    const { body: heat } = await service.get('/shows/tt0113277')
    expect(heat).toMatchObject({
      tmdbId: 'movie/949',
      title: 'Heat',
      overview: 'A thief and a policeman.',
      releaseYear: 1995,
      genres: [
        { id: 'crime', name: 'Crime' },
        { id: 'heist', name: 'Heist' },
      ],
      directors: ['Michael Mann'],
      cast: ['Al Pacino', 'Robert De Niro'],
      rating: 82,
      runtime: 170,
    })
    expect(heat.imageSet.verticalPoster.w240).toBe('https://img.acme.test/heat/v.jpg')
    expect(heat.imageSet.horizontalPoster.w360).toBe('https://img.acme.test/heat/h.jpg')
    const [subscription, cheap, dear] = heat.streamingOptions.us
    expect(subscription).toMatchObject({
      service: { id: 'acme', name: 'Acme', homePage: 'https://www.acme.test' },
      type: 'subscription',
      link: 'https://www.acme.test/play/heat',
      audios: [{ language: 'eng' }, { language: 'spa', region: 'MEX' }],
      expiresOn: Date.UTC(2026, 11, 31, 23, 59, 59) / 1000,
      availableSince: Date.UTC(2025, 6, 21, 10, 35, 29) / 1000,
    })
    expect(cheap).toMatchObject({ type: 'rent', price: { amount: '3.50', currency: 'USD' } })
    expect(dear).toMatchObject({ type: 'rent', price: { amount: '4.99', currency: 'USD' } })
    expect(heat.streamingOptions.gb).toHaveLength(1)
    expect(heat.streamingOptions.de).toBeUndefined()
    const { body: spanish } = await service.get('/shows/tt0113277?output_language=es&country=us')
    expect(spanish).toMatchObject({ title: 'Fuego contra fuego', overview: 'Un ladrón y un policía.' })
  })

  it('has upcoming offers, as an addon if the tier has its own name', async () => {
    await importSource(service, FEED)
    await service.advance(Date.UTC(2026, 3, 1) / 1000 - NOW)
    const { body } = await service.get('/shows/tt0113277?country=de')
    expect(body.streamingOptions.de).toMatchObject([
      { type: 'addon', addon: { id: 'acme-cinema', name: 'Acme Cinema+' }, link: 'https://www.acme.test/play/heat' },
    ])
  })

  it('has series with seasons and episodes in any order', async () => {
    await importSource(service, FEED)
    const [dark] = (await service.get('/shows/search/title?title=dark&country=us&series_granularity=episode')).body
    expect(dark).toMatchObject({ firstAirYear: 2017, creators: ['Baran bo Odar', 'Jantje Friese'], seasonCount: 3 })
    expect(dark.streamingOptions.us.map(({ type, link }: { type: string; link: string }) => [type, link])).toEqual([
      ['free', 'https://www.acme.test/dark'],
      ['addon', 'https://www.acme.test/dark'],
    ])
    const [season] = dark.seasons
    expect(season).toMatchObject({ title: 'Dark, the first season', firstAirYear: 2017, lastAirYear: 2017 })
    expect(season.streamingOptions.us.map(({ link }: { link: string }) => link)).toEqual([
      'https://www.acme.test/dark/1',
      'https://www.acme.test/dark/1',
    ])
    expect(season.episodes).toMatchObject([
      { title: 'Secrets', overview: 'A boy is missing.', airYear: 2017, streamingOptions: { us: [{ type: 'free' }] } },
      { title: 'Lies', streamingOptions: { us: [{ type: 'addon', addon: { id: 'hometown-cable' } }] } },
    ])
    const [german] = (await service.get('/shows/search/filters?country=de&show_original_language=de')).body.shows
    expect(german).toMatchObject({ title: 'Dark' })
  })

  it('changes nothing in a second import', async () => {
    await importSource(service, FEED)
    service.now += 60
    expect(await importSource(service, FEED)).toMatchObject({ unchanged: 2, created: 0, altered: 0 })
  })

  it('merges with other sources, whose offers stay when it is dropped', async () => {
    const overview = 'Two men who could have been friends.'
    const other = aMovie({ id: '7', imdbId: 'tt0113277', tmdbId: 'movie/949', title: 'Heat', overview, rating: 90 })
    await service.import(
      aSnapshot({ ...other, streamingOptions: { us: [anOption({ link: 'https://netflix.test/7' })] } }),
    )
    await importSource(service, FEED)
    const { body } = await service.get('/shows/7?country=us')
    expect(body).toMatchObject({ imdbId: 'tt0113277', rating: 86, runtime: 170 })
    expect(body.streamingOptions.us.map(({ service }: { service: { id: string } }) => service.id)).toEqual([
      'netflix',
      'acme',
      'acme',
      'acme',
    ])
    await service.import([{ kind: 'feed', source: 'media-actions/acme', mode: 'snapshot' }], { force: true })
    const { body: after } = await service.get('/shows/7')
    expect(after.rating).toBe(90)
    expect(after.streamingOptions).toMatchObject({ us: [{ service: { id: 'netflix' } }] })
  })

  describe('as services write it', () => {
    const TIERS = { format: 'media-actions', path: fixturePath('tiers.json'), options: { countries: 'us' } }
    const search = async (title: string, more = '') =>
      (await service.get(`/shows/search/title?title=${title}&country=us${more}`)).body

    it('has the common tier as a subscription, and other tiers as addons', async () => {
      await importSource(service, TIERS)
      const { streamingOptions } = (await service.get(`/shows/${(await search('harbour'))[0].id}`)).body
      expect(streamingOptions.us).toMatchObject([{ type: 'subscription' }])
      expect(streamingOptions.us[0]).not.toHaveProperty('addon')
      expect(streamingOptions.ca).toMatchObject([{ type: 'addon', addon: { name: 'Lantern Cinema' } }])
    })

    it('has languages and quality as properties of the target', async () => {
      await importSource(service, TIERS)
      const [{ streamingOptions }] = await search('harbour')
      expect(streamingOptions.us[0]).toMatchObject({
        quality: 'uhd',
        audios: [{ language: 'eng' }, { language: 'spa', region: '419' }],
        subtitles: [{ locale: { language: 'eng' } }, { locale: { language: 'fra', region: 'CAN' } }],
      })
    })

    it('has genres in one text, actors, and the year of the copyright', async () => {
      await importSource(service, TIERS)
      expect((await search('harbour'))[0]).toMatchObject({
        genres: [{ id: 'crime' }, { id: 'drama' }, { id: 'film-noir', name: 'Film Noir' }],
        cast: ['Ada Lowe', 'Sam Reed'],
        releaseYear: 2019,
      })
      expect((await search('quay'))[0]).toMatchObject({
        firstAirYear: 2021,
        genres: [{ id: 'comedy' }, { id: 'drama' }, { id: 'mystery' }],
      })
    })

    it('names the same series and season with and without a trailing slash', async () => {
      const report = await importSource(service, TIERS)
      expect(report).toMatchObject({ shows: 4, complete: true })
      const [quay] = await search('quay', '&series_granularity=episode')
      expect(quay.seasons).toMatchObject([{ title: 'Low Tide', episodes: [{ title: 'Ropes' }] }])
      expect(quay.streamingOptions.us).toMatchObject([{ type: 'free', link: 'https://www.lantern.test/shows/quay' }])
    })

    it('is refused where a link has no protocol, with a notice', async () => {
      const report = await importSource(service, TIERS)
      expect(report.notices).toEqual({ invalid_offer: 1, ignored_field: 2, rolled_up: 1 })
      const refusals = report.noticeList.filter(({ code }) => code !== 'rolled_up')
      expect(refusals.map(({ message }) => message)).toEqual([
        'the link "//www.lantern.test/watch/relative" has no protocol; https:// is needed',
        'the url "//www.lantern.test/movies/relative" has no protocol; https:// is needed',
        'the link "/watch/half" has no protocol; https://www.lantern.test/movies/half is used instead',
      ])
      expect((await search('relative'))[0].streamingOptions).toEqual({})
      expect((await search('half'))[0].streamingOptions.us).toMatchObject([
        { link: 'https://www.lantern.test/movies/half' },
      ])
    })
  })

  describe('in any envelope', () => {
    const [movie, ...others] = JSON.parse(readFileSync(fixturePath('tiers.json'), 'utf8')).dataFeedElement
    const read = async (text: string) => {
      const path = join(temporaryFolder(), 'feed.json')
      writeFileSync(path, text)
      return nativeFeed(service, { ...FEED, path, options: { countries: 'us', service: 'lantern' } })
    }
    const titles = (records: Awaited<ReturnType<typeof read>>) => records.flatMap(({ title }) => title ?? [])

    it.each([
      ['an array', [movie, ...others], 4],
      ['a graph', { '@context': 'http://schema.org', '@graph': [movie, ...others] }, 4],
      ['a bare entity', movie, 1],
      ['a feed with a single object', { '@type': 'DataFeed', dataFeedElement: movie }, 1],
      ['a graph with a single object', { '@graph': movie }, 1],
      ['an array of feeds', [{ '@type': 'DataFeed', dataFeedElement: [movie] }, { '@graph': others }], 4],
      ['a feed of items', { dataFeedElement: [{ '@type': 'DataFeedItem', item: movie }] }, 1],
    ])('such as %s', async (_, feed, count) => {
      const records = await read(JSON.stringify(feed))
      expect(records.filter((record) => 'problem' in record)).toEqual([])
      expect(titles(records)).toHaveLength(count)
    })

    it('such as one entity a line', async () => {
      expect(titles(await read([movie, ...others].map((one) => JSON.stringify(one)).join('\n')))).toHaveLength(4)
    })

    it.each([
      [{ version: '1', elements: [] }, 'an object with the members "version", "elements"'],
      [{}, 'an object with no members'],
      [{ '@type': 'DataFeed', feed: [] }, 'an object with the members "@type", "feed"'],
    ])('but %j, which is named as unknown', async (feed, message) => {
      const [, problem] = await read(JSON.stringify(feed))
      expect(problem).toMatchObject({ problem: 'unreadable_line' })
      expect(String(problem?.detail)).toContain(`the envelope is unknown: ${message}`)
    })
  })
})
