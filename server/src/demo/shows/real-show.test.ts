import { describe, expect, it } from 'vitest'
import { STANDARD_GENRES } from '../../model/genre.ts'
import { isLanguageCode, isOutputLanguage } from '../../model/language.ts'
import { isImdbId } from '../../model/show.ts'
import { requireService } from '../market/markets.ts'
import { REAL_TITLES } from './real-show.ts'

const titles = REAL_TITLES.map((entry) => entry.title)
const genres = new Set(STANDARD_GENRES.map((genre) => genre.id))

describe('the real titles', () => {
  it('are at least eighty movies and fifty series, both from the start', () => {
    expect(titles.filter((title) => 'runtime' in title).length).toBeGreaterThanOrEqual(80)
    expect(titles.filter((title) => 'seasons' in title).length).toBeGreaterThanOrEqual(50)
    expect(titles.slice(0, 5).some((title) => 'seasons' in title)).toBe(true)
  })

  it('have unique ids', () => {
    const kinds = titles.map((title) => `${'runtime' in title ? 'movie' : 'tv'}/${title.tmdb}`)
    expect(new Set(kinds).size).toBe(titles.length)
    expect(new Set(titles.map((title) => title.imdb)).size).toBe(titles.length)
    expect(new Set(REAL_TITLES.map((entry) => entry.id)).size).toBe(titles.length)
    expect(titles.every((title) => isImdbId(title.imdb))).toBe(true)
  })

  it('are described in full, in four languages', () => {
    for (const title of titles) {
      expect(isLanguageCode(title.language)).toBe(true)
      expect(title.genres.every((genre) => genres.has(genre))).toBe(true)
      expect(title.cast.length).toBeGreaterThanOrEqual(2)
      expect(title.cast.length).toBeLessThanOrEqual(8)
      expect(title.rating).toBeGreaterThan(60)
      expect(title.rating).toBeLessThan(100)
      expect(Object.keys(title.titles ?? {}).every(isOutputLanguage)).toBe(true)
      if (title.home !== undefined) expect(requireService(title.home).id).toBe(title.home)
      for (const overview of [title.overview, title.es[1], title.fr[1], title.tr[1]]) {
        expect(overview.length).toBeGreaterThan(80)
        expect(overview.length).toBeLessThan(210)
      }
    }
  })

  it('have the known facts of some famous titles', () => {
    const facts = (name: string) => titles.find((title) => title.title === name)
    expect(facts('The Godfather')).toMatchObject({ imdb: 'tt0068646', tmdb: 238, year: 1972, runtime: 175 })
    expect(facts('Breaking Bad')).toMatchObject({ imdb: 'tt0903747', tmdb: 1396 })
    expect(facts('Parasite')).toMatchObject({ imdb: 'tt6751668', tmdb: 496243, original: '기생충', language: 'ko' })
    expect(facts('Spirited Away')).toMatchObject({
      original: '千と千尋の神隠し',
      es: ['El viaje de Chihiro', expect.any(String)],
    })
  })
})
