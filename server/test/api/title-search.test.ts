import { describe, expect, it } from 'vitest'
import { aDelta, anOption, aSeries, aSnapshot } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'
import { found, popular, search, TITLE_SEARCH, titled } from './title-search.ts'

describe('GET /shows/search/title', async () => {
  const service = await aRunningService(
    aSnapshot(
      titled('1', 'Heat', 5),
      titled('2', 'Heat', 9, { streamingOptions: { gb: [anOption()], us: [anOption({ service: 'mubi' })] } }),
      titled('3', 'Heat', 7, { streamingOptions: { gb: [anOption()] } }),
      aSeries({ id: '4', title: 'Heat', originalTitle: 'Heat', ...popular(3) }),
    ),
  )
  const refusal = async (parameters: string) => {
    const { status, error } = await service.get(`${TITLE_SEARCH}?${parameters}`)
    return [status, error.code, error.parameter]
  }

  it('returns an array of shows', async () => {
    const shows = await search(service, 'heat')
    expect(Array.isArray(shows)).toBe(true)
    expect(shows[0]).toMatchObject({ itemType: 'show', title: 'Heat' })
    expect(await search(service, 'nothing like it')).toEqual([])
  })

  it('title and country are required', async () => {
    expect(await refusal('country=us')).toEqual([400, 'missing_parameter', 'title'])
    expect(await refusal('title=heat')).toEqual([400, 'missing_parameter', 'country'])
    expect(await refusal('title=&country=us')).toEqual([400, 'missing_parameter', 'title'])
  })

  it('a country that the catalog does not have is rejected, its case does not matter', async () => {
    expect(await refusal('title=heat&country=zz')).toEqual([400, 'invalid_parameter', 'country'])
    expect(await search(service, 'heat', 'country=US')).toEqual(await search(service, 'heat'))
  })

  it('availability covers the target country only, and shows not streamable there are found too', async () => {
    const inBritain = await search(service, 'heat', 'country=gb')
    expect(
      inBritain.map(({ id, streamingOptions }: { id: string; streamingOptions: object }) => [
        id,
        Object.keys(streamingOptions),
      ]),
    ).toEqual([
      ['2', ['gb']],
      ['3', ['gb']],
      ['1', []],
      ['4', []],
    ])
    expect(inBritain[2].streamingOptions).toEqual({})
  })

  it('show_type: movie, series, or both if omitted', async () => {
    expect(await found(service, 'heat')).toEqual(['2', '3', '1', '4'])
    expect(await found(service, 'heat', 'country=us&show_type=movie')).toEqual(['2', '3', '1'])
    expect(await found(service, 'heat', 'country=us&show_type=series')).toEqual(['4'])
    expect(await refusal('title=heat&country=us&show_type=film')).toEqual([400, 'invalid_parameter', 'show_type'])
  })

  it('series_granularity: show by default, season, episode', async () => {
    const series = async (more: string) => (await search(service, 'heat', `country=us&show_type=series${more}`))[0]
    expect(await series('')).not.toHaveProperty('seasons')
    expect(await series('&series_granularity=show')).not.toHaveProperty('seasons')
    const seasons = (await series('&series_granularity=season')).seasons
    expect(seasons).toHaveLength(2)
    expect(seasons[0]).not.toHaveProperty('episodes')
    expect((await series('&series_granularity=episode')).seasons[0].episodes).toHaveLength(2)
    expect(await refusal('title=heat&country=us&series_granularity=x')).toEqual([
      400,
      'invalid_parameter',
      'series_granularity',
    ])
  })

  it('output_language: en by default', async () => {
    const genre = async (more: string) => (await search(service, 'heat', `country=us&show_type=movie${more}`))[0].genres
    expect(await genre('')).toEqual([{ id: 'drama', name: 'Drama' }])
    expect(await genre('&output_language=fr')).toEqual([{ id: 'drama', name: 'Drame' }])
    expect(await refusal('title=heat&country=us&output_language=zz')).toEqual([
      400,
      'invalid_parameter',
      'output_language',
    ])
  })

  it('has no pagination: a cursor is passed over', async () => {
    const { status, headers } = await service.get(`${TITLE_SEARCH}?title=heat&country=us&cursor=x`)
    expect([status, headers['x-ignored-parameters']]).toEqual([200, 'cursor'])
  })

  it('finds no show that was taken out of the catalog', async () => {
    await service.import(aDelta(titled('5', 'Heat', 99)))
    expect(await found(service, 'heat')).toEqual(['5', '2', '3', '1', '4'])
    await service.import(aDelta({ kind: 'remove', id: '5' }))
    expect(await found(service, 'heat')).toEqual(['2', '3', '1', '4'])
  })
})

describe('the order of title search', async () => {
  const service = await aRunningService(
    aSnapshot(
      // Typing errors forgiven.
      titled('41', 'The Dart', 1000),
      titled('42', 'The Park', 500),
      // All words present.
      titled('31', 'Into the Dark', 800),
      titled('32', 'Dark Side of the Moon', 900),
      titled('33', 'Dark: The Movie', 700),
      // Title starts with the phrase.
      titled('21', 'The Dark Knight', 60),
      titled('22', 'The Darkness', 70),
      titled('23', 'The Dark', 2, { originalTitle: 'The Dark Tower' }),
      titled('24', 'The Dark Crystal', 50),
      // Whole title equal.
      titled('11', 'The Dark', 1),
      titled('12', 'THE DARK!', 3),
      titled('51', 'The Lark Ascending into Heaven', 2000),
      // Most words present: all but the more common one.
      titled('52', 'Darkest Hour', 2000),
      // Nothing of the kind.
      titled('53', 'The', 2000),
    ),
  )

  it('whole title equal; starts with the phrase; all words; typing errors; most words; more popular first within each', async () => {
    const ids = await found(service, 'the dark')
    expect(ids.slice(0, 3)).toEqual(['12', '23', '11'])
    expect(ids.slice(3, 6)).toEqual(['22', '21', '24'])
    expect(ids.slice(6, 9)).toEqual(['32', '31', '33'])
    expect(ids.slice(9, 12)).toEqual(['51', '41', '42'])
    expect(ids.slice(12)).toEqual(['52'])
  })

  it('the words may come in any order, and each counts', async () => {
    expect((await found(service, 'moon dark the'))[0]).toBe('32')
    expect((await found(service, 'dark knight rises'))[0]).toBe('21')
  })

  it('a word is present as a whole, unless it is the last one', async () => {
    const towers = await aRunningService(
      aSnapshot(titled('1', 'A Dark Tower', 9), titled('2', 'The Tower of Da Nang', 1)),
    )
    expect(await found(towers, 'tower da')).toEqual(['1', '2'])
    expect(await found(towers, 'da tower')).toEqual(['2'])
  })

  it('the phrase may end within a word of the title that it starts', async () => {
    expect(await found(service, 'the dark kn')).toEqual(['21'])
    expect(await found(service, 'Darke')).toContain('52')
  })

  it('each show comes once, however many of its titles match', async () => {
    const ids = await found(service, 'the dark')
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the result cap', async () => {
  const many = (from: number, count: number, title: (i: number) => string, fields: object = {}) =>
    Array.from({ length: count }, (_, i) => titled(String(from + i), title(i), (i * 37) % 101, fields))
  const service = await aRunningService(
    aSnapshot(
      ...many(1_000, 20, () => 'Twenty'),
      ...many(1_100, 5, (i) => `Twenty and ${i}`),
      ...many(2_000, 21, () => 'Plenty'),
      ...many(2_100, 30, (i) => `Plenty ${i}`),
      ...many(3_000, 5, () => 'Some'),
      ...many(3_100, 40, (i) => `Some ${i}`),
      ...many(4_000, 300, () => 'Legion'),
      ...many(4_500, 3, () => 'Legion of Something'),
      ...many(5_000, 300, (i) => `Common ${i}`),
      aSeries({ id: '9000', title: 'Plenty', originalTitle: 'Plenty' }),
    ),
  )
  const titles = async (phrase: string, parameters?: string) =>
    (await search(service, phrase, parameters)).map(({ title }: { title: string }) => title)

  it('at most 20 shows', async () => {
    const ids = await found(service, 'some')
    expect(ids).toHaveLength(20)
    expect((await titles('some')).slice(0, 6)).toEqual([
      'Some',
      'Some',
      'Some',
      'Some',
      'Some',
      expect.stringMatching(/^Some \d/),
    ])
  })

  it('exactly 20 titles equal: those 20 and nothing else', async () => {
    expect(await titles('twenty')).toEqual(Array.from({ length: 20 }, () => 'Twenty'))
  })

  it('more than 20 titles equal: all of those and nothing else', async () => {
    expect(await titles('plenty', 'country=us&show_type=movie')).toEqual(Array.from({ length: 21 }, () => 'Plenty'))
    expect(await titles('PLENTY!')).toEqual(Array.from({ length: 22 }, () => 'Plenty'))
    expect(await titles('legion')).toEqual(Array.from({ length: 300 }, () => 'Legion'))
  })

  it('only shows of the requested type count', async () => {
    expect(await found(service, 'plenty', 'country=us&show_type=series')).toEqual(['9000'])
  })

  it('more popular first, however many there are', async () => {
    const byPopularity = (count: number) =>
      Array.from({ length: count }, (_, i) => (i * 37) % 101).sort((a, b) => b - a)
    const popularities = async (phrase: string, from: number) =>
      (await found(service, phrase)).map((id) => ((Number(id) - from) * 37) % 101)
    expect(await popularities('legion', 4_000)).toEqual(byPopularity(300))
    expect(await popularities('common', 5_000)).toEqual(byPopularity(300).slice(0, 20))
    expect(await popularities('twenty', 1_000)).toEqual(byPopularity(20))
  })
})

describe('filters of a title search', async () => {
  const service = await aRunningService(
    aSnapshot(
      titled('1', 'Heat', 4, { releaseYear: 1995, genres: ['crime', 'drama'] }),
      titled('2', 'Heat', 3, {
        releaseYear: 2013,
        genres: ['comedy'],
        streamingOptions: { us: [anOption({ service: 'mubi' })] },
      }),
      titled('3', 'Heat', 2, { releaseYear: 1972, streamingOptions: { gb: [anOption()] } }),
      titled('4', 'Heat', 1, { releaseYear: undefined, streamingOptions: {} }),
      ...Array.from({ length: 25 }, (_, i) => titled(String(100 + i), 'Flood', i)),
    ),
  )
  const refusal = async (parameters: string) => {
    const { status, error } = await service.get(`${TITLE_SEARCH}?title=heat&country=us&${parameters}`)
    return [status, error.code, error.parameter]
  }

  it('catalogs: only shows in one of them, in the country', async () => {
    expect(await found(service, 'heat')).toEqual(['1', '2', '3', '4'])
    expect(await found(service, 'heat', 'country=us&catalogs=netflix')).toEqual(['1'])
    expect(await found(service, 'heat', 'country=us&catalogs=netflix.subscription,mubi')).toEqual(['1', '2'])
    expect(await found(service, 'heat', 'country=gb&catalogs=netflix')).toEqual(['3'])
    expect((await refusal('catalogs=netflix.x'))[0]).toBe(400)
  })

  it('year_min, year_max: a show without a year matches none', async () => {
    expect(await found(service, 'heat', 'country=us&year_min=1990')).toEqual(['1', '2'])
    expect(await found(service, 'heat', 'country=us&year_max=1995')).toEqual(['1', '3'])
    expect(await refusal('year_min=2000&year_max=1990')).toEqual([400, 'invalid_parameter', 'year_min'])
  })

  it('genres: all of them', async () => {
    expect(await found(service, 'heat', 'country=us&genres=crime,drama')).toEqual(['1'])
    expect(await found(service, 'heat', 'country=us&genres=crime,comedy')).toEqual([])
    expect((await refusal('genres=nothing'))[0]).toBe(400)
  })

  it('limit: 1 to 20, also of equal titles', async () => {
    expect(await found(service, 'heat', 'country=us&limit=2')).toEqual(['1', '2'])
    expect(await found(service, 'flood')).toHaveLength(25)
    expect(await found(service, 'flood', 'country=us&limit=20')).toHaveLength(20)
    for (const limit of ['0', '21', 'x'])
      expect(await refusal(`limit=${limit}`), limit).toEqual([400, 'invalid_parameter', 'limit'])
  })
})
