import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

describe('GET /shows/{id}', async () => {
  const service = await aRunningService(
    aSnapshot(
      aMovie({
        id: '597',
        imdbId: 'tt0120338',
        tmdbId: 'movie/1000',
        streamingOptions: { us: [anOption()], gb: [anOption()] },
      }),
      aMovie({ id: '1000', imdbId: 'tt1000', tmdbId: 'movie/597' }),
      aSeries({ id: '7', imdbId: 'tt0903747', tmdbId: 'tv/597' }),
      aMovie({ id: '8', imdbId: '', tmdbId: '' }),
    ),
  )
  const id = async (path: string) => {
    const { status, body, error } = await service.get(`/shows/${path}`)
    return status === 200 ? body.id : [status, error.code, error.parameter]
  }
  const missing = [404, 'not_found', 'id']

  describe('id', () => {
    it.each([
      ['597', '597', "the service's own id"],
      ['1000', '1000', "the service's own id"],
      ['tt0120338', '597', 'an IMDb id'],
      ['tt1000', '1000', 'an IMDb id'],
      ['movie/1000', '597', 'a TMDB id of a movie'],
      ['movie/597', '1000', 'a TMDB id of a movie'],
      ['tv/597', '7', 'a TMDB id of a series'],
      ['movie%2F597', '1000', 'a TMDB id with its slash encoded'],
      ['movie%2f597', '1000', 'the same in small letters'],
      ['tv%2F597', '7', 'a TMDB id with its slash encoded'],
      ['%35%39%37', '597', 'encoded though it need not be'],
      ['8', '8', 'a show that has no other id'],
    ])('%s is show %s: %s', async (path, expected) => {
      expect(await id(path)).toBe(expected)
    })

    it('/shows/movie/597 and /shows/movie%2F597 are the same request', async () => {
      expect((await service.get('/shows/movie%2F597?country=us')).text).toBe(
        (await service.get('/shows/movie/597?country=us')).text,
      )
    })

    it.each(['1', 'tt1', 'movie/1', 'tv/1000', 'movie/7', 'tv%2F1000'])('%s, which no show has: 404', async (path) => {
      expect(await id(path)).toEqual(missing)
    })

    it.each(['abc', 'tt', 'ttx', 'movie/abc', 'series/597', '-1', '1.5', '0597', 'movie/', '%20597', 'show:597'])(
      '%s, which is no id: 404',
      async (path) => {
        expect((await service.get(`/shows/${path}`)).status).toBe(404)
      },
    )

    it('the same on the marketplace base', async () => {
      for (const path of [
        '/shows/597',
        '/shows/tt0903747',
        '/shows/movie/597',
        '/shows/movie%2F597',
        '/shows/tv/597',
      ]) {
        expect((await service.get(path, { source: 'marketplace' })).text).toBe((await service.get(path)).text)
      }
    })
  })

  describe('country', () => {
    it('omitted: all countries', async () => {
      expect(Object.keys((await service.get('/shows/597')).body.streamingOptions)).toEqual(['gb', 'us'])
    })

    it("given: only that country's availability, in any case", async () => {
      for (const country of ['gb', 'GB', 'Gb']) {
        const { body } = await service.get(`/shows/597?country=${country}`)
        expect(Object.keys(body.streamingOptions)).toEqual(['gb'])
      }
      expect((await service.get('/shows/597?country=tr')).body.streamingOptions).toEqual({})
    })

    it('one that the catalog does not have: 400', async () => {
      const { status, error } = await service.get('/shows/597?country=zz')
      expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', 'country'])
    })
  })

  describe('series_granularity', () => {
    it('is episode by default', async () => {
      const { body } = await service.get('/shows/7')
      expect(body.seasons[1].episodes[1].streamingOptions.us[0].link).toBe('https://netflix.test/title/7/s2/e2')
      expect(body).toEqual((await service.get('/shows/7?series_granularity=episode')).body)
    })

    it('season: season info, no episode info', async () => {
      const { body } = await service.get('/shows/7?series_granularity=season')
      expect(body.seasons).toHaveLength(2)
      expect(body.seasons[0]).not.toHaveProperty('episodes')
    })

    it('show: no season or episode info', async () => {
      expect((await service.get('/shows/7?series_granularity=show')).body).not.toHaveProperty('seasons')
    })

    it('does not affect movies', async () => {
      const { body } = await service.get('/shows/597')
      for (const granularity of ['show', 'season', 'episode']) {
        expect((await service.get(`/shows/597?series_granularity=${granularity}`)).body).toEqual(body)
      }
    })

    it('another: 400', async () => {
      const { status, error } = await service.get('/shows/7?series_granularity=seasons')
      expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', 'series_granularity'])
    })
  })

  it('output_language: en by default', async () => {
    const { body } = await service.get('/shows/7')
    expect(body.genres).toEqual([{ id: 'comedy', name: 'Comedy' }])
    expect((await service.get('/shows/7?output_language=en')).body).toEqual(body)
    expect((await service.get('/shows/7?output_language=tr')).body.genres).toEqual([{ id: 'comedy', name: 'Komedi' }])
    const { status, error } = await service.get('/shows/7?output_language=tlh')
    expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', 'output_language'])
  })

  it('a show that was taken out of the catalog is not found by any of its ids', async () => {
    const { noticeList } = await service.import(aDelta(aMovie({ id: '9', imdbId: 'tt99', tmdbId: 'movie/99' })))
    expect(noticeList).toEqual([])
    for (const path of ['9', 'tt99', 'movie/99']) expect(await id(path)).toBe('9')
    await service.import(aDelta({ kind: 'remove', imdbId: 'tt99' }))
    for (const path of ['9', 'tt99', 'movie/99']) expect(await id(path)).toEqual(missing)
  })
})
