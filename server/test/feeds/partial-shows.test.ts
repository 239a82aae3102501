import { expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aSnapshot } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const partial = (fields: Record<string, unknown>) => [
  { kind: 'feed', source: 'other', mode: 'delta' },
  { kind: 'show', partial: true, ...fields },
]

async function withService(records: object[], test: (service: TestService) => Promise<void>): Promise<void> {
  const service = await TestService.open(temporaryFolder())
  try {
    await service.import(records)
    await test(service)
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
  } finally {
    await service.close()
  }
}

it('a partial movie keeps the fields that it lacks', () =>
  withService(
    aSnapshot(aMovie({ id: '1', translations: { fr: { title: 'Un', overview: 'Quoi.' } } })),
    async (service) => {
      const before = (await service.get('/shows/1')).body
      const report = await service.import(
        partial({
          showType: 'movie',
          id: '1',
          title: 'Renamed',
          runtime: 123,
          translations: { fr: { title: 'Nom' }, de: { title: 'Eins' } },
        }),
      )
      expect(report).toMatchObject({ notices: {}, changes: { new: 0, updated: 0, removed: 0 } })
      expect((await service.get('/shows/1')).body).toEqual({ ...before, title: 'Renamed', runtime: 123 })
      expect((await service.get('/shows/1?output_language=fr')).body).toMatchObject({ title: 'Nom', overview: 'Quoi.' })
      expect((await service.get('/shows/1?output_language=de')).body).toMatchObject({
        title: 'Eins',
        overview: before.overview,
      })
    },
  ))

it('a partial movie replaces the kinds of images that it has', () =>
  withService(aSnapshot(aMovie({ id: '1' })), async (service) => {
    const { imageSet } = (await service.get('/shows/1')).body
    const verticalPoster = { w240: 'https://other.test/poster.jpg' }
    await service.import(partial({ showType: 'movie', id: '1', title: 'Movie 1', imageSet: { verticalPoster } }))
    const after = (await service.get('/shows/1')).body.imageSet
    expect(after.verticalPoster.w240).toBe('https://other.test/poster.jpg')
    expect({ ...after, verticalPoster: imageSet.verticalPoster }).toEqual(imageSet)
  }))

it('a partial series keeps seasons and episodes beyond those that it names, and their overviews', () =>
  withService(aSnapshot(aSeries({ id: '1' })), async (service) => {
    const before = (await service.get('/shows/1')).body
    const option = anOption({ link: 'https://other.test/1/1/1' })
    const episode = { title: 'Pilot', streamingOptions: { us: [option] } }
    const series = { showType: 'series', id: '1', title: 'Series 1' }
    await service.import(partial({ ...series, seasons: [{ episodes: [episode] }] }))
    const after = (await service.get('/shows/1')).body
    expect(after.seasons).toHaveLength(2)
    expect(after.seasons[0].episodes).toHaveLength(2)
    expect(after.seasons[0]).toMatchObject({ title: 'Season 1', firstAirYear: 2010 })
    expect(after.seasons[0].episodes[0]).toMatchObject({ title: 'Pilot', overview: 'What happens in episode 1.' })
    expect(after.seasons[0].episodes[0].streamingOptions.us).toHaveLength(2)
    await service.import(partial({ ...series, seasons: [{ episodes: [{ title: 'Episode 1' }] }] }))
    expect((await service.get('/shows/1')).body).toEqual(before)
  }))

it('a partial show that is not known is created with the fields that it has', () =>
  withService(aSnapshot(), async (service) => {
    expect(await service.import(partial({ showType: 'movie', id: '7', title: 'New' }))).toMatchObject({ notices: {} })
    expect((await service.get('/shows/7')).body).toMatchObject({
      title: 'New',
      originalTitle: 'New',
      overview: '',
      cast: [],
    })
  }))
