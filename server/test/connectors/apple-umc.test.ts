import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkCatalog } from '../support/check-catalog.ts'
import { formatGolden, importSource, nativeFeed } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const fixturePath = (name: string) => fileURLToPath(new URL(`./apple-umc/${name}`, import.meta.url))
const options = { service: 'lantern', serviceName: 'Lantern' }
const FEED = { format: 'apple-umc', path: fixturePath(''), options }

/** A copy of the feeds that a test may change. */
function copyFeeds(): string {
  const folder = temporaryFolder()
  for (const name of ['catalog.xml', 'availability-us.xml', 'availability-gb.xml']) {
    cpSync(fixturePath(name), join(folder, name))
  }
  return folder
}

describe("Apple's catalog and availability feeds", () => {
  let service: TestService
  beforeEach(async () => {
    service = await TestService.open(temporaryFolder())
  })
  afterEach(async () => {
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
    await service.close()
  })

  it('become this native feed', async () => {
    await expect(formatGolden(await nativeFeed(service, FEED))).toMatchFileSnapshot(fixturePath('native.txt'))
  })

  it('are what the API answers after the import', async () => {
    const report = await importSource(service, FEED)
    expect(report).toMatchObject({ source: 'apple-umc/lantern', created: 2, complete: true })
    const { body: heat } = await service.get('/shows/tt0113277')
    expect(heat).toMatchObject({
      title: 'Heat',
      overview: 'A thief <and> a policeman.',
      releaseYear: 1995,
      runtime: 170,
      directors: ['Michael Mann'],
      cast: ['Al Pacino'],
    })
    expect(heat.imageSet.verticalPoster.w240).toBe('https://img.test/heat-tall.jpg')
    expect(heat.imageSet.horizontalPoster.w360).toBe('https://img.test/heat-wide.jpg')
    expect(heat.streamingOptions).toMatchObject({
      gb: [{ type: 'free', link: 'https://lantern.test/gb/m/M1' }],
      ie: [{ type: 'free', link: 'https://lantern.test/gb/m/M1' }],
      us: [
        {
          service: { id: 'lantern', name: 'Lantern' },
          type: 'subscription',
          link: 'https://lantern.test/play/M1',
          quality: 'hd',
          audios: [
            { language: 'eng', region: 'USA' },
            { language: 'spa', region: '419' },
          ],
          expiresOn: Date.UTC(2027, 0, 1) / 1000,
        },
      ],
    })
    expect(heat.streamingOptions.us[0].subtitles).toContainEqual({
      closedCaptions: true,
      locale: { language: 'eng', region: 'USA' },
    })
    const [quay] = (await service.get('/shows/search/title?title=quay&country=us&series_granularity=episode')).body
    expect(quay).toMatchObject({
      firstAirYear: 2021,
      streamingOptions: { us: [{ type: 'free', link: 'https://lantern.test/s/S1' }] },
    })
    expect(quay.seasons[0]).toMatchObject({ title: 'Low Tide', episodes: [{}, { title: 'Ropes', airYear: 2021 }] })
    expect(quay.seasons[0].episodes[1].overview).toBe('A rope breaks & falls.')
  })

  it('have what has no place in the catalog as notices', async () => {
    const { noticeList } = await importSource(service, FEED)
    expect(noticeList.filter(({ code }) => code === 'left_out').map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'the offer is of the type coming_soon',
        'the item is of the type sporting_event',
        'items of the availability feeds that the catalog feed does not have: 1',
      ]),
    )
  })

  it('change nothing in a second import', async () => {
    await importSource(service, FEED)
    service.now += 60
    expect(await importSource(service, FEED)).toMatchObject({ created: 0, altered: 0 })
  })

  it('need both kinds, and a country for each availability feed', async () => {
    const folder = copyFeeds()
    rmSync(join(folder, 'catalog.xml'))
    await expect(nativeFeed(service, { ...FEED, path: folder })).rejects.toThrow(
      /no file has the root element <umcCatalog>/,
    )
    cpSync(fixturePath('catalog.xml'), join(folder, 'catalog.xml'))
    cpSync(join(folder, 'availability-us.xml'), join(folder, 'availability.xml'))
    await expect(nativeFeed(service, { ...FEED, path: folder })).rejects.toThrow(
      /availability.xml does not say which country/,
    )
    const records = await nativeFeed(service, { ...FEED, path: folder, options: { ...options, countries: 'fr' } })
    expect(records.find(({ title }) => title === 'Heat')?.streamingOptions).toHaveProperty('fr')
  })

  it('that are damaged in any way remove nothing', async () => {
    await importSource(service, FEED)
    const { offers } = service.ledger.catalog.counts()
    const whole = readFileSync(fixturePath('availability-us.xml'))
    const damaged: Readonly<Record<string, string | Buffer>> = {
      truncated: whole.subarray(0, whole.length / 2),
      'truncated gzip data': gzipSync(whole).subarray(0, 400),
      'not UTF-8': Buffer.concat([whole.subarray(0, 700), Buffer.from([0xc3, 0x28])]),
      'an unclosed tag': whole.toString().replace('</offers>', ''),
      'an item without an id': whole.toString().replace('contentId="M1"', ''),
    }
    for (const [name, feed] of Object.entries(damaged)) {
      const folder = copyFeeds()
      writeFileSync(join(folder, 'availability-us.xml'), feed)
      const report = await importSource(service, { ...FEED, path: folder }, { force: true })
      expect({ name, complete: report.complete, removed: report.changes.removed }).toEqual({
        name,
        complete: false,
        removed: 0,
      })
      expect(service.ledger.catalog.counts().offers).toBe(offers)
    }
  })
})
