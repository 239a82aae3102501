import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NOW } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { formatGolden, importSource, nativeFeed } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const fixturePath = (name: string) => fileURLToPath(new URL(`./amazon-cdf/${name}`, import.meta.url))
const options = { linkTemplate: 'https://lantern.test/watch/{launchId}' }
const FEED = { format: 'amazon-cdf', path: fixturePath('catalog.xml'), options }
const OLDER = { ...FEED, path: fixturePath('catalog-1.3.xml') }

describe("a catalog in Amazon's catalog data format", () => {
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

  it('of an older version becomes this native feed', async () => {
    await expect(formatGolden(await nativeFeed(service, OLDER))).toMatchFileSnapshot(fixturePath('native-1.3.txt'))
  })

  it('is what the API answers after the import', async () => {
    const report = await importSource(service, FEED)
    expect(report).toMatchObject({ source: 'amazon-cdf/lantern-films', created: 2, complete: true })
    expect(report.notices).toMatchObject({ left_out: 3 })
    const { body: heat } = await service.get('/shows/tt0113277?country=us')
    expect(heat).toMatchObject({
      title: 'Heat',
      overview: 'A thief and a policeman.',
      releaseYear: 1995,
      runtime: 170,
      directors: ['Michael Mann'],
      cast: ['Al Pacino', 'Robert De Niro'],
      rating: 82,
      genres: [{ id: 'crime' }, { id: 'heist' }],
    })
    expect(heat.streamingOptions.us).toMatchObject([
      {
        service: { id: 'lantern-films', name: 'Lantern Films', homePage: 'https://lantern.test' },
        type: 'subscription',
        quality: 'hd',
        link: 'https://lantern.test/watch/MV-1%20uhd',
        audios: [{ language: 'eng', region: 'USA' }, { language: 'fra' }],
        subtitles: [{ closedCaptions: false, locale: { language: 'spa', region: '419' } }],
        expiresOn: Date.UTC(2027, 0, 1, 14) / 1000,
      },
      { type: 'subscription', quality: 'uhd' },
      { type: 'rent', quality: 'sd', price: { amount: '3.99', currency: 'USD' } },
    ])
    const spanish = await service.get('/shows/tt0113277?country=us&output_language=es')
    expect(spanish.body.title).toBe('Fuego & fuego')
    const [quay] = (await service.get('/shows/search/title?title=quay&country=us&series_granularity=episode')).body
    expect(quay).toMatchObject({ title: 'The Quay', firstAirYear: 2021 })
    expect(quay.seasons[0]).toMatchObject({ title: 'Low Tide', episodes: [{}, { title: 'Ropes', airYear: 2021 }] })
    expect(quay.seasons[0].episodes[1].overview).toBe('A rope breaks.')
  })

  it('has series that it names by title only, and miniseries', async () => {
    await importSource(service, OLDER)
    const search = async (title: string) =>
      (await service.get(`/shows/search/title?title=${title}&country=us&series_granularity=episode`)).body[0]
    expect((await search('office%20factor')).seasons[1].episodes[4]).toMatchObject({ title: "What's in a Name?" })
    expect(await search('best%20people')).toMatchObject({
      firstAirYear: 2005,
      seasons: [{ episodes: [{ title: 'The First' }] }],
    })
  })

  it('changes nothing in a second import, and loses what it no longer has', async () => {
    await importSource(service, FEED)
    service.now = NOW + 60
    expect(await importSource(service, FEED)).toMatchObject({ created: 0, altered: 0 })
    const report = await importSource(
      service,
      { ...OLDER, options: { ...options, service: 'lantern-films' } },
      { force: true },
    )
    expect(report.changes.removed).toBeGreaterThan(0)
  })

  it('that is damaged in any way removes nothing', async () => {
    await importSource(service, FEED)
    const { offers } = service.ledger.catalog.counts()
    const whole = readFileSync(FEED.path)
    const text = whole.toString()
    const damaged: Readonly<Record<string, string | Buffer>> = {
      truncated: whole.subarray(0, whole.length / 2),
      'truncated gzip data': gzipSync(whole).subarray(0, 500),
      'an error page': '<!doctype html><title>502 Bad Gateway</title>',
      empty: '',
      'no XML': '{"Catalog":[]}',
      'not UTF-8': Buffer.concat([whole.subarray(0, 600), Buffer.from([0xc3, 0x28]), whole.subarray(600)]),
      'tags that do not fit': text.replace('</Offers>', ''),
      'an unknown entity': text.replace('&amp;', '&bomb;'),
      'a work without an id': text.replace('<ID>MV-1</ID>', ''),
      'an episode of no show': text.replace('<ShowID>SH-1</ShowID>\n      <SeasonID>SE-1</SeasonID>', ''),
    }
    for (const [name, feed] of Object.entries(damaged)) {
      const path = join(temporaryFolder(), 'catalog.xml')
      writeFileSync(path, feed)
      const source = { ...FEED, path, options: { ...options, service: 'lantern-films' } }
      const report = await importSource(service, source, { force: true })
      expect({ name, complete: report.complete, removed: report.changes.removed }).toEqual({
        name,
        complete: false,
        removed: 0,
      })
      expect(service.ledger.catalog.counts().offers).toBe(offers)
    }
  })

  it('that would remove more than a fifth of its offers is refused', async () => {
    await importSource(service, FEED)
    const path = join(temporaryFolder(), 'catalog.xml')
    writeFileSync(path, '<Catalog><Partner>Lantern Films</Partner><Works></Works></Catalog>')
    const report = await importSource(service, { ...FEED, path })
    expect(report.refused).toMatchObject({ reason: 'too_many_removals' })
  })

  it('in another encoding is read by its declaration', async () => {
    const path = join(temporaryFolder(), 'catalog.xml')
    const text = readFileSync(FEED.path, 'utf8').replace('utf-8', 'iso-8859-1').replace('Ropes', 'Caf\u00e9')
    writeFileSync(path, Buffer.from(text, 'latin1'))
    expect(JSON.stringify(await nativeFeed(service, { ...FEED, path }))).toContain('Caf\u00e9')
  })
})
