import { describe, expect, it } from 'vitest'
import { STANDARD_GENRES } from '../../src/model/genre.ts'
import { aCountry, aLogoSet, anAddon, aService, aSnapshot, idsOf } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

type Json = Record<string, unknown>

const RECORDS = aSnapshot(
  aService('paramount', {
    name: 'Paramount+',
    homePage: 'https://paramount.test/us',
    themeColorCode: '#0064FF',
    streamingOptionTypes: { addon: true, buy: false, rent: true, free: false, subscription: true },
    addons: [anAddon('showtime')],
    countries: {
      gb: { name: 'Paramount UK', homePage: 'https://paramount.test/gb', imageSet: aLogoSet('uk'), addons: [] },
    },
  }),
  aCountry('us', ['tubi', 'paramount', 'netflix', 'mubi', 'prime']),
)

describe('GET /countries', async () => {
  const service = await aRunningService(RECORDS)

  it('returns an array of Country', async () => {
    const { body } = await service.get('/countries')
    expect(body.map(({ countryCode, name }: Json) => [countryCode, name])).toEqual([
      ['gb', 'United Kingdom'],
      ['tr', 'Türkiye'],
      ['us', 'United States'],
    ])
  })

  it('each equals the response of /countries/{country-code}', async () => {
    const { body } = await service.get('/countries')
    for (const country of body) {
      expect((await service.get(`/countries/${country.countryCode}`)).body).toEqual(country)
    }
  })

  it('output_language: en by default', async () => {
    expect((await service.get('/countries')).body).toEqual((await service.get('/countries?output_language=en')).body)
    const { body } = await service.get('/countries?output_language=de')
    expect(body.map(({ name }: Json) => name)).toEqual(['Vereinigtes Königreich', 'Türkei', 'Vereinigte Staaten'])
    const refused = await service.get('/countries?output_language=xx')
    expect([refused.status, refused.error.parameter]).toEqual([400, 'output_language'])
  })

  it('needs no other parameter, and passes over what it does not have', async () => {
    const { status, headers } = await service.get('/countries?country=us')
    expect([status, headers['x-ignored-parameters']]).toEqual([200, 'country'])
  })
})

describe('GET /countries, set to map', async () => {
  const service = await aRunningService(RECORDS, { countries: 'map' })

  it('returns a map from country code to Country instead', async () => {
    const { body } = await service.get('/countries')
    expect(Object.keys(body)).toEqual(['gb', 'tr', 'us'])
    for (const code of ['gb', 'tr', 'us']) expect(body[code]).toEqual((await service.get(`/countries/${code}`)).body)
  })
})

describe('GET /countries/{country-code}', async () => {
  const service = await aRunningService(RECORDS)

  it('returns one Country, its code taken in any case', async () => {
    for (const code of ['us', 'US', 'Us']) {
      const { body } = await service.get(`/countries/${code}`)
      expect([body.countryCode, body.name]).toEqual(['us', 'United States'])
    }
  })

  it.each(['zz', 'de', 'usa', 'x', '1', '%20', 'u%20s', '%00', 'constructor', '__proto__'])(
    '%s, which the catalog does not hold: 404',
    async (code) => {
      const { status, error } = await service.get(`/countries/${code}`)
      expect([status, error.code, error.parameter]).toEqual([404, 'not_found', 'country-code'])
    },
  )

  it('output_language: en by default', async () => {
    expect((await service.get('/countries/tr?output_language=fr')).body.name).toBe('Turquie')
    expect((await service.get('/countries/us?output_language=')).body.name).toBe('United States')
    expect((await service.get('/countries/us?output_language=xx')).status).toBe(400)
  })
})

describe('Country', async () => {
  const service = await aRunningService(RECORDS)
  const us = (await service.get('/countries/us')).body
  const gb = (await service.get('/countries/gb')).body
  const inside = (country: { services: Json[] }, id: string) => country.services.find((one) => one.id === id)

  it('countryCode: ISO 3166-1 alpha-2, in lower case', () => {
    expect([us.countryCode, gb.countryCode]).toEqual(['us', 'gb'])
  })

  it('services: the supported ones, ordered by popularity, as the feed lists them', () => {
    expect(idsOf(us.services)).toEqual(['tubi', 'paramount', 'netflix', 'mubi', 'prime'])
    expect(idsOf(gb.services).slice(0, 2)).toEqual(['prime', 'netflix'])
  })

  it('a service carries its name, logos, homepage, theme colour, option types and addons', () => {
    expect(inside(us, 'paramount')).toEqual({
      id: 'paramount',
      name: 'Paramount+',
      homePage: 'https://paramount.test/us',
      themeColorCode: '#0064FF',
      imageSet: aLogoSet('paramount'),
      streamingOptionTypes: { addon: true, buy: false, rent: true, free: false, subscription: true },
      addons: [anAddon('showtime')],
    })
  })

  it('a service is localized to the country', () => {
    expect(inside(gb, 'paramount')).toMatchObject({
      name: 'Paramount UK',
      homePage: 'https://paramount.test/gb',
      themeColorCode: '#0064FF',
      imageSet: aLogoSet('uk'),
      addons: [],
    })
  })

  it('the service id and the addon id are those of catalogs and service', async () => {
    const { status } = await service.get('/shows/search/filters?country=us&catalogs=paramount.addon.showtime,paramount')
    expect(status).toBe(200)
  })
})

describe('GET /genres', async () => {
  const service = await aRunningService(RECORDS)

  it('returns an array of Genre: id and name', async () => {
    const { body } = await service.get('/genres')
    expect(body).toEqual([
      { id: 'action', name: 'Action' },
      { id: 'comedy', name: 'Comedy' },
      { id: 'crime', name: 'Crime' },
      { id: 'drama', name: 'Drama' },
      { id: 'horror', name: 'Horror' },
      { id: 'scifi', name: 'Science Fiction' },
    ])
  })

  it('output_language localizes the names, not the ids', async () => {
    const { body } = await service.get('/genres?output_language=sv')
    expect(body[4]).toEqual({ id: 'horror', name: 'Skräck' })
    expect((await service.get('/genres?output_language=xx')).status).toBe(400)
  })

  it('the ids are those of the genres filter', async () => {
    for (const { id } of (await service.get('/genres')).body) {
      expect((await service.get(`/shows/search/filters?country=us&genres=${id}`)).status).toBe(200)
    }
  })

  it('a feed may bring genres of its own', async () => {
    const own = await aRunningService(
      aSnapshot({ kind: 'genre', id: 'telenovela', name: 'Telenovela', names: { de: 'Seifenoper' } }),
    )
    const name = async (language: string) =>
      (await own.get(`/genres?output_language=${language}`)).body.find(({ id }: Json) => id === 'telenovela').name
    expect([await name('en'), await name('de'), await name('fr')]).toEqual(['Telenovela', 'Seifenoper', 'Telenovela'])
  })

  it('the standard genres are named in every language', async () => {
    const all = await aRunningService(aSnapshot(...STANDARD_GENRES.map(({ id }) => ({ kind: 'genre', id }))))
    const { body } = await all.get('/genres?output_language=ko')
    expect(body).toHaveLength(STANDARD_GENRES.length)
    for (const { name } of body) expect(name).toMatch(/[\uac00-\ud7af]|^SF$/)
  })
})
