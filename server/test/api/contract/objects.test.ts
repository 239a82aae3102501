import { describe, expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aSnapshot } from '../../support/builders.ts'
import { aTestService, type TestService } from '../../support/test-service.ts'

/* One test for each sentence about series, their parts, and options that are equal. */

const from = (source: string, ...records: object[]) => [{ kind: 'feed', source, mode: 'delta' }, ...records]
const places = (options: readonly { service: { id: string }; type: string; addon?: { id: string } }[]) =>
  options.map(({ service, type, addon }) => [service.id, type, ...(addon === undefined ? [] : [addon.id])].join('.'))

describe('objects', async () => {
  const rent = anOption({ service: 'prime', type: 'rent', price: { amount: '2.99', currency: 'USD' } })
  const addon = anOption({ service: 'prime', type: 'addon', addon: 'starz' })
  const part = { title: 'Part', firstAirYear: 2010, lastAirYear: 2010, streamingOptions: {} }
  const service = await aTestService(
    aSnapshot(
      aSeries({ id: '1', seasons: [] }),
      aSeries({ id: '2', seasons: undefined }),
      aSeries({
        id: '3',
        streamingOptions: {},
        seasons: [
          { ...part, streamingOptions: { us: [rent] } },
          { ...part, episodes: [{ title: 'Episode', airYear: 2010, streamingOptions: { gb: [addon] } }] },
        ],
      }),
    ),
  )
  const show = async (id: string, granularity: string) =>
    (await service.get(`/shows/${id}?series_granularity=${granularity}`)).body

  it.each(['season', 'episode'])(
    'at granularity %s a series always has seasons, if need be []',
    async (granularity) => {
      expect((await show('1', granularity)).seasons).toEqual([])
      expect((await show('2', granularity)).seasons).toEqual([])
    },
  )

  it('at granularity show a series has no seasons', async () => {
    expect(await show('1', 'show')).not.toHaveProperty('seasons')
  })

  it("a series' own options cover its parts, by service, type and addon", async () => {
    const { streamingOptions, seasons } = await show('3', 'episode')
    expect(places(streamingOptions.us)).toEqual(['prime.rent'])
    expect(places(streamingOptions.gb)).toEqual(['prime.addon.starz'])
    expect(places(seasons[1].streamingOptions.gb)).toEqual(['prime.addon.starz'])
    expect(seasons[0].streamingOptions).not.toHaveProperty('gb')
  })

  it('a part that is stated alone is found by the catalog of its option, and is a change of its series', async () => {
    const { body } = await service.get('/shows/search/filters?country=gb&catalogs=prime.addon.starz')
    expect(body.shows.map(({ id }: { id: string }) => id)).toEqual(['3'])
    const changes = await service.get('/changes?country=gb&change_type=new&item_type=show&catalogs=prime.addon.starz')
    expect(changes.body.changes.map(({ showId }: { showId: string }) => showId)).toEqual(['3'])
  })

  it('an import that gives a series the options of its parts says so, at level info', async () => {
    const series = aSeries({
      id: '4',
      streamingOptions: {},
      seasons: [{ ...part, streamingOptions: { us: [rent] } }],
    })
    const report = await service.import(from('other', series))
    expect(report.notices).toEqual({ rolled_up: 1 })
    expect(report.noticeList[0]).toMatchObject({ code: 'rolled_up', severity: 'info' })
  })

  it('the same option stated by two sources, equal in every printed field, is printed once', async () => {
    await expectOptions([rent], [rent], 1)
  })

  it.each([
    ['the price', { price: { amount: '3.99', currency: 'USD' } }],
    ['the link', { link: 'https://prime.test/other' }],
    ['the quality', { quality: 'uhd' }],
  ])('two options that differ in %s are both printed', async (_, fields) => {
    await expectOptions([rent, { ...rent, ...fields }], [], 2)
    await expectOptions([rent], [{ ...rent, ...fields }], 2)
  })

  let nextId = 100
  /** Imports a movie of two sources with the given options, and counts the options that are printed. */
  async function expectOptions(one: object[], other: object[], count: number): Promise<void> {
    const id = String(nextId++)
    const movie = (options: object[]) => aMovie({ id, streamingOptions: options.length === 0 ? {} : { us: options } })
    await (service as TestService).import(from('test', movie(one)))
    await service.import(from('other', movie(other)))
    expect((await service.get(`/shows/${id}`)).body.streamingOptions.us).toHaveLength(count)
  }

  it('a type that a live option of the service has is among its streamingOptionTypes', async () => {
    const free = anOption({ service: 'netflix', type: 'free' })
    await service.import(from('other', aMovie({ id: '200', streamingOptions: { us: [free] } })))
    const { body } = await service.get('/countries/us')
    const netflix = body.services.find(({ id }: { id: string }) => id === 'netflix')
    expect(netflix.streamingOptionTypes).toMatchObject({ free: true, subscription: true })
  })
})
