import { describe, expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aSnapshot, idsOf } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const on = (service: string, fields = {}) => anOption({ service, link: `https://${service}.test/x`, ...fields })

describe('several countries', async () => {
  const service = await aRunningService(
    aSnapshot(
      aMovie({ id: '1', streamingOptions: { us: [on('netflix')] }, popularity: { us: { alltime: 5 } } }),
      aMovie({
        id: '2',
        streamingOptions: { gb: [on('prime')] },
        popularity: { gb: { alltime: 7 }, us: { alltime: 1 } },
      }),
      aMovie({
        id: '3',
        streamingOptions: { us: [on('prime')], gb: [on('netflix')], tr: [on('mubi')] },
        popularity: { us: { alltime: 1 }, gb: { alltime: 6 }, tr: { alltime: 99 } },
      }),
      aMovie({ id: '4', streamingOptions: { tr: [on('mubi')] } }),
      aMovie({ id: '5', streamingOptions: {} }),
      aSeries({ id: '6', streamingOptions: { us: [on('netflix')] } }),
    ),
  )
  const search = (query: string, options = {}) => service.get(`/shows/search/filters?${query}`, options)
  const found = async (query: string) => idsOf((await search(query)).body.shows)
  const countriesOf = (show: { streamingOptions: object }) => Object.keys(show.streamingOptions)

  it('find shows that are in any of them, with the options of just those', async () => {
    const { body } = await search('country=us,gb&show_type=movie')
    expect(idsOf(body.shows)).toEqual(['1', '2', '3'])
    expect(body.shows.map(countriesOf)).toEqual([['us'], ['gb'], ['gb', 'us']])
  })

  it('are all countries of the catalog as any', async () => {
    const { body } = await search('country=ANY&show_type=movie')
    expect(idsOf(body.shows)).toEqual(['1', '2', '3', '4'])
    expect(countriesOf(body.shows[2])).toEqual(['gb', 'tr', 'us'])
  })

  it('take catalogs and options in any of the countries', async () => {
    expect(await found('country=us,gb&catalogs=prime')).toEqual(['2', '3'])
    expect(await found('country=gb,us&catalogs=netflix&quality_min=hd&show_type=movie')).toEqual(['1', '3'])
    const { headers } = await search('country=us,gb&catalogs=mubi,nonsense')
    expect(headers['x-ignored-parameters']).toBe('catalogs=nonsense')
  })

  it('order by the highest popularity in them', async () => {
    const order = 'show_type=movie&order_by=popularity_alltime'
    expect(await found(`country=us,gb&${order}`)).toEqual(['2', '3', '1'])
    expect(await found(`country=us,gb&${order}&order_direction=asc`)).toEqual(['1', '3', '2'])
    expect(await found(`country=any&${order}`)).toEqual(['3', '2', '1', '4'])
  })

  it('of one are as one country, byte for byte', async () => {
    for (const path of [
      '/shows/search/filters?',
      '/shows/search/title?title=movie&',
      '/shows/3?',
      '/shows?ids=1,3,6&',
    ]) {
      const { text } = await service.get(`${path}country=us`)
      for (const same of ['us,us', 'US,', ' us , ']) {
        expect((await service.get(`${path}country=${encodeURIComponent(same)}`)).text).toBe(text)
      }
    }
  })

  it('limit the options of a show, of shows and of found titles', async () => {
    const { body } = await service.get('/shows/3?country=gb,us')
    expect(countriesOf(body)).toEqual(['gb', 'us'])
    expect((await service.get('/shows/3?country=any')).text).toBe((await service.get('/shows/3')).text)
    const many = await service.get('/shows?ids=3,4&country=gb,tr')
    expect(many.body.map(countriesOf)).toEqual([['gb', 'tr'], ['tr']])
    const titles = await service.get('/shows/search/title?title=movie%203&country=us,tr')
    expect(countriesOf(titles.body[0])).toEqual(['tr', 'us'])
    const limited = await service.get('/shows/search/title?title=movie&country=us,tr&catalogs=mubi')
    expect(idsOf(limited.body).sort()).toEqual(['3', '4'])
  })

  it.each([
    ['us,zz', '"zz"'],
    ['usa', 'or any'],
    ['us;gb', 'us,gb'],
    ['us,any', 'or any'],
    [Array.from({ length: 11 }, (_, i) => `a${String.fromCharCode(97 + i)}`).join(), 'a country of the catalog'],
  ])('%s is rejected', async (countries, message) => {
    for (const path of ['/shows/search/filters?', '/shows/search/title?title=x&', '/shows/3?', '/shows?ids=3&']) {
      const { status, error, body } = await service.get(`${path}country=${encodeURIComponent(countries)}`)
      expect([status, error.parameter, body.message]).toEqual([400, 'country', expect.stringContaining(message)])
    }
  })
})

describe('more than ten countries', async () => {
  const codes = ['us', 'gb', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'se', 'jp', 'kr']
  const country = (countryCode: string) => ({ kind: 'country', countryCode, services: ['netflix'] })
  const service = await aRunningService(aSnapshot(...codes.map(country), aMovie({ id: '1' })))

  it('are too many', async () => {
    const ask = (count: number) => service.get(`/shows/search/filters?country=${codes.slice(0, count)}`)
    expect((await ask(10)).status).toBe(200)
    const { status, body } = await ask(11)
    expect([status, body.message]).toEqual([400, expect.stringContaining('at most 10, or be any')])
  })
})
