import { describe, expect, it } from 'vitest'
import { aDelta, aSeries, aSnapshot } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'
import { found, popular, search, titled } from './title-search.ts'

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
