import { describe, expect, it } from 'vitest'
import { aMovie, anImageSet, anOption, aService, aSnapshot } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const LANGUAGES = ['en', 'es', 'fr', 'tr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'ja', 'ko']

describe('output_language', async () => {
  const service = await aRunningService([
    ...aSnapshot(
      aMovie({ id: '1', genres: ['comedy'] }),
      aMovie({
        id: '2',
        title: 'Parasite',
        overview: 'A family moves in.',
        originalTitle: '기생충',
        originalLanguage: 'ko',
        imageSet: anImageSet('en'),
        translations: {
          ko: { title: '기생충', overview: '한 가족이 들어온다.', imageSet: anImageSet('ko') },
          fr: { title: 'Parasite (fr)', overview: 'Une famille emménage.' },
          es: { title: 'Parásitos' },
        },
      }),
      // Nothing in English but a title.
      aMovie({
        id: '3',
        title: '千と千尋の神隠し',
        overview: undefined,
        originalTitle: '千と千尋の神隠し',
        originalLanguage: 'ja',
        translations: { ja: { title: '千と千尋の神隠し', overview: '少女の物語。' } },
      }),
      aMovie({
        id: '4',
        title: 'Four',
        imageSet: anImageSet('en'),
        translations: {
          fr: { title: ' ', overview: 'Quatre.', imageSet: { verticalPoster: anImageSet('fr').verticalPoster } },
        },
      }),
      aMovie({ id: '5', title: '', originalTitle: 'Fünf' }),
    ),
    aService('netflix', { hasTopList: true, names: { tr: 'Netfliks' } }),
    { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['1'] },
  ])
  const show = async (id: string, language: string) => {
    const { title, overview, originalTitle, imageSet } = (await service.get(`/shows/${id}?output_language=${language}`))
      .body
    return { title, overview, originalTitle, poster: imageSet.verticalPoster.w240 }
  }

  describe('is accepted by every endpoint, en being the default', () => {
    it.each([
      '/shows/1?',
      '/shows/search/filters?country=us',
      '/shows/search/title?country=us&title=movie',
      '/shows/top?country=us&service=netflix',
      '/changes?country=us&change_type=new&item_type=show',
      '/countries?',
      '/countries/us?',
      '/genres?',
    ])('%s', async (path) => {
      const answers = new Set<string>()
      for (const language of LANGUAGES) {
        const { status, text } = await service.get(`${path}&output_language=${language}`)
        expect(status, `${language} ${text}`).toBe(200)
        answers.add(text)
      }
      // No two languages say everything alike, but for names such as "Komedi" and "Estados Unidos".
      expect(answers.size).toBeGreaterThanOrEqual(10)
      expect((await service.get(path)).text).toBe((await service.get(`${path}&output_language=en`)).text)
      expect((await service.get(`${path}&output_language=TR`)).text).toBe(
        (await service.get(`${path}&output_language=tr`)).text,
      )
      for (const other of ['ru', 'en-US', 'eng', 'xx']) {
        const { status, error } = await service.get(`${path}&output_language=${other}`)
        expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', 'output_language'])
      }
    })
  })

  it.each([
    ['en', 'Comedy', 'United States', 'United Kingdom'],
    ['es', 'Comedia', 'Estados Unidos', 'Reino Unido'],
    ['fr', 'Comédie', 'États-Unis', 'Royaume-Uni'],
    ['tr', 'Komedi', 'Amerika Birleşik Devletleri', 'Birleşik Krallık'],
    ['de', 'Komödie', 'Vereinigte Staaten', 'Vereinigtes Königreich'],
    ['it', 'Commedia', 'Stati Uniti', 'Regno Unito'],
    ['pt', 'Comédia', 'Estados Unidos', 'Reino Unido'],
    ['nl', 'Komedie', 'Verenigde Staten', 'Verenigd Koninkrijk'],
    ['pl', 'Komedia', 'Stany Zjednoczone', 'Wielka Brytania'],
    ['sv', 'Komedi', 'USA', 'Storbritannien'],
    ['ja', 'コメディ', 'アメリカ合衆国', 'イギリス'],
    ['ko', '코미디', '미국', '영국'],
  ])('%s: genre and country names', async (language, comedy, us, gb) => {
    const named = { id: 'comedy', name: comedy }
    expect((await service.get(`/genres?output_language=${language}`)).body).toContainEqual(named)
    expect((await service.get(`/shows/1?output_language=${language}`)).body.genres).toEqual([named])
    const { body } = await service.get(`/countries?output_language=${language}`)
    expect(body.map(({ name }: { name: string }) => name)).toEqual([gb, expect.any(String), us])
    expect((await service.get(`/countries/us?output_language=${language}`)).body.name).toBe(us)
  })

  describe('texts of a show', () => {
    it('come in the requested language', async () => {
      expect(await show('2', 'fr')).toMatchObject({ title: 'Parasite (fr)', overview: 'Une famille emménage.' })
      expect(await show('2', 'ko')).toMatchObject({ title: '기생충', overview: '한 가족이 들어온다.' })
    })

    it('fall back to English', async () => {
      for (const language of ['tr', 'de', 'ja']) {
        expect(await show('2', language)).toMatchObject({ title: 'Parasite', overview: 'A family moves in.' })
      }
    })

    it('fall back one by one: a title in the requested language, an overview in English', async () => {
      expect(await show('2', 'es')).toMatchObject({ title: 'Parásitos', overview: 'A family moves in.' })
    })

    it('fall back to the original where there is no English either', async () => {
      expect(await show('3', 'fr')).toMatchObject({ title: '千と千尋の神隠し', overview: '少女の物語。' })
      expect(await show('3', 'en')).toMatchObject({ title: '千と千尋の神隠し', overview: '少女の物語。' })
    })

    it('leave the original title as it is', async () => {
      for (const language of LANGUAGES) expect((await show('2', language)).originalTitle).toBe('기생충')
    })

    it('come with images of their language, where there are some', async () => {
      expect((await show('2', 'ko')).poster).toBe('https://images.test/ko/vp/w240.jpg')
      for (const language of ['en', 'fr', 'tr']) {
        expect((await show('2', language)).poster).toBe('https://images.test/en/vp/w240.jpg')
      }
    })

    it('come with English images of the kinds that their language lacks', async () => {
      const { imageSet } = (await service.get('/shows/4?output_language=fr')).body
      const [english, french] = [anImageSet('en'), anImageSet('fr')]
      expect(imageSet).toEqual({ ...english, verticalPoster: french.verticalPoster })
    })

    it('fall back where a title is empty: to English, and to the original', async () => {
      expect(await show('4', 'fr')).toMatchObject({ title: 'Four', overview: 'Quatre.' })
      for (const language of ['en', 'fr']) expect((await show('5', language)).title).toBe('Fünf')
    })

    it('are the same in every endpoint', async () => {
      const titles = [
        (await service.get('/shows/search/filters?country=us&output_language=fr')).body.shows,
        (await service.get('/shows/search/title?country=us&title=parasite&output_language=fr')).body,
        Object.values(
          (await service.get('/changes?country=us&change_type=new&item_type=show&output_language=fr')).body.shows,
        ),
      ].map((shows) => shows.find(({ id }: { id: string }) => id === '2').title)
      expect(titles).toEqual(['Parasite (fr)', 'Parasite (fr)', 'Parasite (fr)'])
    })
  })

  it('names of services come in the requested language, where they differ', async () => {
    const names = async (language: string) => [
      (await service.get(`/countries/us?output_language=${language}`)).body.services[0].name,
      (await service.get(`/shows/1?output_language=${language}`)).body.streamingOptions.us[0].service.name,
    ]
    expect(await names('tr')).toEqual(['Netfliks', 'Netfliks'])
    expect(await names('en')).toEqual(['Netflix', 'Netflix'])
  })

  it('does not alter ids, codes or order', async () => {
    const ids = async (language: string) =>
      (await service.get(`/genres?output_language=${language}`)).body.map(({ id }: { id: string }) => id)
    for (const language of LANGUAGES) expect(await ids(language)).toEqual(await ids('en'))
  })

  it('availability is the same in every language', async () => {
    const elsewhere = await aRunningService(
      aSnapshot(aMovie({ id: '1', streamingOptions: { us: [anOption({ service: 'prime' })] } })),
    )
    const first = (await elsewhere.get('/shows/1')).body.streamingOptions
    for (const language of LANGUAGES) {
      expect((await elsewhere.get(`/shows/1?output_language=${language}`)).body.streamingOptions).toEqual(first)
    }
  })
})
