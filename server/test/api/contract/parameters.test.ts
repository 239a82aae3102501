import { describe, expect, it } from 'vitest'
import {
  aDelta,
  aMovie,
  anAddon,
  anOption,
  aSeries,
  aService,
  aSnapshot,
  DAY,
  idsOf,
  NOW,
} from '../../support/builders.ts'
import { aTestService } from '../../support/test-service.ts'

/* One test for each sentence about parameters. */

const FILTERS = '/shows/search/filters?country=us'
const LANGUAGES = ['en', 'es', 'fr', 'tr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'ja', 'ko']
const DOTTED = 'tvs.sbd.1000579'

describe('parameters', async () => {
  const onApple = { service: 'apple', type: 'addon', addon: DOTTED, link: 'https://apple.test/1' }
  const service = await aTestService([
    ...aSnapshot(
      aService('apple', {
        streamingOptionTypes: { addon: true, buy: false, rent: false, free: false, subscription: true },
        addons: [anAddon(DOTTED), anAddon('plain-addon_1')],
        countries: { us: {} },
      }),
      aService('only_in-GB', { countries: { gb: {} } }),
      aMovie({ id: '1', originalTitle: 'b', releaseYear: 1990, rating: 50, genres: ['crime'] }),
      aMovie({ id: '2', originalTitle: 'a', releaseYear: 2000, rating: 50, title: 'Zombies of Ílhavo' }),
      aMovie({ id: '3', originalTitle: 'é', releaseYear: undefined, rating: 0, originalLanguage: 'ko' }),
      aSeries({ id: '4', originalTitle: 'B', firstAirYear: 1990, rating: 90 }),
      aMovie({ id: '5', originalTitle: 'z', rating: 10, streamingOptions: { us: [anOption(onApple)] } }),
      aMovie({
        id: '6',
        title: 'In English',
        overview: 'English text.',
        originalTitle: '원제',
        originalLanguage: 'ko',
        releaseYear: 2010,
        rating: 20,
        popularity: { us: { alltime: 5, '1year': 4, '1month': 3, '1week': 2 } },
        translations: { fr: { title: 'En français' }, ko: { title: '원제', overview: '원래 글.' } },
      }),
      aMovie({ id: '597', originalTitle: 'x', rating: 30 }),
    ),
  ])
  const ids = async (search: string) => idsOf((await service.get(`${FILTERS}&${search}`)).body.shows)
  const error = async (path: string, headers: Record<string, string> = {}) => {
    const { status, error } = await service.get(path, { headers })
    return [status, error.code, error.parameter]
  }
  const strict = { prefer: 'handling=strict' }

  it('country codes are taken in any case', async () => {
    const lower = await service.get('/shows/1?country=us')
    for (const country of ['US', 'Us']) expect((await service.get(`/shows/1?country=${country}`)).text).toBe(lower.text)
    expect((await service.get('/countries/US')).text).toBe((await service.get('/countries/us')).text)
  })

  it('a country that the catalog does not hold: 400; in the path of /countries/{cc}: 404', async () => {
    expect(await error('/shows/search/filters?country=zz')).toEqual([400, 'invalid_parameter', 'country'])
    expect(await error('/shows/1?country=zz')).toEqual([400, 'invalid_parameter', 'country'])
    expect(await error('/countries/zz')).toEqual([404, 'not_found', 'country-code'])
  })

  it('uk is told of gb', async () => {
    for (const path of ['/shows/search/filters?country=uk', '/shows/1?country=UK', '/countries/uk', '/countries/UK']) {
      expect((await service.get(path)).body.message, path).toMatch(/United Kingdom is gb\.$/)
    }
  })

  it('output_language: en by default, es, fr, tr, and beyond them de, it, pt, nl, pl, sv, ja, ko', async () => {
    for (const language of LANGUAGES) {
      expect((await service.get(`/genres?output_language=${language}`)).status, language).toBe(200)
    }
    expect((await service.get('/genres?output_language=en')).text).toBe((await service.get('/genres')).text)
    expect(await error('/genres?output_language=ru')).toEqual([400, 'invalid_parameter', 'output_language'])
  })

  it('genre and country names exist in all of them', async () => {
    for (const language of LANGUAGES) {
      for (const path of ['/genres', '/countries']) {
        const { body } = await service.get(`${path}?output_language=${language}`)
        for (const { name } of body) expect(name, `${path} in ${language}`).toMatch(/\p{L}{2,}/u)
      }
    }
  })

  it('texts of a show fall back: asked language, then en, then the original', async () => {
    const text = async (language: string) => {
      const { title, overview } = (await service.get(`/shows/6?output_language=${language}`)).body
      return [title, overview]
    }
    expect(await text('ko')).toEqual(['원제', '원래 글.'])
    expect(await text('fr')).toEqual(['En français', 'English text.'])
    expect(await text('de')).toEqual(['In English', 'English text.'])
    await service.import(
      aDelta(aMovie({ id: '7', title: '', originalTitle: 'Nur im Original', rating: 1, originalLanguage: 'de' })),
    )
    expect((await service.get('/shows/7?output_language=fr')).body.title).toBe('Nur im Original')
    await service.import(aDelta({ kind: 'remove', id: '7' }))
  })

  it('order_by: original_title by default, in the byte order of the UTF-8 title', async () => {
    expect(await ids('')).toEqual(['4', '2', '1', '597', '5', '3', '6'])
    expect(await ids('order_by=original_title')).toEqual(await ids(''))
  })

  it.each([
    'release_date',
    'rating',
    'popularity_alltime',
    'popularity_1year',
    'popularity_1month',
    'popularity_1week',
  ])('order_by: %s', async (order) => {
    const best = order === 'release_date' ? '3' : order === 'rating' ? '4' : '6'
    expect((await ids(`order_by=${order}`))[0]).toBe(best)
  })

  it('ties are broken by id, ascending, in both directions', async () => {
    const tied = (all: readonly string[]) => all.filter((id) => id === '1' || id === '2')
    for (const direction of ['asc', 'desc']) {
      expect(tied(await ids(`order_by=rating&order_direction=${direction}`))).toEqual(['1', '2'])
    }
  })

  it('year_min, year_max: release year of a movie, first air year of a series; without a year none matches', async () => {
    expect(await ids('year_min=1990&year_max=1990')).toEqual(['4', '1'])
    expect(await ids('year_min=0')).not.toContain('3')
    expect(await ids('year_max=3000')).not.toContain('3')
  })

  it('keyword: every word in title or overview, without regard to case and accents; a longer word may start with it', async () => {
    expect(await ids('keyword=ZOMBIE%20ilhavo')).toEqual(['2'])
    expect(await ids('keyword=zombie+movie')).toEqual(['2'])
    expect(await ids('keyword=zombie+nothing')).toEqual([])
  })

  it('show_original_language: ISO 639-1; include_unknown_dates: true or false', async () => {
    expect(await ids('show_original_language=ko')).toEqual(['3', '6'])
    expect(await error(`${FILTERS}&show_original_language=kor`)).toEqual([
      400,
      'invalid_parameter',
      'show_original_language',
    ])
    const changes = '/changes?country=us&change_type=expiring&item_type=show&include_unknown_dates='
    expect((await service.get(`${changes}true`)).status).toBe(200)
    expect(await error(`${changes}maybe`)).toEqual([400, 'invalid_parameter', 'include_unknown_dates'])
  })

  it('catalogs: at most 32', async () => {
    const entries = (count: number) => Array(count).fill('netflix').join()
    expect((await service.get(`${FILTERS}&catalogs=${entries(32)}`)).status).toBe(200)
    expect(await error(`${FILTERS}&catalogs=${entries(33)}`)).toEqual([400, 'invalid_parameter', 'catalogs'])
  })

  it('catalogs, bad syntax: 400', async () => {
    for (const bad of [
      'netflix.lease',
      'netflix.',
      '.rent',
      'netflix.rent.x',
      'netflix.addon.',
      'net flix',
      'a/b',
      '%00',
    ]) {
      expect(await error(`${FILTERS}&catalogs=${bad}`), bad).toEqual([400, 'invalid_parameter', 'catalogs'])
    }
  })

  it.each([
    ['nobody', 'no service of the catalog'],
    ['nobody.rent', 'no service of the catalog'],
    ['only_in-GB', 'none of this country'],
    ['prime.addon.nobody', 'no addon of the catalog'],
    ['netflix.addon.starz', 'no addon of the service'],
    [`prime.addon.${DOTTED}`, 'no addon of the service'],
  ])(
    'catalogs: %s, %s, matches nothing and is named in X-Ignored-Parameters; with strict handling 400',
    async (entry) => {
      for (const path of [FILTERS, '/changes?country=us&change_type=new&item_type=show']) {
        const { status, headers, body } = await service.get(`${path}&catalogs=${entry}`)
        expect([status, body.shows, headers['x-ignored-parameters']]).toEqual([
          200,
          path === FILTERS ? [] : {},
          `catalogs=${entry}`,
        ])
        expect(await error(`${path}&catalogs=${entry}`, strict)).toEqual([400, 'invalid_parameter', 'catalogs'])
        const both = await service.get(`${path}&catalogs=${entry},apple`)
        expect(Object.keys(both.body.shows).length).toBeGreaterThan(0)
      }
    },
  )

  it('ids of services and addons may hold letters, digits, - and _, and in addons dots', async () => {
    for (const entry of [`apple.addon.${DOTTED}`, 'apple.addon', 'apple']) {
      const { headers } = await service.get(`${FILTERS}&catalogs=${entry}`)
      expect([await ids(`catalogs=${entry}`), headers['x-ignored-parameters']]).toEqual([['5'], undefined])
    }
    expect(await ids('catalogs=apple.addon.plain-addon_1')).toEqual([])
    const { body } = await service.get('/shows/5')
    expect(body.streamingOptions.us[0].addon.id).toBe(DOTTED)
    const { status, headers } = await service.get('/shows/search/filters?country=gb&catalogs=only_in-GB')
    expect([status, headers['x-ignored-parameters']]).toEqual([200, undefined])
  })

  it('genres, unknown id: 400', async () => {
    expect(await error(`${FILTERS}&genres=crime,nonsense`)).toEqual([400, 'invalid_parameter', 'genres'])
  })

  it('rating_min > rating_max, year_min > year_max, from > to: 400', async () => {
    expect(await error(`${FILTERS}&rating_min=51&rating_max=50`)).toEqual([400, 'invalid_parameter', 'rating_min'])
    expect(await error(`${FILTERS}&year_min=2001&year_max=2000`)).toEqual([400, 'invalid_parameter', 'year_min'])
    const changes = `/changes?country=us&change_type=new&item_type=show&from=${NOW}&to=${NOW - 1}`
    expect(await error(changes)).toEqual([400, 'invalid_parameter', 'from'])
  })

  it('from before the past 31 days: 400, whose message begins as clients know it', async () => {
    const changes = '/changes?country=us&change_type=new&item_type=show'
    const { status, body } = await service.get(`${changes}&from=${NOW - 40 * DAY}`)
    expect(status).toBe(400)
    expect(body.message).toMatch(/^parameter "from" cannot be more than 31 days in the past/)
    expect((await service.get(`${changes}&to=${NOW - 40 * DAY}`)).body.message).toMatch(
      /^parameter "to" cannot be more than 31 days in the past/,
    )
    expect((await service.get(`${changes}&from=${NOW + 2 * DAY}`)).body.message).toMatch(
      /^parameter "from" cannot be in the future/,
    )
    const upcoming = changes.replace('=new', '=upcoming')
    expect((await service.get(`${upcoming}&from=${NOW - 2 * DAY}`)).body.message).toMatch(
      /^parameter "from" cannot be in the past/,
    )
    expect((await service.get(`${upcoming}&to=${NOW + 40 * DAY}`)).body.message).toMatch(
      /^parameter "to" cannot be more than 31 days in the future/,
    )
  })

  it('lists: spaces around an entry and empty entries are passed over', async () => {
    const plain = await service.get(`${FILTERS}&genres=crime,drama&genres_relation=or&catalogs=netflix,apple`)
    for (const [genres, catalogs] of [
      ['crime,%20drama', 'netflix,%20apple'],
      ['+crime+,,drama,', ',netflix,,+apple+'],
      [',%20,crime%2C%20drama', 'netflix%2C%20%2Capple'],
    ]) {
      const { status, text, headers } = await service.get(
        `${FILTERS}&genres=${genres}&genres_relation=or&catalogs=${catalogs}`,
      )
      expect([status, text, headers['x-ignored-parameters']]).toEqual([200, plain.text, undefined])
    }
    expect((await service.get(`${FILTERS}&genres=,&catalogs=%20,`)).text).toBe((await service.get(FILTERS)).text)
  })

  it('booleans: true, false, 1, 0, in any case', async () => {
    await service.import(
      aDelta(
        aMovie({
          id: '8',
          rating: 1,
          streamingOptions: { us: [anOption({ expiresSoon: true, expiresOn: undefined })] },
        }),
      ),
    )
    const count = async (text: string) =>
      (await service.get(`/changes?country=us&change_type=expiring&item_type=show&include_unknown_dates=${text}`)).body
        .changes.length
    for (const text of ['true', 'TRUE', 'True', '1']) expect(await count(text), text).toBe(1)
    for (const text of ['false', 'FALSE', 'False', '0', '']) expect(await count(text), text).toBe(0)
    await service.import(aDelta({ kind: 'remove', id: '8' }))
  })

  it('ISO codes of countries and languages in any case', async () => {
    expect((await service.get(`${FILTERS}&output_language=FR`)).text).toBe(
      (await service.get(`${FILTERS}&output_language=fr`)).text,
    )
    expect(await ids('show_original_language=KO')).toEqual(['3', '6'])
    expect((await service.get('/countries/Us?output_language=Tr')).text).toBe(
      (await service.get('/countries/us?output_language=tr')).text,
    )
  })

  it('an integer may be written with a zero fraction', async () => {
    expect(await ids('year_min=1990.0&year_max=1990.00')).toEqual(['4', '1'])
    expect(await ids('rating_min=90.0')).toEqual(['4'])
    const changes = `/changes?country=us&change_type=new&item_type=show&from=${NOW - DAY}.0`
    expect((await service.get(changes)).status).toBe(200)
    for (const bad of ['1990.5', '1990.', '1990,0', '1.99e3']) {
      expect(await error(`${FILTERS}&year_min=${bad}`), bad).toEqual([400, 'invalid_parameter', 'year_min'])
    }
  })

  it('a parameter given twice with different values: 400', async () => {
    expect(await error(`${FILTERS}&country=gb`)).toEqual([400, 'invalid_parameter', 'country'])
    expect((await service.get(`${FILTERS}&country=us`)).status).toBe(200)
  })

  it('an empty value counts as absent', async () => {
    expect((await service.get(`${FILTERS}&genres=&year_min=&catalogs=&cursor=`)).text).toBe(
      (await service.get(FILTERS)).text,
    )
    expect(await error('/shows/search/filters?country=')).toEqual([400, 'missing_parameter', 'country'])
  })

  it('a parameter that the endpoint does not have is passed over, and X-Ignored-Parameters names it with the nearest', async () => {
    const { text, headers } = await service.get(`${FILTERS}&genre=crime&page=2`)
    expect(text).toBe((await service.get(FILTERS)).text)
    expect(headers['x-ignored-parameters']).toBe('genre (genres?), page')
  })

  it('with Prefer: handling=strict it gets 400 unknown_parameter instead', async () => {
    expect(await error(`${FILTERS}&genre=crime`, strict)).toEqual([400, 'unknown_parameter', 'genre'])
    expect((await service.get(`${FILTERS}&page=1`, { headers: strict })).body.message).not.toContain('did you mean')
  })

  it('/shows/movie/597 and /shows/movie%2F597 are the same request', async () => {
    const plain = await service.get('/shows/movie/597')
    const encoded = await service.get('/shows/movie%2F597')
    expect([encoded.status, encoded.text]).toEqual([200, plain.text])
  })

  it('GET and HEAD; OPTIONS for CORS; anything else 405 with Allow', async () => {
    expect((await service.get('/genres')).status).toBe(200)
    expect((await service.get('/genres', { method: 'HEAD' })).status).toBe(200)
    expect((await service.get('/genres', { method: 'OPTIONS' })).status).toBe(204)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const { status, headers, error, body } = await service.get('/genres', { method })
      expect([status, error.code, headers.allow]).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS'])
      expect(Object.keys(body)).toEqual(['message'])
    }
  })
})
