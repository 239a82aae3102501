import { describe, expect, it } from 'vitest'
import { aMovie, anImageSet, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

describe('Show', async () => {
  const { verticalPoster, horizontalPoster } = anImageSet('3')
  const service = await aRunningService(
    aSnapshot(
      aMovie({
        id: '1',
        imdbId: 'tt0068646',
        tmdbId: 'movie/238',
        title: 'Amélie — 千と千尋 😀 "quoted" \\ / </script>\n',
        overview: 'Ein Überblick: ça va\u2028?',
        originalTitle: "Le Fabuleux Destin d'Amélie",
        genres: ['drama', 'comedy'],
        streamingOptions: {
          us: [anOption({ service: 'prime' }), anOption()],
          GB: [anOption()],
          tr: [],
        },
      }),
      aSeries({ id: '2', tmdbId: 'tv/1396', streamingOptions: { us: [anOption()], gb: [anOption()] } }),
      // A movie and a series with the required fields only.
      {
        kind: 'show',
        showType: 'movie',
        id: '3',
        title: 'Bare movie',
        imageSet: { verticalPoster, horizontalPoster },
      },
      {
        kind: 'show',
        showType: 'series',
        id: '4',
        title: 'Bare series',
        imageSet: { verticalPoster, horizontalPoster },
      },
      aMovie({ id: '5', rating: 100, directors: [], cast: [], overview: '', genres: [] }),
      aMovie({ id: '999999999999999', streamingOptions: { us: [anOption({ startsOn: NOW + DAY })] } }),
    ),
  )
  const movie = (await service.get('/shows/1')).body
  const series = (await service.get('/shows/2')).body
  const bareMovie = (await service.get('/shows/3')).body
  const bareSeries = (await service.get('/shows/4')).body
  const empty = (await service.get('/shows/5')).body

  it('itemType: always show', () => {
    for (const show of [movie, series, bareMovie, bareSeries]) expect(show.itemType).toBe('show')
  })

  it('showType: movie or series', () => {
    expect([movie.showType, series.showType]).toEqual(['movie', 'series'])
  })

  it("id: the service's own show id, a decimal string", async () => {
    expect([movie.id, series.id]).toEqual(['1', '2'])
    expect((await service.get('/shows/999999999999999')).body.id).toBe('999999999999999')
  })

  it('imdbId: tt and a number, or empty', () => {
    expect([movie.imdbId, bareMovie.imdbId]).toEqual(['tt0068646', ''])
  })

  it('tmdbId: movie/ or tv/ and a number', () => {
    expect([movie.tmdbId, series.tmdbId]).toEqual(['movie/238', 'tv/1396'])
  })

  it('title and overview: any text, unescaped UTF-8', async () => {
    expect(movie.title).toBe('Amélie — 千と千尋 😀 "quoted" \\ / </script>\n')
    const { text } = await service.get('/shows/1')
    expect(text).toContain('Amélie — 千と千尋 😀 \\"quoted\\"')
    expect(text).toContain('Ein Überblick: ça va')
    expect(text).not.toMatch(/\\u[0-9a-f]{4}/i)
  })

  it('releaseYear: the year of a movie, left out of series and where it is not known', () => {
    expect(movie.releaseYear).toBe(2001)
    for (const show of [series, bareMovie, bareSeries]) expect(show).not.toHaveProperty('releaseYear')
  })

  it('firstAirYear: the first year of a series, left out of movies and where it is not known', () => {
    expect(series.firstAirYear).toBe(2010)
    for (const show of [movie, bareMovie, bareSeries]) expect(show).not.toHaveProperty('firstAirYear')
  })

  it('lastAirYear: the last year of a series, left out of movies and where it is not known', () => {
    expect(series.lastAirYear).toBe(2011)
    for (const show of [movie, bareMovie, bareSeries]) expect(show).not.toHaveProperty('lastAirYear')
  })

  it('originalTitle', () => {
    expect(movie.originalTitle).toBe("Le Fabuleux Destin d'Amélie")
    expect(bareMovie.originalTitle).toBe('Bare movie')
  })

  it('genres: an array of Genre', () => {
    expect(movie.genres).toEqual([
      { id: 'drama', name: 'Drama' },
      { id: 'comedy', name: 'Comedy' },
    ])
    expect(bareMovie.genres).toEqual([])
  })

  it('directors: of a movie, left out where they are not known', () => {
    expect(movie.directors).toEqual(['Ada Director'])
    expect(empty.directors).toEqual([])
    for (const show of [series, bareMovie, bareSeries]) expect(show).not.toHaveProperty('directors')
  })

  it('creators: of a series, left out where they are not known', () => {
    expect(series.creators).toEqual(['Dora Creator'])
    for (const show of [movie, bareMovie, bareSeries]) expect(show).not.toHaveProperty('creators')
  })

  it('cast: an array of string', () => {
    expect(movie.cast).toEqual(['Ben Actor', 'Cleo Actor'])
    expect(bareMovie.cast).toEqual([])
  })

  it('rating: an integer from 0 to 100, 0 where it is not known', () => {
    expect([movie.rating, empty.rating, bareMovie.rating]).toEqual([70, 100, 0])
  })

  it('seasonCount and episodeCount: of a series, omitted for movies', () => {
    expect([series.seasonCount, series.episodeCount]).toEqual([2, 4])
    for (const show of [movie, bareMovie, bareSeries]) {
      expect(show).not.toHaveProperty('seasonCount')
      expect(show).not.toHaveProperty('episodeCount')
    }
  })

  it('runtime: of a movie in minutes', () => {
    expect(movie.runtime).toBe(100)
    for (const show of [series, bareMovie, bareSeries]) expect(show).not.toHaveProperty('runtime')
  })

  it('imageSet: four kinds, each by width; the backdrops left out where there are none', () => {
    expect(movie.imageSet).toEqual(anImageSet('1'))
    expect(bareMovie.imageSet).toEqual({ verticalPoster, horizontalPoster })
    expect(Object.keys(movie.imageSet.verticalBackdrop)).toEqual(['w240', 'w360', 'w480', 'w600', 'w720'])
    expect(Object.keys(movie.imageSet.horizontalBackdrop)).toEqual(['w360', 'w480', 'w720', 'w1080', 'w1440'])
  })

  describe('streamingOptions', () => {
    it('is a map from lower-case country code to options, all countries when none is requested', () => {
      expect(Object.keys(movie.streamingOptions)).toEqual(['gb', 'us'])
      expect(movie.streamingOptions.us).toHaveLength(2)
    })

    it("has only the requested country's entry when a country is requested", async () => {
      expect(Object.keys((await service.get('/shows/1?country=gb')).body.streamingOptions)).toEqual(['gb'])
      expect(Object.keys((await service.get('/shows/1?country=US')).body.streamingOptions)).toEqual(['us'])
    })

    it('is {} where there is nothing; a country with an empty list never appears', async () => {
      expect((await service.get('/shows/1?country=tr')).body.streamingOptions).toEqual({})
      expect(bareMovie.streamingOptions).toEqual({})
      expect((await service.get('/shows/999999999999999')).body.streamingOptions).toEqual({})
    })
  })

  describe('seasons', () => {
    it('are there for series only at granularity season or episode', async () => {
      for (const granularity of ['season', 'episode']) {
        expect((await service.get(`/shows/2?series_granularity=${granularity}`)).body.seasons).toHaveLength(2)
      }
      expect((await service.get('/shows/2?series_granularity=show')).body).not.toHaveProperty('seasons')
    })

    it('are never there for movies', async () => {
      for (const granularity of ['show', 'season', 'episode']) {
        const { body } = await service.get(`/shows/1?series_granularity=${granularity}`)
        expect(body).toEqual(movie)
        expect(body).not.toHaveProperty('seasons')
      }
    })

    it('are left out of search results unless the granularity includes them', async () => {
      for (const path of [
        '/shows/search/filters?country=us&show_type=series',
        '/shows/search/title?country=us&title=series+2',
      ]) {
        const first = async (more: string) => {
          const { body } = await service.get(path + more)
          return (body.shows ?? body)[0]
        }
        expect((await first('')).id).toBe('2')
        expect(await first('')).not.toHaveProperty('seasons')
        expect((await first('&series_granularity=season')).seasons[0]).not.toHaveProperty('episodes')
        expect((await first('&series_granularity=episode')).seasons[0].episodes).toHaveLength(2)
      }
    })
  })

  it('a show without images has the same shape', async () => {
    const poor = await aRunningService(aSnapshot(aMovie({ id: '1' })))
    const { notices } = await poor.import([
      { kind: 'feed', source: 'test', mode: 'delta' },
      aMovie({ id: '2', imageSet: undefined }),
    ])
    expect(notices).toEqual({ missing_images: 1 })
    const { body } = await poor.get('/shows/2')
    expect(Object.keys(body.imageSet)).toEqual(['verticalPoster', 'horizontalPoster'])
  })

  it('empty strings and empty lists stay', () => {
    expect(empty).toMatchObject({ overview: '', genres: [], directors: [], cast: [] })
    expect(bareMovie).toMatchObject({ imdbId: '', overview: '', genres: [], cast: [] })
  })
})
