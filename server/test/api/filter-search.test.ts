import { describe, expect, it } from 'vitest'
import {
  aCountry,
  aDelta,
  aMovie,
  anOption,
  aSeries,
  aService,
  aSnapshot,
  DAY,
  idsOf,
  NOW,
} from '../support/builders.ts'
import { aTestService } from '../support/test-service.ts'
import { aRunningService } from './running-service.ts'

const PATH = '/shows/search/filters'

describe('GET /shows/search/filters', async () => {
  const onPrime = (fields: object) => ({ us: [anOption({ service: 'prime', ...fields })] })
  const price = { amount: '3.99', currency: 'USD' }
  const service = await aTestService(
    aSnapshot(
      aService('onlygb'),
      { kind: 'service', id: 'nowhere', name: 'Nowhere' },
      aCountry('gb', ['prime', 'netflix', 'onlygb']),
      // Catalogs: each way to offer a show on one service, and the same on others.
      aMovie({ id: '1', genres: ['drama'], rating: 0, releaseYear: 1990 }),
      aMovie({ id: '2', genres: ['drama', 'crime'], rating: 40, releaseYear: 1999, streamingOptions: onPrime({}) }),
      aMovie({ id: '3', genres: ['crime'], rating: 60, streamingOptions: onPrime({ type: 'free' }) }),
      aMovie({ id: '4', rating: 75, streamingOptions: onPrime({ type: 'rent', price }) }),
      aMovie({ id: '5', rating: 100, streamingOptions: onPrime({ type: 'buy', price }) }),
      aMovie({ id: '6', streamingOptions: onPrime({ type: 'addon', addon: 'starz' }) }),
      aMovie({ id: '7', streamingOptions: onPrime({ type: 'addon', addon: 'mgm' }) }),
      // A series that starts in 2010 and ends in 2011, in a language of its own.
      aSeries({ id: '8', originalLanguage: 'tr', genres: ['comedy', 'crime', 'drama'] }),
      // Without a year.
      aMovie({ id: '9', releaseYear: undefined, originalLanguage: 'fr' }),
      // Not in the United States.
      aMovie({ id: '10', streamingOptions: { gb: [anOption({ service: 'onlygb' })] } }),
      // In two countries, on two services in one of them.
      aMovie({
        id: '11',
        genres: ['horror', 'scifi'],
        streamingOptions: {
          us: [anOption({ service: 'mubi' }), anOption({ service: 'tubi', type: 'free' })],
          gb: [anOption()],
        },
      }),
      // Upcoming only, and without any option.
      aMovie({ id: '12', streamingOptions: { us: [anOption({ startsOn: NOW + 5 * DAY })] } }),
      aMovie({ id: '13', streamingOptions: {} }),
      // Watched by the episode only.
      aSeries({
        id: '14',
        firstAirYear: 1999,
        lastAirYear: 2020,
        genres: ['horror'],
        streamingOptions: {},
        seasons: [
          {
            itemType: 'season',
            title: 'Season 1',
            firstAirYear: 1999,
            lastAirYear: 1999,
            streamingOptions: {},
            episodes: [
              {
                itemType: 'episode',
                title: 'Episode 1',
                airYear: 1999,
                streamingOptions: { us: [anOption({ service: 'tubi', type: 'buy', price })] },
              },
            ],
          },
        ],
      }),
    ),
  )
  const ALL = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '11', '14']

  const search = async (parameters: string) => {
    const { status, body, text } = await service.get(`${PATH}?${parameters}`)
    expect(status, text).toBe(200)
    return body
  }
  /** The ids found in the United States, in numeric order. */
  const found = async (parameters: string) =>
    idsOf((await search(`country=us&${parameters}`)).shows).sort((a, b) => Number(a) - Number(b))
  const refusal = async (parameters: string) => {
    const { status, error } = await service.get(`${PATH}?${parameters}`)
    return [status, error.code, error.parameter]
  }
  const refusedFor = (parameter: string) => [400, 'invalid_parameter', parameter]

  describe('country', () => {
    it('is required', async () => {
      expect(await refusal('')).toEqual([400, 'missing_parameter', 'country'])
    })

    it('is accepted in any case', async () => {
      expect(await search('country=US')).toEqual(await search('country=us'))
      expect(idsOf((await search('country=uS')).shows)).toHaveLength(11)
    })

    it.each(['zz', 'usa', 'u', 'de', '12'])('%s, which the catalog does not have, is rejected', async (country) => {
      expect(await refusal(`country=${country}`)).toEqual(refusedFor('country'))
    })

    it('gives the shows that can be watched in that country, and no other', async () => {
      expect(await found('')).toEqual(ALL)
      expect(idsOf((await search('country=gb')).shows)).toEqual(['10', '11'])
      expect(idsOf((await search('country=tr')).shows)).toEqual([])
    })

    it('gives availability of the given country, services other than the filtered ones included, and of no other country', async () => {
      const { shows } = await search('country=us&catalogs=mubi')
      expect(idsOf(shows)).toEqual(['11'])
      expect(Object.keys(shows[0].streamingOptions)).toEqual(['us'])
      expect(shows[0].streamingOptions.us.map((option: { service: object }) => option.service)).toMatchObject([
        { id: 'mubi' },
        { id: 'tubi' },
      ])
    })
  })

  describe('catalogs', () => {
    it('omitted: all catalogs of the country are searched', async () => {
      expect(await found('catalogs=')).toEqual(ALL)
    })

    it.each([
      ['prime', ['2', '3', '4', '5', '6', '7'], "a service's whole catalog, rent, buy and addon included"],
      ['prime.subscription', ['2'], 'one option type'],
      ['prime.free', ['3'], 'one option type'],
      ['prime.rent', ['4'], 'one option type'],
      ['prime.buy', ['5'], 'one option type'],
      ['prime.addon', ['6', '7'], 'one option type'],
      ['prime.addon.starz', ['6'], 'one addon'],
      ['prime.addon.mgm', ['7'], 'one addon'],
      ['netflix', ['1', '8', '9'], 'another service'],
      ['netflix.rent', [], 'a type that the service does not have'],
      ['tubi', ['11', '14'], 'a show that only an episode of can be watched there'],
      ['tubi.buy', ['14'], 'the type of an episode'],
    ])('%s finds %j: %s', async (catalogs, ids) => {
      expect(await found(`catalogs=${catalogs}`)).toEqual(ids)
    })

    it('includes a show that matches at least one entry', async () => {
      expect(await found('catalogs=prime.rent,prime.addon.mgm,mubi')).toEqual(['4', '7', '11'])
      expect(await found('catalogs=prime.rent%2Cmubi')).toEqual(['4', '11'])
      expect(await found('catalogs=prime.rent,prime.rent')).toEqual(['4'])
    })

    it.each([
      ['onlygb', 'catalogs=onlygb', 'a service of another country'],
      ['nobody', 'catalogs=nobody', 'no service'],
      ['nobody.rent', 'catalogs=nobody.rent', 'no service'],
      ['netflx', 'catalogs=netflx (netflix?)', 'a service with a typing error'],
      ['prime.addon.nobody', 'catalogs=prime.addon.nobody', 'no addon'],
      ['prime.addon.starzz', 'catalogs=prime.addon.starzz (prime.addon.starz?)', 'an addon with a typing error'],
      ['prime.addon.starz.x', 'catalogs=prime.addon.starz.x (prime.addon.starz?)', 'no addon'],
      ['netflix.addon.starz', 'catalogs=netflix.addon.starz', 'an addon of another service'],
    ])('%s matches nothing and is named as ignored (%s): %s', async (catalogs, named) => {
      const { status, headers, body } = await service.get(`${PATH}?country=us&catalogs=${catalogs}`)
      expect([status, headers['x-ignored-parameters'], body]).toEqual([200, named, { shows: [], hasMore: false }])
      expect(await found(`catalogs=${catalogs},mubi`)).toEqual(['11'])
      const strict = await service.get(`${PATH}?country=us&catalogs=${catalogs}`, {
        headers: { prefer: 'handling=strict' },
      })
      expect([strict.status, strict.error.code, strict.error.parameter]).toEqual(refusedFor('catalogs'))
      expect(strict.body.message).toMatch(/\/countries\/us lists the (services|addons)( \(did you mean [\w.]+\?\))?\.$/)
    })

    it('a service is ignored only until the country has it, also in a 304', async () => {
      const growing = await aRunningService(aSnapshot(aMovie({ id: '1' })))
      const ask = (tag?: string) =>
        growing.get(`${PATH}?country=us&catalogs=fresh`, { headers: tag === undefined ? {} : { 'if-none-match': tag } })
      const before = await ask()
      expect(before.headers['x-ignored-parameters']).toBe('catalogs=fresh')
      const again = await ask(before.headers.etag)
      expect([again.status, again.headers['x-ignored-parameters']]).toEqual([304, 'catalogs=fresh'])
      await growing.import(aDelta(aService('fresh', { countries: { us: {} } })))
      const after = await ask(before.headers.etag)
      expect([after.status, after.headers['x-ignored-parameters']]).toEqual([200, undefined])
      expect((await ask(after.headers.etag)).headers['x-ignored-parameters']).toBeUndefined()
    })

    it('spaces around entries and empty entries are passed over', async () => {
      expect(await found('catalogs=prime.rent,%20mubi')).toEqual(['4', '11'])
      expect(await found('catalogs=+prime.rent+,,mubi,')).toEqual(['4', '11'])
      expect(await found('catalogs=,')).toEqual(ALL)
    })

    it.each(['prime.lease', 'prime.', '.rent', 'prime.rent.starz', 'prime.addon.', 'prime rent', 'prime..rent'])(
      '%s is bad syntax, and is refused',
      async (catalogs) => {
        expect(await refusal(`country=us&catalogs=${encodeURIComponent(catalogs)}`)).toEqual(refusedFor('catalogs'))
      },
    )
  })

  describe('output_language', () => {
    it('is en by default, and rejected if it is not one of the languages', async () => {
      expect(await search('country=us')).toEqual(await search('country=us&output_language=en'))
      for (const language of ['xx', 'eng', 'ru']) {
        expect(await refusal(`country=us&output_language=${language}`)).toEqual(refusedFor('output_language'))
      }
    })

    it('localizes the result', async () => {
      const { shows } = await search('country=us&output_language=es&catalogs=prime.free')
      expect(shows[0].genres).toEqual([{ id: 'crime', name: 'Crimen' }])
    })
  })

  describe('show_type', () => {
    it('omitted means both', async () => {
      expect(await found('catalogs=netflix,tubi')).toEqual(['1', '8', '9', '11', '14'])
    })

    it('movie gives movies, series gives series', async () => {
      expect(await found('show_type=movie')).toEqual(['1', '2', '3', '4', '5', '6', '7', '9', '11'])
      expect(await found('show_type=series')).toEqual(['8', '14'])
    })

    it.each(['show', 'Movie', 'tv'])('%s is rejected', async (type) => {
      expect(await refusal(`country=us&show_type=${type}`)).toEqual(refusedFor('show_type'))
    })
  })

  describe('genres and genres_relation', () => {
    it('one genre', async () => {
      expect(await found('genres=crime')).toEqual(['2', '3', '8'])
    })

    it('several: all of them by default', async () => {
      expect(await found('genres=crime,drama')).toEqual(['2', '8'])
      expect(await found('genres=crime,drama&genres_relation=and')).toEqual(['2', '8'])
      expect(await found('genres=crime,drama,comedy')).toEqual(['8'])
      expect(await found('genres=crime,scifi')).toEqual([])
    })

    it('or: any of them', async () => {
      expect(await found('genres=crime,horror&genres_relation=or')).toEqual(['2', '3', '8', '11', '14'])
    })

    it('the relation is used only with several genres', async () => {
      expect(await found('genres=crime&genres_relation=or')).toEqual(['2', '3', '8'])
      expect(await found('genres=crime&genres_relation=and')).toEqual(['2', '3', '8'])
      expect(await found('genres_relation=or')).toEqual(ALL)
    })

    it.each(['nonsense', 'Crime', 'crime,nonsense'])('%s has an unknown id, and is refused', async (genres) => {
      expect(await refusal(`country=us&genres=${genres}`)).toEqual(refusedFor('genres'))
    })

    it('spaces around entries and empty entries are passed over', async () => {
      expect(await found('genres=crime,')).toEqual(['2', '3', '8'])
      expect(await found('genres=,%20crime%20,,')).toEqual(['2', '3', '8'])
      expect(await found('genres=,')).toEqual(ALL)
    })

    it('another relation is rejected', async () => {
      expect(await refusal('country=us&genres=crime&genres_relation=xor')).toEqual(refusedFor('genres_relation'))
    })
  })

  describe('show_original_language', () => {
    it('gives only shows whose original language matches', async () => {
      expect(await found('show_original_language=tr')).toEqual(['8'])
      expect(await found('show_original_language=TR')).toEqual(['8'])
      expect(await found('show_original_language=fr')).toEqual(['9'])
      expect(await found('show_original_language=ja')).toEqual([])
    })

    it.each(['eng', 'zz', 'english'])('%s is not ISO 639-1, and is rejected', async (language) => {
      expect(await refusal(`country=us&show_original_language=${language}`)).toEqual(
        refusedFor('show_original_language'),
      )
    })
  })

  describe('year_min and year_max', () => {
    it('bound the release year of a movie, both ends included', async () => {
      expect(await found('show_type=movie&year_min=1990&year_max=1999')).toEqual(['1', '2'])
      expect(await found('show_type=movie&year_min=1991&year_max=1999')).toEqual(['2'])
      expect(await found('show_type=movie&year_max=1990')).toEqual(['1'])
      expect(await found('year_min=1999&year_max=1999')).toEqual(['2', '14'])
    })

    it('bound the first air year of a series, not the last', async () => {
      expect(await found('show_type=series&year_min=2010')).toEqual(['8'])
      expect(await found('show_type=series&year_min=2011')).toEqual([])
      expect(await found('show_type=series&year_max=1999')).toEqual(['14'])
    })

    it('match no show without a year', async () => {
      expect(await found('year_min=0')).toEqual(ALL.filter((id) => id !== '9'))
      expect(await found('year_max=9999')).toEqual(ALL.filter((id) => id !== '9'))
    })

    it.each(['year_min=abc', 'year_min=19.5', 'year_max=1e3', 'year_max=2000y'])(
      '%s is rejected',
      async (parameter) => {
        expect(await refusal(`country=us&${parameter}`)).toEqual(refusedFor(parameter.split('=')[0] as string))
      },
    )

    it('the least above the greatest is rejected', async () => {
      expect(await refusal('country=us&year_min=2001&year_max=2000')).toEqual(refusedFor('year_min'))
    })
  })

  describe('rating_min and rating_max', () => {
    it('bound the rating, both ends included', async () => {
      expect(await found('show_type=movie&catalogs=prime&rating_min=40&rating_max=60')).toEqual(['2', '3'])
      expect(await found('catalogs=prime&rating_min=41&rating_max=75')).toEqual(['3', '4', '6', '7'])
      expect(await found('rating_min=75')).toEqual(['4', '5', '8', '14'])
      expect(await found('rating_max=40')).toEqual(['1', '2'])
      expect(await found('rating_min=100')).toEqual(['5'])
      expect(await found('rating_min=0&rating_max=100')).toEqual(ALL)
    })

    it.each(['rating_min=-1', 'rating_min=101', 'rating_max=-1', 'rating_max=101', 'rating_min=7.5', 'rating_max=x'])(
      '%s is not a whole number from 0 to 100, and is refused',
      async (parameter) => {
        expect(await refusal(`country=us&${parameter}`)).toEqual(refusedFor(parameter.split('=')[0] as string))
      },
    )

    it('the least above the greatest is rejected', async () => {
      expect(await refusal('country=us&rating_min=51&rating_max=50')).toEqual(refusedFor('rating_min'))
      expect(await found('rating_min=40&rating_max=40')).toEqual(['2'])
    })
  })

  describe('series_granularity', () => {
    const series = async (parameters: string) => (await search(`country=us&catalogs=netflix&${parameters}`)).shows

    it('is show by default: no season or episode', async () => {
      for (const parameters of ['', 'series_granularity=show']) {
        const [movie, , show] = await series(`order_by=original_title&${parameters}`)
        expect([movie.id, show.id]).toEqual(['1', '8'])
        expect(show).not.toHaveProperty('seasons')
      }
    })

    it('season: seasons without episodes', async () => {
      const show = (await series('show_type=series&series_granularity=season'))[0]
      expect(show.seasons.map((season: { title: string }) => season.title)).toEqual(['Season 1', 'Season 2'])
      for (const season of show.seasons) {
        expect(season).not.toHaveProperty('episodes')
        expect(season.streamingOptions.us).toHaveLength(1)
      }
    })

    it('episode: seasons with episodes and their links', async () => {
      const show = (await series('show_type=series&series_granularity=episode'))[0]
      expect(show.seasons[1].episodes).toHaveLength(2)
      expect(show.seasons[1].episodes[0].streamingOptions.us[0].link).toBe('https://netflix.test/title/8/s2/e1')
    })

    it('does not affect movies', async () => {
      const plain = await series('show_type=movie')
      expect(await series('show_type=movie&series_granularity=season')).toEqual(plain)
      expect(await series('show_type=movie&series_granularity=episode')).toEqual(plain)
    })

    it('another is rejected', async () => {
      expect(await refusal('country=us&series_granularity=all')).toEqual(refusedFor('series_granularity'))
    })
  })

  describe('order_by and order_direction', () => {
    it.each(['order_by=title', 'order_by=popularity', 'order_by=release_year', 'order_direction=up'])(
      '%s is refused',
      async (parameter) => {
        expect(await refusal(`country=us&${parameter}`)).toEqual(refusedFor(parameter.split('=')[0] as string))
      },
    )
  })

  describe('all filters together', () => {
    it('narrow the result: a show must pass every one', async () => {
      const filters = [
        'catalogs=netflix,prime',
        'show_type=series',
        'genres=crime,drama',
        'show_original_language=tr',
        'year_min=2010&year_max=2010',
        'rating_min=80&rating_max=80',
        'keyword=happens',
      ]
      expect(await found(filters.join('&'))).toEqual(['8'])
      for (const other of ['show_type=movie', 'year_max=2009', 'rating_max=79', 'keyword=nowhere', 'catalogs=mubi']) {
        const name = other.split('=')[0] as string
        const altered = filters.filter((filter) => !filter.includes(`${name}=`))
        expect(await found([...altered, other].join('&')), other).toEqual([])
      }
    })
  })

  describe('any parameter', () => {
    it('with an empty value counts as absent', async () => {
      const empty = ['catalogs', 'genres', 'show_type', 'year_min', 'rating_max', 'keyword', 'order_by', 'cursor']
      expect(await found(empty.map((name) => `${name}=`).join('&'))).toEqual(ALL)
      expect(await refusal('country=')).toEqual([400, 'missing_parameter', 'country'])
    })

    it('given twice with different values is rejected, with the same value is accepted', async () => {
      expect(await refusal('country=us&genres=crime&genres=drama')).toEqual(refusedFor('genres'))
      expect(await refusal('country=us&country=gb')).toEqual(refusedFor('country'))
      expect(await found('genres=crime&genres=crime')).toEqual(['2', '3', '8'])
    })

    it('that the endpoint does not have is passed over, and named in a header', async () => {
      const { status, headers, body } = await service.get(`${PATH}?country=us&genre=crime`)
      expect([status, body.shows.length]).toEqual([200, ALL.length])
      expect(headers['x-ignored-parameters']).toBe('genre (genres?)')
    })
  })
})

describe('keyword', async () => {
  const texts = (title: string, overview: string) => ({ title, overview, originalTitle: title })
  const service = await aTestService(
    aSnapshot(
      aMovie({ id: '1', ...texts('Night of the Zombies', 'A quiet town, a loud night.') }),
      aMovie({ id: '2', ...texts('Garden', 'A ZOMBIE learns to plant roses.') }),
      aMovie({ id: '3', ...texts('Amélie', "Une serveuse à Montmartre; ÇA ira d'accord.") }),
      aMovie({
        id: '4',
        title: 'Spirited Away',
        overview: 'A girl works in a bath house.',
        originalTitle: '千と千尋の神隠し',
        originalLanguage: 'ja',
        translations: {
          es: { title: 'El viaje de Chihiro', overview: 'Una niña trabaja entre fantasmas.' },
          ja: { title: '千と千尋の神隠し', overview: '少女の物語。' },
        },
      }),
      aMovie({
        id: '5',
        title: 'The Bridge',
        overview: 'Two inspectors, one border.',
        originalTitle: 'Bron',
        originalLanguage: 'sv',
        translations: { fr: { title: 'Le Pont', overview: 'Deux inspecteurs.' } },
      }),
      aMovie({ id: '6', ...texts('となりのトトロ', 'Сталкер и Солярис') }),
      aMovie({ id: '7', ...texts('Akira', 'ฉลาดเกมส์โกง') }),
    ),
  )
  const found = async (keyword: string, language = 'en') => {
    const path = `${PATH}?country=us&keyword=${encodeURIComponent(keyword)}&output_language=${language}`
    return idsOf((await service.get(path)).body.shows).sort()
  }

  it('matches in overview or title', async () => {
    expect(await found('quiet')).toEqual(['1'])
    expect(await found('garden')).toEqual(['2'])
    expect(await found('night')).toEqual(['1'])
  })

  it('a word matches a longer one that starts with it, and none that it starts only within', async () => {
    expect(await found('zombie')).toEqual(['1', '2'])
    expect(await found('zombies')).toEqual(['1'])
    expect(await found('zo')).toEqual(['1', '2'])
    expect(await found('z')).toEqual(['1', '2'])
    expect(await found('ombie')).toEqual([])
  })

  it('every word must occur, in the title or in the overview', async () => {
    expect(await found('zombie quiet')).toEqual(['1'])
    expect(await found('roses garden')).toEqual(['2'])
    expect(await found('zombie roses')).toEqual(['2'])
    expect(await found('zombie bath')).toEqual([])
  })

  it('without regard to case and accents, on either side', async () => {
    for (const keyword of ['amelie', 'AMÉLIE', 'Amélie', 'àmelie', 'ca ira', 'ÇA']) {
      expect(await found(keyword), keyword).toEqual(['3'])
    }
  })

  it('punctuation parts words', async () => {
    expect(await found('accord')).toEqual(['3'])
    expect(await found('montmartre; ira')).toEqual(['3'])
  })

  it('finds another script by its Latin transcription, and the other way round', async () => {
    expect(await found('totoro')).toEqual(['6'])
    expect(await found('solyaris')).toEqual(['6'])
    expect(await found('стал')).toEqual(['6'])
    expect(await found('アキラ')).toEqual(['7'])
  })

  it('finds a part of a text without spaces', async () => {
    expect(await found('トトロ')).toEqual(['6'])
    expect(await found('เกมส์')).toEqual(['7'])
    expect(await found('เกมส์ลาด')).toEqual([])
  })

  it('is looked for in the output language', async () => {
    expect(await found('viaje', 'es')).toEqual(['4'])
    expect(await found('fantasmas', 'es')).toEqual(['4'])
    expect(await found('viaje', 'en')).toEqual([])
    expect(await found('pont', 'fr')).toEqual(['5'])
    expect(await found('pont', 'es')).toEqual([])
  })

  it('is looked for in the original, whatever the output language', async () => {
    expect(await found('千尋', 'en')).toEqual(['4'])
    expect(await found('千尋', 'es')).toEqual(['4'])
    expect(await found('少女', 'tr')).toEqual(['4'])
    expect(await found('bron', 'fr')).toEqual(['5'])
  })

  it('is looked for in the text that stands in where a show has none in the output language', async () => {
    expect(await found('bath', 'tr')).toEqual(['4'])
    expect(await found('inspectors', 'es')).toEqual(['5'])
  })

  it('is not looked for in a language that is neither shown nor the original', async () => {
    expect(await found('bath', 'es')).toEqual([])
    expect(await found('border', 'fr')).toEqual([])
    expect(await found('bath', 'ja')).toEqual([])
  })
})

interface Sample {
  readonly id: string
  readonly originalTitle: string
  readonly releaseYear: number | undefined
  readonly rating: number
  readonly popularity: Record<string, Record<string, number>>
}

describe('the orders', async () => {
  // Byte order of UTF-8: digits, capitals, small letters, accents, other scripts, private use, then emoji.
  const TITLES = [
    '',
    ' space first',
    '"quoted"',
    '10 Things',
    '2 Things',
    'Zebra',
    'Zebra 2',
    'apple',
    'zebra',
    'zèbre',
    'Ägypten',
    'Ärger',
    'É',
    'é',
    'Ω',
    'Ж',
    '기생충',
    '千と千尋',
    'ﬀ ligature',
    '\uffee',
    '😀 film',
    '😀',
    '🎬',
    '𐍈',
  ]
  /** A deterministic, well-spread sequence. */
  const spread = (i: number, modulus: number) => (i * 7919 + ((i * i) % 97)) % modulus
  const samples = Array.from({ length: 700 }, (_, i): Sample => {
    const popular = (factor: number) => spread(i * factor, 23)
    return {
      // Ids of different lengths: ties are broken by number, not by text.
      id: String(1 + i * 3),
      originalTitle: TITLES[(i * 5) % TITLES.length] as string,
      releaseYear: i % 10 === 0 ? undefined : 1950 + spread(i, 60),
      rating: spread(i, 11) * 10,
      popularity:
        i % 6 === 0
          ? {}
          : {
              us: { alltime: popular(2), '1year': popular(3) / 2, '1month': popular(5), '1week': popular(7) },
              gb: { alltime: popular(11), '1year': popular(13), '1month': popular(17), '1week': popular(19) },
            },
    }
  })
  const service = await aTestService(
    aSnapshot(
      ...samples.map(({ releaseYear, ...sample }, i) =>
        (i % 5 === 4 ? aSeries : aMovie)({
          ...sample,
          title: `Title ${sample.id}`,
          ...(i % 5 === 4 ? { firstAirYear: releaseYear, seasons: undefined } : { releaseYear }),
          streamingOptions: {
            us: [anOption({ service: i < 60 ? 'mubi' : 'netflix' })],
            ...(i % 2 === 0 && { gb: [anOption()] }),
          },
        }),
      ),
    ),
  )

  const window = (name: string, country: string) => (sample: Sample) => sample.popularity[country]?.[name] ?? 0
  const byTitle = (a: Sample, b: Sample) => Buffer.compare(Buffer.from(a.originalTitle), Buffer.from(b.originalTitle))
  const byNumber = (value: (sample: Sample) => number) => (a: Sample, b: Sample) => value(a) - value(b)
  const ORDERS: [name: string, compare: (a: Sample, b: Sample) => number, byDefault: string][] = [
    ['original_title', byTitle, 'asc'],
    ['release_date', byNumber((sample) => sample.releaseYear ?? 0), 'asc'],
    ['rating', byNumber(({ rating }) => rating), 'desc'],
    ['popularity_alltime', byNumber(window('alltime', 'us')), 'desc'],
    ['popularity_1year', byNumber(window('1year', 'us')), 'desc'],
    ['popularity_1month', byNumber(window('1month', 'us')), 'desc'],
    ['popularity_1week', byNumber(window('1week', 'us')), 'desc'],
  ]
  /** The ids in an order; equal values by ascending id, in both directions. */
  const expected = (compare: (a: Sample, b: Sample) => number, direction: string, of = samples) => {
    const sign = direction === 'asc' ? 1 : -1
    return idsOf([...of].sort((a, b) => sign * compare(a, b) || Number(a.id) - Number(b.id)))
  }
  const cases = ORDERS.flatMap(([name, compare]) =>
    ['asc', 'desc'].map((direction) => [name, direction, compare] as const),
  )
  const walk = async (parameters: string) => idsOf((await service.allShows(`${PATH}?${parameters}`)).shows)

  it.each(cases)('%s %s, a few shows: in order, ties by id ascending', async (name, direction, compare) => {
    const ids = await walk(`country=us&catalogs=mubi&order_by=${name}&order_direction=${direction}`)
    expect(ids).toEqual(expected(compare, direction, samples.slice(0, 60)))
  })

  it.each(cases)('%s %s, many shows: in order, ties by id ascending', async (name, direction, compare) => {
    const ids = await walk(`country=us&order_by=${name}&order_direction=${direction}`)
    expect(ids).toEqual(expected(compare, direction))
  })

  it.each(ORDERS)('%s: default direction is the one for its kind', async (name, compare, byDefault) => {
    const { body } = await service.get(`${PATH}?country=us&order_by=${name}`)
    expect(idsOf(body.shows)).toEqual(expected(compare, byDefault).slice(0, 20))
  })

  it('default order is original_title ascending', async () => {
    const { body } = await service.get(`${PATH}?country=us`)
    expect(idsOf(body.shows)).toEqual(expected(byTitle, 'asc').slice(0, 20))
  })

  it('the direction alone turns the default order around', async () => {
    const { body } = await service.get(`${PATH}?country=us&order_direction=desc`)
    expect(idsOf(body.shows)).toEqual(expected(byTitle, 'desc').slice(0, 20))
  })

  it('popularity is that of the queried country', async () => {
    const inBritain = samples.filter((_, i) => i % 2 === 0)
    const ids = await walk('country=gb&order_by=popularity_1week')
    expect(ids).toEqual(expected(byNumber(window('1week', 'gb')), 'desc', inBritain))
  })

  it('titles come in the byte order of UTF-8: accents after ASCII, emoji after everything', async () => {
    const { shows } = await service.allShows(`${PATH}?country=us&catalogs=mubi`)
    const titles = [...new Set(shows.map(({ originalTitle }) => originalTitle as string))]
    const bytes = titles.map((title) => Buffer.from(title).toString('hex'))
    expect(bytes).toEqual([...bytes].sort())
    expect(titles.indexOf('zebra')).toBeLessThan(titles.indexOf('Ägypten'))
    expect(titles.indexOf('\uffee')).toBeLessThan(titles.indexOf('🎬'))
  })

  it('filters keep the order', async () => {
    const ids = await walk('country=us&order_by=rating&show_type=series&rating_min=30')
    const wanted = samples.filter(({ rating }, i) => i % 5 === 4 && rating >= 30)
    expect(ids).toEqual(
      expected(
        byNumber(({ rating }) => rating),
        'desc',
        wanted,
      ),
    )
  })
})
