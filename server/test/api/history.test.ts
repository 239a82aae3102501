import { describe, expect, it } from 'vitest'
import { importAsOf } from '../../src/ingest/import-as-of.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'
import { aMovie, anOption, aSeries, aSnapshot, DAY, NOW, referenceRecords } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import { aRunningService } from './running-service.ts'

type Json = Record<string, unknown>

const rent = (amount: string, quality?: string) =>
  anOption({
    service: 'prime',
    type: 'rent',
    link: `https://prime.test/${quality}`,
    quality,
    price: { amount, currency: 'USD' },
    availableSince: undefined,
  })
const price = (amount: string) => ({ amount, currency: 'USD', formatted: `${amount} USD` })
const netflix = anOption({ availableSince: NOW - 10 * DAY })

/** A service that has got a snapshot a day. */
async function aServiceWithHistory() {
  const service = await aRunningService()
  const days: [movie: Json[], isWhole: boolean][] = [
    [[netflix, rent('3.99', 'hd')], true],
    [[netflix, rent('2.99', 'hd'), rent('1.99', 'sd')], true],
    [[rent('2.99', 'hd')], false],
    [[netflix, rent('2.99', 'hd')], true],
  ]
  for (const [options, isWhole] of days) {
    const series = aSeries({ id: '2' })
    const [first] = series.seasons as [Json]
    await service.import(
      aSnapshot(
        ...referenceRecords(),
        aMovie({ id: '1', tmdbId: 'movie/597', streamingOptions: { us: options, gb: [rent('4.99')] } }),
        isWhole ? series : { ...series, seasons: [first] },
      ),
      { force: true },
    )
    service.now += DAY
  }
  return service
}

describe('GET /shows/{id}/history', async () => {
  const service = await aServiceWithHistory()
  const get = (path: string) => service.get(`/shows/${path}`)

  it('has the spans of each place, with prices and their changes', async () => {
    const { status, body } = await get('1/history?country=us')
    expect(status).toBe(200)
    expect(body).toMatchObject({ showId: '1', country: 'us' })
    const [subscription, rental] = body.places
    expect(body.places).toHaveLength(2)
    expect(Object.keys(subscription)).toEqual(['itemType', 'service', 'streamingOptionType', 'spans'])
    expect(subscription).toMatchObject({
      itemType: 'show',
      service: { id: 'netflix', name: 'Netflix' },
      streamingOptionType: 'subscription',
    })
    expect(subscription.spans).toEqual([
      { from: NOW - 10 * DAY, to: NOW + 2 * DAY, prices: [] },
      { from: NOW + 3 * DAY, prices: [] },
    ])
    expect(rental.spans).toEqual([
      {
        from: NOW,
        prices: [
          { from: NOW, to: NOW + DAY, quality: 'hd', price: price('3.99') },
          { from: NOW + DAY, quality: 'hd', price: price('2.99') },
          { from: NOW + DAY, to: NOW + 2 * DAY, quality: 'sd', price: price('1.99') },
        ],
      },
    ])
  })

  it('has seasons and episodes as far as the granularity goes', async () => {
    const items = async (query: string) => {
      const { body } = await get(`2/history?country=us${query}`)
      return (body.places as Json[]).map(({ itemType, season, episode, spans }) =>
        [itemType, season, episode, (spans as unknown[]).length].filter((part) => part !== undefined).join(' '),
      )
    }
    expect(await items('&series_granularity=show')).toEqual(['show 1'])
    expect(await items('&series_granularity=season')).toEqual(['show 1', 'season 1 1', 'season 2 2'])
    expect(await items('')).toEqual([
      'show 1',
      'season 1 1',
      'episode 1 1 1',
      'episode 1 2 1',
      'season 2 2',
      'episode 2 1 2',
      'episode 2 2 2',
    ])
  })

  it('finds a show by any of its ids, in the languages and countries of the catalog', async () => {
    const one = await get('1/history?country=us')
    expect((await get('movie/597/history?country=US')).text).toBe(one.text)
    expect((await get('movie%2F597/history?country=us')).text).toBe(one.text)
    expect((await get('2/history?country=gb')).body.places).toEqual([])
    expect((await get('99/history?country=us')).status).toBe(404)
    expect(await get('1/history')).toMatchObject({
      status: 400,
      error: { code: 'missing_parameter', parameter: 'country' },
    })
    expect((await get('1/history?country=xx')).status).toBe(400)
  })

  it('is a member of shows if it is included, and of no other answer', async () => {
    const { body } = await get('1?include=history')
    expect(Object.keys(body.history)).toEqual(['gb', 'us'])
    expect(body.history.us).toEqual((await get('1/history?country=us')).body.places)
    const plain = await get('1?country=us')
    expect(plain.body.history).toBeUndefined()
    const { history, ...rest } = (await get('1?country=us&include=history')).body
    expect(JSON.stringify(rest)).toBe(plain.text)
    expect(Object.keys(history)).toEqual(['us'])
    const fields = (await get('2?country=us&fields=title,history.spans.from')).body
    expect(fields.history.us[0]).toEqual({ spans: [{ from: expect.any(Number) }] })
  })

  it('has its countries in their order, and the ids of services at TMDB, as other included members', async () => {
    const path = '1?country=us,gb&include=history,bestOffer'
    const { body } = await get(path)
    expect(Object.keys(body.history)).toEqual(['gb', 'us'])
    expect(Object.keys(body.bestOffer)).toEqual(['gb', 'us'])
    const withIds = (await get(`${path},tmdbProviderIds`)).body
    const [{ service: plain }] = body.history.us
    const [{ service: rich }] = withIds.history.us
    expect(JSON.stringify(rich)).toBe(JSON.stringify({ ...plain, tmdbProviderIds: [8, 175, 1796] }))
    const named = (await get('1?country=us&fields=history.service.tmdbProviderIds')).body
    expect(named.history.us[0]).toEqual({ service: { tmdbProviderIds: [8, 175, 1796] } })
    const added = (await get('1?country=us&fields=history.service.id&include=tmdbProviderIds')).body
    expect(added.history.us[0]).toEqual({ service: { id: 'netflix', tmdbProviderIds: [8, 175, 1796] } })
  })

  it('is filled from old snapshots, and leaves out what the operator no longer keeps', async () => {
    const { ledger } = service
    const before = await service.get('/shows/1')
    const { headers } = await get('1/history?country=us')
    const old = aSnapshot(aMovie({ id: '1', streamingOptions: { us: [anOption({ service: 'mubi' })] } }))
    await importAsOf(feedFromRecords(old), ledger, { clock: () => service.now, asOf: NOW - 40 * DAY, source: 'test' })
    const after = await get('1/history?country=us')
    expect(after.headers.etag).not.toBe(headers.etag)
    const mubi = (body: Json) =>
      (body.places as { service: Json; spans: Json[] }[]).find(({ service }) => service.id === 'mubi')
    expect(mubi(after.body)?.spans).toEqual([{ from: NOW - 40 * DAY, to: NOW, prices: [] }])
    expect((await service.get('/shows/1')).text).toBe(before.text)
    const query = { kind: 'history', id: '1', country: 'us', granularity: 'show', language: 'en' } as const
    const render = (historyDays: number) =>
      new CatalogQueryEngine(ledger.catalog, { historyDays }).execute(query, service.now)
    const shown = (historyDays: number) => mubi(JSON.parse(String(render(historyDays)?.body.bytes)))
    // The span ended four days ago, whenever it was seen.
    expect([shown(30)?.spans, shown(2)]).toEqual([mubi(after.body)?.spans, undefined])
    expect(render(30)?.validUntil).toBe(Math.ceil(service.now / DAY) * DAY)
  })
})
