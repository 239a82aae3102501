import { describe, expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aSnapshot, DAY, idsOf, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const captions = (language: string) => ({ closedCaptions: true, locale: { language } })
const subtitle = (language: string) => ({ closedCaptions: false, locale: { language } })
const price = (amount: string, currency = 'USD') => ({ amount, currency, formatted: `${amount} ${currency}` })

/** A movie with these options in the United States. */
const withOptions = (id: string, ...options: Record<string, unknown>[]) =>
  aMovie({
    id,
    streamingOptions: {
      us: options.map((fields, i) => anOption({ link: `https://link.test/${id}/${i}`, ...fields })),
    },
  })

describe('the filters on options', async () => {
  const service = await aRunningService(
    aSnapshot(
      withOptions('1', { audios: [{ language: 'fra' }], subtitles: [captions('eng')], quality: 'sd' }),
      withOptions('2', { audios: [{ language: 'deu', region: 'AUT' }], subtitles: [subtitle('eng')], quality: 'uhd' }),
      // French on one option, and ultra high definition on another.
      withOptions(
        '3',
        { audios: [{ language: 'fra' }], quality: 'sd' },
        { service: 'prime', audios: [{ language: 'eng' }], quality: 'uhd', subtitles: [] },
      ),
      withOptions('4', { service: 'prime', type: 'rent', price: price('2.99'), quality: 'hd', subtitles: [] }),
      withOptions('5', { service: 'prime', type: 'buy', price: price('12.50'), quality: 'hd', subtitles: [] }),
      withOptions('6', { service: 'prime', type: 'rent', price: price('2.99', 'EUR'), subtitles: [] }),
      withOptions('7', { service: 'prime', type: 'free', quality: undefined, subtitles: [] }),
      withOptions('8', { availableSince: NOW - DAY, subtitles: [] }, { service: 'prime', expiresOn: NOW + 5 * DAY }),
      // An option to come is none yet.
      withOptions('9', { subtitles: [] }, { service: 'prime', audios: [{ language: 'fra' }], startsOn: NOW + DAY }),
      aMovie({ id: '10', streamingOptions: { gb: [anOption({ audios: [{ language: 'fra' }] })] } }),
    ),
  )
  const found = async (filters: string) => {
    const { status, body } = await service.get(`/shows/search/filters?country=us&order_by=rating&${filters}`)
    expect([status, body.message]).toEqual([200, undefined])
    return idsOf(body.shows).sort((a, b) => Number(a) - Number(b))
  }

  it.each([
    ['audios=fra', ['1', '3']],
    ['audios=fr', ['1', '3']],
    ['audios=FRE', ['1', '3']],
    ['audios=ger', ['2']],
    ['audios=fr,de', ['1', '2', '3']],
    ['audios=jpn', []],
    ['subtitles=eng-cc', ['1']],
    ['subtitles=EN-CC', ['1']],
    ['subtitles=en', ['1', '2', '3', '8']],
    ['quality_min=uhd', ['2', '3']],
    ['quality_min=qhd', ['2', '3']],
    ['quality_min=hd', ['2', '3', '4', '5', '6', '8', '9']],
    ['quality_min=sd', ['1', '2', '3', '4', '5', '6', '8', '9']],
    ['price_max=2.99&currency=USD', ['4']],
    ['price_max=2.98&currency=USD', []],
    ['price_max=100&currency=usd', ['4', '5']],
    ['price_max=3&currency=EUR', ['6']],
    ['option_types=rent', ['4', '6']],
    ['option_types=buy,free', ['5', '7']],
    [`available_since_min=${NOW - DAY}`, ['8']],
    [`available_since_min=${NOW - DAY + 1}`, []],
    [`leaving_before=${NOW + 5 * DAY}`, []],
    [`leaving_before=${NOW + 5 * DAY + 1}`, ['8']],
  ])('%s finds %j', async (filters, ids) => {
    expect(await found(filters)).toEqual(ids)
  })

  it.each([
    ['audios=fr&quality_min=uhd', []],
    ['audios=en&quality_min=uhd', ['3']],
    ['audios=fr&catalogs=prime', []],
    ['audios=fr&catalogs=netflix', ['1', '3']],
    ['option_types=rent,buy&price_max=5&currency=USD&catalogs=prime.rent', ['4']],
    [`available_since_min=${NOW - DAY}&leaving_before=${NOW + 9 * DAY}`, []],
  ])('hold for one and the same option: %s finds %j', async (filters, ids) => {
    expect(await found(filters)).toEqual(ids)
  })

  it.each([
    ['audios=xx1', 'audios', 'ISO 639-1 or 639-2'],
    ['audios=qq', 'audios', '"qq"'],
    ['subtitles=eng-sdh', 'subtitles', '-cc'],
    ['quality_min=4k', 'quality_min', 'sd, hd, qhd, uhd'],
    ['price_max=1,99&currency=USD', 'price_max', '3.99'],
    ['price_max=1.99', 'currency', 'needs "currency"'],
    ['price_max=1.99&currency=XQX', 'currency', 'ISO 4217'],
    ['option_types=rental', 'option_types', 'subscription, free, rent, buy, addon'],
    ['available_since_min=-1', 'available_since_min', 'whole number'],
    ['leaving_before=tomorrow', 'leaving_before', 'whole number'],
    [`audios=${Array(17).fill('en').join()}`, 'audios', 'at most 16'],
  ])('%s is rejected', async (filters, parameter, message) => {
    const { status, error, body } = await service.get(`/shows/search/filters?country=us&${filters}`)
    expect([status, error.parameter, body.message]).toEqual([400, parameter, expect.stringContaining(message)])
  })

  it('are counted in steps, each in place of the value that the filter has', async () => {
    const steps = 'quality_min:uhd,quality_min:sd,%20price_max%20:%203,runtime_max:1,runtime_max:9'
    const { body, headers } = await service.get(
      `/shows/count?country=us&quality_min=hd&runtime_min=5&currency=USD&facets=showTypes&steps=${steps}`,
    )
    expect(body.steps.map(({ filter, value }: Record<string, string>) => `${filter}:${value}`)).toEqual([
      ...['quality_min:uhd', 'quality_min:sd', 'price_max:3', 'runtime_max:1', 'runtime_max:9'],
    ])
    const count = async (filters: string) => (await service.get(`/shows/count?country=us&${filters}`)).body.count
    expect(body.count).toBe(await count('quality_min=hd&runtime_min=5'))
    const counts = body.steps.map(({ count }: Record<string, number>) => count)
    expect(counts.slice(0, 3)).toEqual([
      await count('quality_min=uhd&runtime_min=5'),
      await count('quality_min=sd&runtime_min=5'),
      await count('quality_min=hd&runtime_min=5&price_max=3&currency=USD'),
    ])
    // A range that ends before it starts has no shows. A currency is not ignored where a step is a price.
    expect(counts[3]).toBe(0)
    expect(headers['x-ignored-parameters']).toBeUndefined()
    expect((await service.get('/shows/count?country=us')).body.steps).toBeUndefined()
  })

  it.each([
    ['steps=colour:red', 'steps', 'runtime_max:90'],
    ['steps=runtime_max', 'steps', '<filter>:<value>'],
    ['steps=runtime_max:long', 'steps', 'whole number'],
    ['steps=quality_min:4k', 'steps', 'sd, hd, qhd, uhd'],
    ['steps=price_max:3', 'currency', 'needs "currency"'],
    [`steps=${Array(13).fill('runtime_max:90').join()}`, 'steps', 'at most 12'],
    ['facet_filters=none', 'facet_filters', 'all, others'],
  ])('%s is rejected where shows are counted', async (filters, parameter, message) => {
    const { status, error, body } = await service.get(`/shows/count?country=us&${filters}`)
    expect([status, error.parameter, body.message]).toEqual([400, parameter, expect.stringContaining(message)])
  })

  it('follow the catalog when an option changes', async () => {
    const changing = await aRunningService(aSnapshot(withOptions('1', { quality: 'sd' }), withOptions('2', {})))
    const uhd = async () => idsOf((await changing.get('/shows/search/filters?country=us&quality_min=uhd')).body.shows)
    expect(await uhd()).toEqual([])
    await changing.import(aSnapshot(withOptions('1', { quality: 'uhd' }), withOptions('2', {})))
    expect(await uhd()).toEqual(['1'])
  })

  it('says that a currency without a price is ignored', async () => {
    const { headers } = await service.get('/shows/search/filters?country=us&currency=USD')
    expect(headers['x-ignored-parameters']).toBe('currency=USD')
  })
})

describe('the other filters', async () => {
  const service = await aRunningService(
    aSnapshot(
      aMovie({ id: '1', runtime: 80, genres: ['drama'] }),
      aMovie({ id: '2', runtime: 120, genres: ['drama', 'crime'] }),
      aMovie({ id: '3', runtime: undefined, genres: ['comedy'] }),
      aSeries({ id: '4', seasonCount: 2, genres: ['crime'] }),
      aSeries({ id: '5', seasonCount: 7 }),
      aSeries({ id: '6', seasonCount: undefined, seasons: [] }),
    ),
  )
  const search = (query: string, options = {}) => service.get(`/shows/search/filters?country=us&${query}`, options)
  const found = async (filters: string) => idsOf((await search(filters)).body.shows).sort()

  it.each([
    ['runtime_min=80', ['1', '2']],
    ['runtime_min=81', ['2']],
    ['runtime_max=119', ['1']],
    ['runtime_min=80&runtime_max=120', ['1', '2']],
    ['seasons_max=2', ['4']],
    ['seasons_max=7', ['4', '5']],
    ['exclude_genres=crime', ['1', '3', '5', '6']],
    ['exclude_genres=crime,comedy', ['1']],
    ['genres=drama&exclude_genres=crime', ['1']],
    ['ids=tt0000001,tv/4,999', ['1', '4']],
    ['exclude_ids=tt0000001,tv/4,999', ['2', '3', '5', '6']],
    ['ids=1,2,3&exclude_ids=2', ['1', '3']],
  ])('%s finds %j', async (filters, ids) => {
    expect(await found(filters)).toEqual(ids)
  })

  it.each([
    ['runtime_min=100&runtime_max=90', 'runtime_min', 'greater'],
    ['seasons_max=0', 'seasons_max', 'from 1'],
    ['exclude_genres=nonsense', 'exclude_genres', '"nonsense"'],
    [`ids=${Array(101).fill('1').join()}`, 'ids', 'at most 100'],
    ['limit=0', 'limit', 'from 1'],
    ['order_by=random', 'seed', 'needs "seed"'],
    ['order_by=random&seed=-1', 'seed', 'from 0'],
  ])('%s is rejected', async (filters, parameter, message) => {
    const { status, error, body } = await search(filters)
    expect([status, error.parameter, body.message]).toEqual([400, parameter, expect.stringContaining(message)])
  })

  it('name what is no id: ignored, and rejected with strict handling', async () => {
    const { body, headers } = await search('ids=1,nonsense')
    expect([idsOf(body.shows), headers['x-ignored-parameters']]).toEqual([['1'], 'ids=nonsense'])
    const strict = await search('exclude_ids=1,nonsense', { headers: { prefer: 'handling=strict' } })
    expect([strict.status, strict.error.parameter]).toEqual([400, 'exclude_ids'])
  })

  it('a limit above the page size is the page size', async () => {
    expect((await search('limit=100')).body).toEqual((await search('')).body)
  })

  it('limit makes the pages smaller', async () => {
    const first = (await search('limit=4')).body
    expect([first.shows.length, first.hasMore]).toEqual([4, true])
    const second = (await search(`limit=4&cursor=${encodeURIComponent(first.nextCursor)}`)).body
    expect([second.shows.length, second.hasMore]).toEqual([2, false])
  })

  describe('the random order', () => {
    const order = async (seed: number, query = '') => {
      const ids: string[] = []
      let cursor = ''
      do {
        const { body } = await search(
          `order_by=random&seed=${seed}&limit=2&cursor=${encodeURIComponent(cursor)}${query}`,
        )
        ids.push(...idsOf(body.shows))
        cursor = body.nextCursor ?? ''
      } while (cursor !== '')
      return ids
    }

    it('is the same for a seed, has each show once, and is another one for another seed', async () => {
      const orders = await Promise.all([1, 2, 3, 4].map((seed) => order(seed)))
      for (const ids of orders) expect([...ids].sort()).toEqual(['1', '2', '3', '4', '5', '6'])
      expect(await order(1)).toEqual(orders[0])
      expect(await order(1, '&order_direction=desc')).toEqual(orders[0]?.toReversed())
      expect(new Set(orders.map(String)).size).toBeGreaterThan(1)
    })

    it('takes no cursor of another seed', async () => {
      const { nextCursor } = (await search('order_by=random&seed=1&limit=2')).body
      const { status, error } = await search(`order_by=random&seed=2&cursor=${encodeURIComponent(nextCursor)}`)
      expect([status, error.code]).toEqual([400, 'invalid_cursor'])
    })

    it('is the only one that has a seed', async () => {
      expect((await search('seed=5')).headers['x-ignored-parameters']).toBe('seed=5')
    })
  })
})
