import { describe, expect, test } from 'vitest'
import { IdMapParser } from './watchmode-sync.ts'

describe('the file of ids', () => {
  test('the ids of a row are read by the headings, whatever the title holds', () => {
    const parser = new IdMapParser()
    expect(parser.parseLine('\ufeffWatchmode ID,IMDB ID,TMDB ID,TMDB Type,Title,Year')).toBeUndefined()
    expect(parser.parseLine('3173903,tt0903747,1396,tv,"Breaking, Bad",2008')).toEqual({
      id: 3173903,
      imdbId: 'tt0903747',
      tmdbId: 'tv/1396',
    })
    expect(parser.parseLine('12,,,,"Without ""ids""",')).toEqual({ id: 12, imdbId: undefined, tmdbId: undefined })
    expect(parser.parseLine('of a title that breaks a line,2008')).toBeUndefined()
  })

  test('columns may have another order and spelling, but come before the title', () => {
    const parser = new IdMapParser()
    parser.parseLine('tmdb_type,tmdb_id,imdb_id,watchmode_id,title')
    expect(parser.parseLine('movie,949,tt0113277,7,Heat')).toEqual({ id: 7, imdbId: 'tt0113277', tmdbId: 'movie/949' })
    expect(() => new IdMapParser().parseLine('Title,Watchmode ID,IMDB ID,TMDB ID,TMDB Type')).toThrow(
      /before the title/,
    )
    expect(() => new IdMapParser().parseLine('<html>')).toThrow(/begins with "<html>"/)
  })
})
