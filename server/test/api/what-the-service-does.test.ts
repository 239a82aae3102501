import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aSnapshot, DAY, idsOf, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const ENDPOINTS = [
  '/shows/1',
  '/shows/search/filters?country=us',
  '/shows/search/title?country=us&title=lantern',
  '/shows/top?country=us&service=netflix',
  '/changes?country=us&change_type=new&item_type=show',
  '/countries',
  '/countries/us',
  '/genres',
]

describe('what the service does', async () => {
  const service = await aRunningService([
    ...aSnapshot(
      aMovie({
        id: '1',
        imdbId: 'tt0068646',
        tmdbId: 'movie/238',
        title: 'The Lantern',
        originalTitle: 'The Lantern',
        genres: ['crime'],
        translations: { es: { title: 'La linterna', overview: 'Una luz.' } },
        streamingOptions: {
          us: [
            anOption({
              service: 'prime',
              type: 'rent',
              videoLink: 'https://prime.test/watch/1',
              price: { amount: '3.99', currency: 'USD' },
              expiresOn: NOW + 10 * DAY,
            }),
          ],
        },
      }),
      aSeries({ id: '2' }),
    ),
    { kind: 'top', country: 'us', service: 'netflix', showType: 'series', shows: ['2'] },
  ])

  describe('1. read-only HTTP GET operations that return JSON', () => {
    it.each(ENDPOINTS)('GET %s', async (path) => {
      const { status, headers, text } = await service.get(path)
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
      expect(text).toBe(JSON.stringify(JSON.parse(text)))
    })

    it.each(['POST', 'PUT', 'DELETE', 'PATCH'] as const)('%s is not allowed, and changes nothing', async (method) => {
      for (const path of ENDPOINTS) {
        const { status, headers, error } = await service.get(path, { method })
        expect([status, error.code, headers.allow]).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS'])
      }
      expect((await service.get('/shows/1')).status).toBe(200)
    })
  })

  it('2. a show carries descriptive data and the service data', async () => {
    const { body } = await service.get('/shows/1')
    expect(body).toMatchObject({
      title: 'The Lantern',
      overview: 'What happens in movie 1.',
      genres: [{ id: 'crime', name: 'Crime' }],
      cast: ['Ben Actor', 'Cleo Actor'],
      rating: 70,
      imageSet: { verticalPoster: { w240: 'https://images.test/1/vp/w240.jpg' } },
      streamingOptions: {
        us: [
          {
            service: { id: 'prime' },
            type: 'rent',
            link: 'https://netflix.test/title/1',
            videoLink: 'https://prime.test/watch/1',
            quality: 'hd',
            audios: [{ language: 'eng' }],
            subtitles: [{ closedCaptions: false, locale: { language: 'eng' } }],
            price: { amount: '3.99', currency: 'USD', formatted: '3.99 USD' },
            expiresOn: NOW + 10 * DAY,
          },
        ],
      },
    })
    const { body: series } = await service.get('/shows/2')
    expect(series.seasons[0].episodes[0]).toMatchObject({ itemType: 'episode', title: 'Episode 1' })
  })

  it('3. shows are retrieved by IMDb or TMDB id, title search, filter search, or as a top list', async () => {
    expect((await service.get('/shows/tt0068646')).body.id).toBe('1')
    expect((await service.get('/shows/movie/238')).body.id).toBe('1')
    expect(idsOf((await service.get('/shows/search/title?country=us&title=the+lantern')).body)).toEqual(['1'])
    expect(idsOf((await service.get('/shows/search/filters?country=us&genres=crime')).body.shows)).toEqual(['1'])
    expect(idsOf((await service.get('/shows/top?country=us&service=netflix')).body)).toEqual(['2'])
  })

  it('4. changes are queryable per country and catalog over a time window, with the affected shows', async () => {
    const window = `&from=${NOW - DAY}&to=${NOW}`
    const { body } = await service.get(
      `/changes?country=us&catalogs=prime.rent&change_type=new&item_type=show${window}`,
    )
    expect(body.changes).toMatchObject([{ showId: '1', timestamp: NOW }])
    expect(body.shows['1'].title).toBe('The Lantern')
  })

  it('5. reference data: countries with their services and addons, and genres', async () => {
    const { body: countries } = await service.get('/countries')
    const prime = countries
      .find(({ countryCode }: { countryCode: string }) => countryCode === 'us')
      .services.find(({ id }: { id: string }) => id === 'prime')
    expect(idsOf(prime.addons)).toEqual(['starz', 'mgm'])
    expect(idsOf((await service.get('/genres')).body)).toContain('scifi')
  })

  it('6. results can be localized with output_language', async () => {
    expect((await service.get('/shows/1?output_language=es')).body).toMatchObject({
      title: 'La linterna',
      overview: 'Una luz.',
      genres: [{ id: 'crime', name: 'Crimen' }],
    })
  })

  it('7. client libraries are optional: plain HTTP is sufficient', async () => {
    await service.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = service.app.server.address() as { port: number }
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { 'X-API-Key': service.directKey, Connection: 'close' }
      request({ host: '127.0.0.1', port, path: '/v4/shows/tt0068646', headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece) => {
          text += piece
        })
        response.on('end', () => resolve(text))
      })
        .on('error', reject)
        .end()
    })
    expect(JSON.parse(body)).toMatchObject({ id: '1', imdbId: 'tt0068646' })
  })
})
