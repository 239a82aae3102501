import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, idsOf } from '../support/builders.ts'
import type { TestService } from '../support/test-service.ts'
import { aRunningService } from './running-service.ts'

const PATH = '/shows/search/title'

/** The same popularity over every span and in every country. */
const popular = (value: number) => {
  const everywhen = { alltime: value, '1year': value, '1month': value, '1week': value }
  return { popularity: { us: everywhen, gb: everywhen, tr: everywhen } }
}
const titled = (id: string, title: string, popularity = 0, fields: object = {}) =>
  aMovie({ id, title, originalTitle: title, releaseYear: undefined, ...popular(popularity), ...fields })

async function search(service: TestService, title: string, parameters = 'country=us') {
  const { status, body, text } = await service.get(`${PATH}?title=${encodeURIComponent(title)}&${parameters}`)
  expect(status, text).toBe(200)
  return body
}
const found = async (service: TestService, title: string, parameters?: string) =>
  idsOf(await search(service, title, parameters))

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
    const { status, error } = await service.get(`${PATH}?${parameters}`)
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
    const { status, headers } = await service.get(`${PATH}?title=heat&country=us&cursor=x`)
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

describe('without case, accents and punctuation', async () => {
  const TITLES = {
    '1': 'Amélie',
    '2': 'Spider-Man',
    '3': 'M*A*S*H',
    '4': "Ocean's Eleven",
    '5': 'What We Do in the Shadows?!',
    '6': 'ÇALIKUŞU',
    '7': 'Straße',
    '8': 'Mission: Impossible – Fallout',
    '9': '…!',
    '10': 'WALL·E',
    '11': 'Æon Flux',
    '12': 'Pokémon 3',
  }
  // A far more popular title that starts with the phrase shows that an equal title comes first.
  const service = await aRunningService(
    aSnapshot(
      ...Object.entries(TITLES).flatMap(([id, title]) => [
        titled(id, title, 1),
        titled(String(100 + Number(id)), `${title} Forever and a Day`, 1000),
      ]),
    ),
  )

  it.each([
    ['amelie', '1'],
    ['AMÉLIE', '1'],
    ['àmêlïe', '1'],
    ['Ame\u0301lie', '1'],
    ['spider man', '2'],
    ['spiderman', '2'],
    ['SPIDER–MAN', '2'],
    ['"spider-man"', '2'],
    ['mash', '3'],
    ['m.a.s.h.', '3'],
    ['oceans eleven', '4'],
    ["ocean's eleven", '4'],
    ['ocean’s   eleven', '4'],
    ['what we do in the shadows', '5'],
    ['calikusu', '6'],
    ['Çalıkuşu', '6'],
    ['strasse', '7'],
    ['mission impossible fallout', '8'],
    ['mission impossible: fallout', '8'],
    ['wall-e', '10'],
    ['walle', '10'],
    ['aeon flux', '11'],
    ['pokemon 3', '12'],
    ['  pokemon   3  ', '12'],
  ])('%j is equal to the title of show %s', async (phrase, id) => {
    const ids = await found(service, phrase)
    expect(ids.slice(0, 2)).toEqual([id, String(100 + Number(id))])
  })

  it('a phrase of punctuation alone finds at most titles of such', async () => {
    expect((await found(service, '…!'))[0]).toBe('9')
    expect(await found(service, '   ')).toEqual([])
  })

  it('a phrase of any length is accepted', async () => {
    expect(await found(service, 'x'.repeat(2_000))).toEqual([])
    expect(await found(service, 'quux zyzzyva '.repeat(100))).toEqual([])
    expect(await found(service, '千'.repeat(500))).toEqual([])
  })

  it('different letters are not equal', async () => {
    expect(await found(service, 'spiderqueens')).toEqual([])
  })
})

describe('the title in every language', async () => {
  const service = await aRunningService(
    aSnapshot(
      aMovie({
        id: '1',
        title: 'Spirited Away',
        originalTitle: '千と千尋の神隠し',
        originalLanguage: 'ja',
        translations: {
          es: { title: 'El viaje de Chihiro', overview: '' },
          fr: { title: 'Le Voyage de Chihiro', overview: '' },
          tr: { title: 'Ruhların Kaçışı', overview: '' },
          de: { title: 'Chihiros Reise ins Zauberland', overview: '' },
          it: { title: 'La città incantata', overview: '' },
          pt: { title: 'A Viagem de Chihiro', overview: '' },
          nl: { title: 'De reis van Chihiro', overview: '' },
          pl: { title: 'W krainie bogów', overview: '' },
          sv: { title: 'Spirited Away: Häxornas', overview: '' },
          ko: { title: '센과 치히로의 행방불명', overview: '' },
          ru: { title: 'Унесённые призраками', overview: '' },
        },
      }),
      aMovie({ id: '2', title: 'Another', originalTitle: 'Another' }),
    ),
  )

  it.each([
    'spirited away',
    '千と千尋の神隠し',
    '千と千尋',
    'el viaje de chihiro',
    'le voyage de chihiro',
    'ruhlarin kacisi',
    'chihiros reise ins zauberland',
    'la citta incantata',
    'a viagem de chihiro',
    'de reis van chihiro',
    'w krainie bogow',
    'spirited away haxornas',
    '센과 치히로의 행방불명',
    'унесенные призраками',
  ])('%j finds it in any output language', async (phrase) => {
    expect(await found(service, phrase)).toEqual(['1'])
    expect(await found(service, phrase, 'country=us&output_language=ko')).toEqual(['1'])
    expect(await found(service, phrase, 'country=us&output_language=pl')).toEqual(['1'])
  })
})

describe('typing errors', async () => {
  const TITLES = [
    'Up',
    'Her',
    'Heat',
    'Ghost',
    'Matrix',
    'Gravity',
    'Parasite',
    'Inception',
    'Interstellar',
    'Ghost Gravity Extravaganza',
  ]
  const service = await aRunningService(aSnapshot(...TITLES.map((title, i) => titled(String(1 + i), title))))
  const titles = async (phrase: string) =>
    (await search(service, phrase))
      .map(({ title }: { title: string }) => title)
      .filter((title: string) => !title.includes(' '))

  it.each([
    ['heab', 'Heat', 'a wrong letter'],
    ['haet', 'Heat', 'two swapped'],
    ['heeat', 'Heat', 'one too many'],
    ['gost', 'Ghost', 'one missing'],
    ['xhost', 'Ghost', 'the first one wrong'],
    ['ghosh', 'Ghost', 'the last one wrong'],
    ['matrx', 'Matrix', 'one missing'],
    ['gravitiy', 'Gravity', 'one too many'],
    ['gravtiy', 'Gravity', 'two swapped'],
  ])('one is forgiven in words of 4 to 7 letters: %s for %s, %s', async (phrase, title) => {
    expect(await titles(phrase)).toEqual([title])
  })

  it.each(['hxxt', 'heattt', 'hgots', 'mxtrxx', 'gxavxty', 'grvty', 'matriks'])(
    'two are not forgiven in them: %s',
    async (phrase) => {
      expect(await titles(phrase)).toEqual([])
    },
  )

  it.each([
    ['porosite', 'Parasite'],
    ['prasaite', 'Parasite'],
    ['parasitees', 'Parasite'],
    ['incpetoin', 'Inception'],
    ['xnceptiox', 'Inception'],
    ['inxxception', 'Inception'],
    ['interstelr', 'Interstellar'],
    ['intrstelllar', 'Interstellar'],
    ['xxterstellar', 'Interstellar'],
    ['interstellxx', 'Interstellar'],
    ['xinterstellarx', 'Interstellar'],
  ])('two are forgiven in longer ones: %s for %s', async (phrase, title) => {
    expect(await titles(phrase)).toEqual([title])
  })

  it.each(['poroxite', 'xncxptxon', 'intxrxtxllar'])('three are not: %s', async (phrase) => {
    expect(await titles(phrase)).toEqual([])
  })

  it.each(['upp', 'op', 'hir', 'hre', 'xer', 'ehr'])('none is forgiven in shorter ones: %s', async (phrase) => {
    expect(await titles(phrase)).toEqual([])
  })

  it('each word of the phrase has its own', async () => {
    expect(await found(service, 'gohst gravty')).toEqual(['10'])
    expect(await found(service, 'gravty xtravagansa gohst')).toEqual(['10'])
    expect(await found(service, 'gohts gravty')).toEqual(['6', '10'])
  })

  it.each([
    ['ghostgravty extravaganza', '10', 'two words as one, an error in the second'],
    ['gostgravity extravaganza', '10', 'an error in the first'],
    ['ghostgravitextravagnaza', '10', 'all words as one'],
    ['intre steller', '9', 'a word as two, an error in each'],
    ['incep toin', '8', 'an error in the second part'],
    ['the inceptoin', '8', 'an article that the title does not have'],
    ['theparasite', '7', 'and written together with it'],
  ])('they are forgiven where words are joined or split: %s for show %s, %s', async (phrase, id) => {
    expect((await found(service, phrase))[0]).toBe(id)
  })

  it('a correctly spelt word also matches similar words, but exact matches come first', async () => {
    const near = await aRunningService(
      aSnapshot(titled('1', 'Dune', 1), titled('2', 'June', 1000), titled('3', 'Dunes', 10)),
    )
    expect(await found(near, 'dune')).toEqual(['1', '3', '2'])
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

describe('what counts as equal', async () => {
  const TITLES = {
    '1': 'Rocky II',
    '2': '12 Angry Men',
    '3': 'Fast & Furious',
    '4': 'Spider-Man',
    '5': 'Superman',
    '6': 'Brooklyn Nine-Nine',
    '7': 'Dr. Strange',
    '8': 'The Sixth Sense',
    '9': 'One Hundred and One Dalmatians',
    '10': 'Part V',
  }
  const service = await aRunningService(
    aSnapshot(
      ...Object.entries(TITLES).flatMap(([id, title]) => [
        titled(id, title, 1),
        titled(String(100 + Number(id)), `${title} Forever and a Day`, 1000),
      ]),
      aMovie({
        id: '20',
        title: 'Asterix & Obelix',
        originalTitle: 'Astérix & Obélix',
        originalLanguage: 'fr',
        translations: { de: { title: 'Die zwölf Affen', overview: '' } },
      }),
      aMovie({ id: '21', title: 'Asterix', originalTitle: 'Asterix', ...popular(1000) }),
    ),
  )

  it.each([
    ['rocky 2', '1'],
    ['rocky two', '1'],
    ['twelve angry men', '2'],
    ['xii angry men', '2'],
    ['fast and furious', '3'],
    ['fast furious', '3'],
    ['spiderman', '4'],
    ['super man', '5'],
    ['SUPER-MAN', '5'],
    ['brooklyn 99', '6'],
    ['brooklyn 9 9', '6'],
    ['doctor strange', '7'],
    ['the 6th sense', '8'],
    ['101 dalmatians', '9'],
    ['part 5', '10'],
    ['part five', '10'],
    ['asterix et obelix', '20'],
    ['asterix and obelix', '20'],
    ['die 12 affen', '20'],
  ])('%j is equal to the title of show %s', async (phrase, id) => {
    expect((await found(service, phrase))[0]).toBe(id)
  })
})

describe('articles and years', async () => {
  const service = await aRunningService(
    aSnapshot(
      titled('1', 'The Godfather', 5),
      titled('2', 'The Godfather Part II', 900),
      titled('3', 'Godfather and Sons', 1000),
      titled('4', 'Dune', 1000, { releaseYear: 2021 }),
      titled('5', 'Dune', 1, { releaseYear: 1984 }),
      titled('6', 'Dune: Part Two', 2000, { releaseYear: 2024 }),
      titled('7', 'Blade Runner 2049', 1, { releaseYear: 2017 }),
      titled('8', 'Blade Runner', 1000, { releaseYear: 1982 }),
      titled('9', 'A Star Is Born', 1),
      aMovie({ id: '10', title: 'Das Boot', originalTitle: 'Das Boot', originalLanguage: 'de', ...popular(1) }),
      titled('11', 'Boot Camp', 1000),
      titled('12', 'The Thing (1982)', 1, { releaseYear: 1982 }),
      titled('13', 'Heat', 1),
      titled('14', 'The Heat', 1000),
    ),
  )

  it('a leading article makes little difference: godfather finds The Godfather before Part II', async () => {
    expect(await found(service, 'godfather')).toEqual(['1', '3', '2'])
    expect((await found(service, 'a godfather'))[0]).toBe('1')
    expect((await found(service, 'godfather, the'))[0]).toBe('1')
    expect((await found(service, 'the star is born'))[0]).toBe('9')
    expect((await found(service, 'boot'))[0]).toBe('10')
  })

  it('an equal title comes before one that is equal but for an article', async () => {
    expect((await found(service, 'heat')).slice(0, 2)).toEqual(['13', '14'])
    expect((await found(service, 'the heat')).slice(0, 2)).toEqual(['14', '13'])
  })

  it('a year at the end must be that of the show', async () => {
    expect((await found(service, 'dune 1984'))[0]).toBe('5')
    expect((await found(service, 'dune (2021)'))[0]).toBe('4')
    expect((await found(service, 'Dune 1999')).slice(0, 3)).toEqual(['6', '4', '5'])
  })

  it('a year that belongs to the title is a part of it', async () => {
    expect((await found(service, 'blade runner 2049'))[0]).toBe('7')
    expect((await found(service, 'blade runner 1982'))[0]).toBe('8')
    expect((await found(service, 'the thing'))[0]).toBe('12')
    expect((await found(service, 'thing 1982'))[0]).toBe('12')
  })
})

describe('unfinished, abbreviated and longer phrases', async () => {
  const service = await aRunningService(
    aSnapshot(
      titled('1', 'The Lord of the Rings: The Fellowship of the Ring', 50),
      titled('2', 'How I Met Your Mother', 40),
      titled('3', 'Terminator 2: Judgment Day', 30),
      titled('4', 'Inception', 20),
      titled('5', 'Braveheart', 10),
      titled('6', 'Scary Movie', 9),
      titled('7', 'Eternal Sunshine of the Spotless Mind', 8),
      titled('8', 'Interstellar', 7, { aliases: ['Flora’s Letter', 'Interestelar'] }),
      titled('9', 'The Movie Makers', 100),
      titled('10', 'Mind Games', 100),
    ),
  )

  it('the last word may be unfinished, also with a typing error', async () => {
    expect((await found(service, 'spotless mi'))[0]).toBe('7')
    expect((await found(service, 'sunshine eter'))[0]).toBe('7')
    expect((await found(service, 'incpeti'))[0]).toBe('4')
    expect((await found(service, 'etenal sunhsi'))[0]).toBe('7')
    expect(await found(service, 'gdof')).toEqual([])
    expect((await found(service, 'intre'))[0]).toBe('8')
  })

  it('abbreviations and initials find their titles', async () => {
    expect((await found(service, 'lotr'))[0]).toBe('1')
    expect((await found(service, 'LOTR fellowship'))[0]).toBe('1')
    expect((await found(service, 'himym'))[0]).toBe('2')
    expect((await found(service, 't2'))[0]).toBe('3')
    expect((await found(service, 'esotsm'))[0]).toBe('7')
  })

  it('words around a title are passed over, unless they belong to it', async () => {
    expect((await found(service, 'braveheart movie'))[0]).toBe('5')
    expect((await found(service, 'where can i watch inception'))[0]).toBe('4')
    expect((await found(service, 'watch inception online free'))[0]).toBe('4')
    expect((await found(service, 'inception season 2'))[0]).toBe('4')
    expect((await found(service, 'scary movie'))[0]).toBe('6')
    expect((await found(service, 'braveheart mel gibson'))[0]).toBe('5')
  })

  it('most words are enough, and rarer ones count more', async () => {
    expect((await found(service, 'eternal moonshine of the spotless mind'))[0]).toBe('7')
    expect((await found(service, 'mind braveheart'))[0]).toBe('5')
    expect(await found(service, 'nothing of the zebra so far')).toEqual([])
  })

  it('alternative titles are found, and never printed', async () => {
    const [show] = await search(service, 'floras letter')
    expect(show.id).toBe('8')
    expect(show).not.toHaveProperty('aliases')
    expect((await found(service, 'flora letter'))[0]).toBe('8')
  })

  it('alternative titles go with a record that states others', async () => {
    await service.import(aDelta(titled('8', 'Interstellar', 7, { aliases: ['Interestelar'] })))
    expect((await found(service, 'floras letter'))[0]).not.toBe('8')
    await service.import(aDelta(titled('8', 'Interstellar', 7)))
    expect((await found(service, 'interestelar'))[0]).toBe('8')
  })
})

describe('scripts', async () => {
  const service = await aRunningService(
    aSnapshot(
      titled('1', '千と千尋の神隠し'),
      titled('2', 'Сталкер'),
      titled('3', 'Κυνόδοντας'),
      titled('4', 'となりのトトロ'),
      titled('5', 'Brat'),
      titled('6', '千の神'),
      titled('7', 'ฉลาดเกมส์โกง'),
    ),
  )

  it.each([
    ['神隠し', ['1']],
    ['千尋', ['1']],
    ['千', ['1', '6']],
    ['stalker', ['2']],
    ['сталк', ['2']],
    ['kynodontas', ['3']],
    ['totoro', ['4']],
    ['トトロ', ['4']],
    ['tonari no totoro', ['4']],
    ['Брат', ['5']],
    ['เกมส์', ['7']],
  ])('%s finds %j', async (phrase, ids) => {
    expect(await found(service, phrase)).toEqual(ids)
  })
})

describe('titles with kana', async () => {
  const service = await aRunningService(
    aSnapshot(
      titled('1', 'Naruto', 10),
      titled('2', 'Naruto: Shippuden', 90, { originalTitle: 'ナルト 疾風伝', originalLanguage: 'ja' }),
      titled('3', 'ドラゴンボール', 10),
      titled('4', 'ドラゴンボールZ', 90),
      titled('5', 'ゴジラ', 10),
      titled('6', 'ゴジラ-1.0', 90),
      titled('7', 'シン・ゴジラ', 50),
      titled('8', 'ハウルの動く城', 40),
      titled('9', '新世紀エヴァンゲリオン ザ・ムービー', 40),
      titled('10', 'ｶﾞﾝﾀﾞﾑ', 10),
      titled('11', 'ガンダム 逆襲', 90),
      titled('12', '二', 10),
      titled('13', 'いい', 90),
    ),
  )

  it.each([
    // Equal is the whole title only, however popular the others are.
    ['naruto', ['1', '2']],
    ['doragonboru', ['3', '4']],
    ['gojira', ['5', '6', '7']],
    ['gandamu', ['10', '11']],
    ['ﾅﾙﾄ', ['2', '1']],
    // What is not kana belongs to the whole title.
    ['doragonboru z', ['4']],
    ['doragonboruz', ['4', '3']],
    ['ドラゴンボールZ', ['4']],
    ['ﾄﾞﾗｺﾞﾝﾎﾞｰﾙZ', ['4']],
    ['gojira 1.0', ['6']],
    ['gojira10', ['6', '7', '5']],
    ['shin gojira', ['7']],
    ['shingojira', ['7']],
    ['シン・ゴジラ', ['7']],
    // Transcribed words are found beside Han, unfinished and written together, too.
    ['naruto shippuden', ['2']],
    ['hauru', ['8']],
    ['hau', ['8']],
    ['ハウル', ['8']],
    ['evangerion', ['9']],
    ['evanger', ['9']],
    ['za mubi', ['9']],
    ['zamubi', ['9']],
    ['evangerionzamubi', ['9']],
    ['ナルト 疾風伝', ['2', '1']],
    ['2', []],
  ])('%s finds %j', async (phrase, ids) => {
    expect(await found(service, phrase)).toEqual(ids)
  })
})

describe('other readings of a phrase', async () => {
  const service = await aRunningService(
    aSnapshot(
      titled('1', 'The Lord of the Rings: The Fellowship of the Ring', 50, { releaseYear: 2001 }),
      aSeries({ id: '2', title: 'The Lord of the Rings: The Rings of Power', ...popular(10) }),
      titled('3', 'Fargo', 50, { releaseYear: 1996 }),
      aSeries({ id: '4', title: 'Fargo', firstAirYear: 2014, ...popular(10) }),
      titled('5', 'Got', 90),
      aSeries({ id: '6', title: 'Game of Thrones', ...popular(10) }),
      titled('7', 'Back to the Future Part III', 30, { releaseYear: 1990 }),
      titled('8', 'Dune', 80, { releaseYear: 2021 }),
      titled('9', 'Dune', 20, { releaseYear: 1984 }),
      aSeries({ id: '10', title: 'Andor', ...popular(10) }),
      titled('11', 'Iron and Silk', 90),
      titled('12', 'The Equalizer', 10),
      titled('13', '기생충', 10),
      titled('14', '오징어 게임', 10),
      titled('15', 'Rocky', 20),
      titled('16', 'Rocky II', 30),
      titled('17', 'The Rocky One', 5),
      titled('18', 'Up at Ox', 5),
    ),
  )
  const first = async (phrase: string, parameters?: string) => (await found(service, phrase, parameters))[0]

  it.each([
    ['fargo', '3'],
    ['fargo tv show', '4'],
    ['fargo movie', '3'],
    ['lord of the rings series', '2'],
    ['lord of the rings film', '1'],
  ])('words that name the type: %s', async (phrase, id) => {
    expect(await first(phrase)).toBe(id)
  })

  it('a type that is asked for as a parameter counts', async () => {
    expect(await first('fargo tv show', 'country=us&show_type=movie')).toBe('3')
  })

  it.each([
    ['dune2021', '8'],
    ['dune1984', '9'],
    ['bttf3', '7'],
    ['l.o.t.r.', '1'],
    ['dune movie 1984', '9'],
  ])('numbers without a space, periods, a year behind other words: %s', async (phrase, id) => {
    expect(await first(phrase)).toBe(id)
  })

  it('an abbreviation may have words around it; a title that is equal to it comes first', async () => {
    expect((await found(service, 'got season 3')).slice(0, 2)).toEqual(['5', '6'])
    expect((await found(service, 'got')).slice(0, 2)).toEqual(['5', '6'])
  })

  it('a few letters behind a word are a typing error rather than the start of a second word', async () => {
    expect(await first('andir')).toBe('10')
  })

  it('a letter may be missing in the first four of an unfinished word', async () => {
    expect(await first('eqal')).toBe('12')
    expect(await first('the eqal')).toBe('12')
  })

  it('a title within a phrase is found if nothing else is', async () => {
    for (const phrase of ['andor qwertz uiopue asdfgh', 'qwertz andor uiopue asdfgh', 'qwertz uiopue andor'])
      expect(await found(service, phrase)).toEqual(['10'])
    expect(await first('do qwertz of iron and silk uiopue asdfgh')).toBe('11')
  })

  it.each([
    ['the tv show fargo', '4'],
    ['free movie fargo', '3'],
    ['horror movie fargo', '3'],
    ['dune extended cut', '8'],
    ['do you have andor', '10'],
  ])('words around a title: %s', async (phrase, id) => {
    expect(await first(phrase)).toBe(id)
  })

  it('a title of joined words may have a wrong letter among the first', async () => {
    for (const phrase of [
      'rionandsilk',
      'ironamdsilk',
      'ronandsilk',
      'ieonandsilk',
      'iroonandsilk',
      'bactothefuturepartiii',
    ])
      expect(await found(service, phrase), phrase).toEqual([phrase.startsWith('b') ? '7' : '11'])
    expect(await found(service, 'rionandsil')).toEqual(['11'])
    expect(await found(service, 'rionandmilks')).toEqual([])
    // A short one has too many neighbours.
    expect(await found(service, 'upatox')).toEqual(['18'])
    expect(await found(service, 'apatox')).toEqual([])
  })

  it('a first part seldom has a number; a title that has it comes first', async () => {
    expect((await found(service, 'rocky 1')).slice(0, 2)).toEqual(['17', '15'])
    for (const phrase of ['dune part one', 'dune pt 1', 'dune i']) expect(await first(phrase)).toBe('8')
    expect(await first('rocky one')).toBe('17')
    expect(await first('rocky 2')).toBe('16')
  })

  it.each([
    ['기ㅅ', '13'],
    ['기새', '13'],
    ['기생', '13'],
    ['오지', '14'],
    ['오징어 게', '14'],
  ])('a Korean syllable that is being typed: %s', async (phrase, id) => {
    expect(await first(phrase)).toBe(id)
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
    const { status, error } = await service.get(`${PATH}?title=heat&country=us&${parameters}`)
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
