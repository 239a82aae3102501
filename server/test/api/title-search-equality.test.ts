import { describe, expect, it } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'
import { found, popular, titled } from './title-search.ts'

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
      titled('8', 'दिल', 1),
      titled('9', 'दाल', 9),
      titled('10', 'दिलवाले दुल्हनिया ले जायेंगे', 5),
      titled('11', 'ข้าว', 1),
      titled('12', 'ข่าว', 9),
      titled('13', 'ज़िंदगी'),
      titled('14', 'مُحَمَّد'),
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
    // Vowels and tones are marks in some scripts, but no accents.
    ['दिल', ['8', '10']],
    ['दिलवाले', ['10']],
    ['दुल्हनि', ['10']],
    ['दिलवाल दुल्हनिया', ['10']],
    ['ข้าว', ['11']],
    ['ข่าว', ['12']],
    ['เกม', ['7']],
    ['जिंदगी', ['13']],
    ['محمد', ['14']],
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
      titled('14', 'ビール', 10),
      titled('15', 'ビル', 90),
      titled('16', 'トーキョー', 10),
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
    // Long vowels may be typed or not, but in kana they tell words apart.
    ['biru', ['15', '14']],
    ['biiru', ['14', '15']],
    ['ビール', ['14', '15']],
    ['ビル', ['15', '14']],
    ['tokyo', ['16']],
    ['tookyoo', ['16']],
    ['doragonbooru z', ['4']],
    ['muubii', ['9']],
  ])('%s finds %j', async (phrase, ids) => {
    expect(await found(service, phrase)).toEqual(ids)
  })
})
