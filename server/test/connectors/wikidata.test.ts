import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aSnapshot } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { formatGolden, importSource, nativeFeed } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const fixturePath = (name: string) => fileURLToPath(new URL(`./wikidata/${name}`, import.meta.url))
const RESULTS = { format: 'wikidata', path: fixturePath('results.json') }

function writeResults(text: string) {
  const path = join(temporaryFolder(), 'results.json')
  writeFileSync(path, text)
  return { ...RESULTS, path }
}

describe('a query result of Wikidata', () => {
  let service: TestService
  beforeEach(async () => {
    service = await TestService.open(temporaryFolder())
    const offers = { streamingOptions: { us: [anOption()] } }
    await service.import(
      aSnapshot(
        aMovie({ id: '1', imdbId: 'tt0113277', tmdbId: '', title: 'Heat', originalTitle: 'Heat', ...offers }),
        aSeries({ id: '2', imdbId: 'tt5753856', tmdbId: '', title: 'Dark', ...offers }),
        // Two records of one movie, which no source has joined.
        aMovie({ id: '7', imdbId: 'tt0000777', tmdbId: '', title: 'Seven', ...offers }),
        aMovie({
          id: '8',
          imdbId: '',
          tmdbId: 'movie/778',
          title: 'Le Sept',
          streamingOptions: { us: [anOption({ link: 'https://netflix.test/8' })] },
        }),
      ),
    )
  })
  afterEach(async () => {
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
    await service.close()
  })

  it('becomes this native feed', async () => {
    await expect(formatGolden(await nativeFeed(service, RESULTS))).toMatchFileSnapshot(fixturePath('native.txt'))
  })

  it('gives shows the ids that they lack, joins two that are one, and creates none; the second time it changes nothing', async () => {
    const { offers } = service.ledger.catalog.counts()
    const report = await importSource(service, RESULTS)
    expect(report).toMatchObject({ source: 'wikidata', created: 0, complete: true })
    expect(report.notices).toMatchObject({ shows_merged: 1, left_out: 2 })
    expect((await service.get('/shows/movie/949')).body).toMatchObject({ id: '1', title: 'Heat' })
    expect((await service.get('/shows/8')).body).toMatchObject({ id: '7', imdbId: 'tt0000777', tmdbId: 'movie/778' })
    expect(service.ledger.catalog.counts()).toMatchObject({ shows: 3, offers })
    expect(await importSource(service, RESULTS)).toMatchObject({ created: 0, altered: 0 })
  })

  it('uses no id where several are stated, and no other id than the show has', async () => {
    const records = await nativeFeed(service, RESULTS)
    expect(records.find(({ record }) => record === 'Q27044293')).toMatchObject({
      note: 'left_out',
      detail: 'Wikidata has several ids of one show, so none is used: tv/70523, tv/70524',
    })
    const row = { item: 'http://www.wikidata.org/entity/Q7', tmdbMovie: '778', imdb: 'tt0000999' }
    await service.import([
      { kind: 'feed', source: 'x', mode: 'delta' },
      { kind: 'show', partial: true, showType: 'movie', id: '8', imdbId: 'tt0000888', title: 'Le Sept' },
    ])
    const [, note, record] = await nativeFeed(service, writeResults(JSON.stringify([row])))
    expect(note?.detail).toBe('the catalog has tt0000888, Wikidata another id: tt0000999')
    expect(record).toMatchObject({ id: '8', imdbId: 'tt0000888', tmdbId: 'movie/778' })
  })

  it('is read in the plain form, too', async () => {
    const rows = [
      { item: 'http://www.wikidata.org/entity/Q42198', imdb: 'tt0113277', tmdbMovie: '949', itemLabel: 'Heat (film)' },
      { item: 'http://www.wikidata.org/entity/Q42198', imdb: 'tt0113277', tmdbMovie: '949', alias: 'Die Hitze' },
    ]
    const [, record] = await nativeFeed(service, writeResults(JSON.stringify(rows)))
    expect(record).toMatchObject({ id: '1', tmdbId: 'movie/949', aliases: ['Heat (film)', 'Die Hitze'] })
  })

  it('that cannot be read is a problem, and changes nothing', async () => {
    for (const text of [
      '{"results":{"bindings":[{"item":{"value":"x"}}java.lang.Timeout',
      '<html><body>Back soon</body></html>',
      '{"boolean":true}',
      '[{"imdb":"tt0113277"}]',
    ]) {
      const { complete } = await importSource(service, writeResults(text))
      expect({ text, complete }).toEqual({ text, complete: false })
      expect((await service.get('/shows/1')).body.tmdbId).toBe('')
    }
  })
})
