import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY, idsOf, NOW, referenceRecords } from '../support/builders.ts'
import type { TestService } from '../support/test-service.ts'
import { aRunningService } from './running-service.ts'

type Json = Record<string, unknown>

const movieWith = (id: string, ...options: Json[]) => aMovie({ id, streamingOptions: { us: options } })

/** The live options of a show in the United States. */
async function options(service: TestService, id: string): Promise<Json[]> {
  const { status, body } = await service.get(`/shows/${id}?country=us`)
  expect(status).toBe(200)
  return body.streamingOptions.us ?? []
}

/** The reported changes of a type: show, season, episode and time. */
async function changes(service: TestService, changeType: string, itemType = 'show', country = 'us') {
  const path = `/changes?country=${country}&change_type=${changeType}&item_type=${itemType}&include_unknown_dates=true`
  const { body } = await service.get(path)
  return body.changes.map(({ showId, season, episode, timestamp }: Json) =>
    [[showId, season, episode].filter((part) => part !== undefined).join('.'), timestamp].filter(
      (part) => part !== undefined,
    ),
  )
}

/** All reported changes, of all shows or of one, by type; empty types are left out. */
async function everything(service: TestService, id?: string) {
  const all: Json = {}
  for (const type of ['new', 'updated', 'removed', 'expiring', 'upcoming']) {
    for (const itemType of ['show', 'season', 'episode']) {
      const told: [string, number][] = await changes(service, type, itemType)
      const list = told.filter(([item]) => id === undefined || item.split('.')[0] === id)
      if (list.length > 0) all[`${type} ${itemType}`] = list
    }
  }
  return all
}

/** Imports a feed that must have no notices. */
async function feed(service: TestService, records: Json[], options: { force?: boolean } = {}) {
  const report = await service.import(records, options)
  expect(report.noticeList.filter(({ code }) => code !== 'rolled_up')).toEqual([])
  return report
}

/** A service on which the shows are so old that /changes no longer reports them as new. */
async function anOldCatalog(...shows: Json[]): Promise<TestService> {
  const service = await aRunningService(aSnapshot(...shows))
  service.now += 100 * DAY
  await service.advance(0)
  expect(await changes(service, 'new')).toEqual([])
  return service
}

describe('an upcoming option', async () => {
  it('is not shown in streamingOptions, and is found by no search of the catalogs', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ startsOn: NOW + DAY }))))
    expect(await options(service, '1')).toEqual([])
    expect((await service.get('/shows/1')).body.streamingOptions).toEqual({})
    expect((await service.get('/shows/search/filters?country=us')).body.shows).toEqual([])
    expect(await everything(service)).toEqual({ 'upcoming show': [['1', NOW + DAY]] })
  })

  it('becomes live automatically when its start passes: a new change', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ startsOn: NOW + DAY }))))
    await service.advance(DAY - 1)
    expect(await options(service, '1')).toEqual([])
    await service.advance(1)
    expect(await options(service, '1')).toMatchObject([{ service: { id: 'netflix' }, type: 'subscription' }])
    expect(idsOf((await service.get('/shows/search/filters?country=us&catalogs=netflix')).body.shows)).toEqual(['1'])
    expect(await everything(service)).toEqual({ 'new show': [['1', NOW + DAY]] })
  })

  it('is stamped with its start, however late that is noticed', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ startsOn: NOW + DAY }))))
    await service.advance(5 * DAY)
    expect(await everything(service)).toEqual({ 'new show': [['1', NOW + DAY]] })
  })

  it('becomes live beside those that are live already, in the order in which the source gave them', async () => {
    const service = await aRunningService(
      aSnapshot(
        movieWith(
          '1',
          anOption({ service: 'prime', type: 'rent', startsOn: NOW + DAY }),
          anOption({ service: 'netflix' }),
          anOption({ service: 'mubi', startsOn: NOW + 2 * DAY }),
        ),
      ),
    )
    const services = async () => (await options(service, '1')).map((option) => (option.service as Json).id)
    expect(await services()).toEqual(['netflix'])
    await service.advance(DAY)
    expect(await services()).toEqual(['prime', 'netflix'])
    await service.advance(DAY)
    expect(await services()).toEqual(['prime', 'netflix', 'mubi'])
  })

  it('with an unknown start stays upcoming until a feed changes it', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ startsOn: 'unknown' }))))
    await service.advance(20 * DAY)
    expect(await everything(service)).toEqual({ 'upcoming show': [['1']] })
    await feed(service, aDelta(movieWith('1', anOption({ startsOn: service.now + DAY }))))
    expect(await everything(service)).toEqual({ 'upcoming show': [['1', service.now + DAY]] })
    await feed(service, aDelta(movieWith('1', anOption())))
    expect(await options(service, '1')).toHaveLength(1)
    expect(await everything(service)).toEqual({ 'new show': [['1', service.now]] })
  })

  it('that is put off does not start on the old day', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ startsOn: NOW + DAY }))))
    await feed(service, aDelta(movieWith('1', anOption({ startsOn: NOW + 3 * DAY }))))
    await service.advance(2 * DAY)
    expect(await everything(service)).toEqual({ 'upcoming show': [['1', NOW + 3 * DAY]] })
    await service.advance(DAY)
    expect(await everything(service)).toEqual({ 'new show': [['1', NOW + 3 * DAY]] })
  })

  it('that is called off leaves no trace', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ startsOn: NOW + DAY }))))
    await feed(service, aDelta(movieWith('1')))
    await service.advance(2 * DAY)
    expect(await everything(service)).toEqual({})
  })

  it('with an unknown start is not reported beside one with a known start: a place has one window', async () => {
    const service = await aRunningService(
      aSnapshot(
        movieWith(
          '1',
          anOption({ service: 'prime', type: 'rent', startsOn: NOW + 100 * DAY, quality: 'sd' }),
          anOption({ service: 'prime', type: 'rent', startsOn: 'unknown', quality: 'hd' }),
        ),
      ),
    )
    expect(await changes(service, 'upcoming')).toEqual([])
  })

  it('with an unknown start whose end has passed is no longer upcoming', async () => {
    const service = await aRunningService(
      aSnapshot(movieWith('1', anOption({ startsOn: 'unknown', expiresOn: NOW + DAY }))),
    )
    expect(await changes(service, 'upcoming')).toEqual([['1']])
    await service.advance(2 * DAY)
    expect(await changes(service, 'upcoming')).toEqual([])
  })

  it('that has started by the time of the import is live at once', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ startsOn: NOW - DAY }))))
    expect(await options(service, '1')).toHaveLength(1)
    expect(await everything(service)).toEqual({ 'new show': [['1', NOW]] })
  })

  it('that a feed keeps stating with its start in the past stays as it is', async () => {
    const records = aSnapshot(movieWith('1', anOption({ startsOn: NOW + DAY })))
    const service = await aRunningService(records)
    await service.advance(2 * DAY)
    const before = await options(service, '1')
    const { changes: made } = await feed(service, records)
    expect(made).toEqual({ new: 0, updated: 0, removed: 0 })
    expect(await options(service, '1')).toEqual(before)
  })
})

describe('an option that expires', async () => {
  it('is removed automatically when its expiresOn passes: a removed change', async () => {
    const service = await aRunningService(
      aSnapshot(movieWith('1', anOption({ expiresOn: NOW + DAY })), aMovie({ id: '2' })),
    )
    await service.advance(DAY - 1)
    expect(await options(service, '1')).toHaveLength(1)
    expect(await changes(service, 'expiring')).toEqual([['1', NOW + DAY]])
    await service.advance(1)
    expect(await options(service, '1')).toEqual([])
    expect(idsOf((await service.get('/shows/search/filters?country=us')).body.shows)).toEqual(['2'])
    expect(await everything(service)).toEqual({
      'new show': [
        ['1', NOW],
        ['2', NOW],
      ],
      'removed show': [['1', NOW + DAY]],
    })
  })

  it('is stamped with its end, however late that is noticed, and keeps its last link', async () => {
    const service = await aRunningService(
      aSnapshot(movieWith('1', anOption({ expiresOn: NOW + DAY, link: 'https://netflix.test/last' }))),
    )
    await service.advance(7 * DAY)
    const { body } = await service.get('/changes?country=us&change_type=removed&item_type=show')
    expect(body.changes).toMatchObject([{ showId: '1', timestamp: NOW + DAY, link: 'https://netflix.test/last' }])
  })

  it('takes only itself away', async () => {
    const service = await aRunningService(
      aSnapshot(
        movieWith('1', anOption({ service: 'prime', expiresOn: NOW + DAY }), anOption({ service: 'netflix' })),
        aMovie({
          id: '2',
          streamingOptions: { us: [anOption({ expiresOn: NOW + DAY })], gb: [anOption({ expiresOn: NOW + 2 * DAY })] },
        }),
      ),
    )
    await service.advance(DAY)
    expect(await options(service, '1')).toMatchObject([{ service: { id: 'netflix' } }])
    expect(Object.keys((await service.get('/shows/2')).body.streamingOptions)).toEqual(['gb'])
    expect(await changes(service, 'removed', 'show', 'gb')).toEqual([])
  })

  it('that starts and ends between two runs makes both changes, each at its time', async () => {
    const service = await aRunningService(
      aSnapshot(movieWith('1', anOption({ startsOn: NOW + DAY, expiresOn: NOW + 3 * DAY }))),
    )
    await service.advance(5 * DAY)
    expect(await everything(service)).toEqual({
      'new show': [['1', NOW + DAY]],
      'removed show': [['1', NOW + 3 * DAY]],
    })
  })

  it('one of two on the same service and type: an update, since the other stays', async () => {
    const rent = (amount: string, more: Json = {}) =>
      anOption({ service: 'prime', type: 'rent', price: { amount, currency: 'USD' }, ...more })
    const service = await anOldCatalog(movieWith('1', rent('2.99', { expiresOn: NOW + 110 * DAY }), rent('3.99')))
    await service.advance(10 * DAY)
    expect(await everything(service)).toEqual({ 'updated show': [['1', NOW + 110 * DAY]] })
    expect(await options(service, '1')).toMatchObject([{ price: { amount: '3.99' } }])
  })

  it('whose end a feed puts off lives on', async () => {
    const service = await anOldCatalog(movieWith('1', anOption({ expiresOn: NOW + 110 * DAY })))
    await feed(service, aDelta(movieWith('1', anOption({ expiresOn: NOW + 120 * DAY }))))
    await service.advance(15 * DAY)
    expect(await options(service, '1')).toHaveLength(1)
    expect(await everything(service)).toEqual({
      'updated show': [['1', NOW + 100 * DAY]],
      'expiring show': [['1', NOW + 120 * DAY]],
    })
  })

  it('with a date in the far future keeps it whole', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ expiresOn: 253_368_063_900 }))))
    expect(await options(service, '1')).toMatchObject([{ expiresOn: 253_368_063_900, expiresSoon: false }])
  })
})

describe('expiresSoon is computed at the time of the request', async () => {
  const service = await aRunningService([
    ...aSnapshot(
      movieWith('1', anOption({ expiresOn: NOW + 31 * DAY })),
      movieWith('2', anOption({ expiresOn: NOW + 31 * DAY + 1 })),
      movieWith('3', anOption({ expiresSoon: true })),
      movieWith('4', anOption({ expiresSoon: true, expiresOn: NOW + 300 * DAY })),
      movieWith('5', anOption({ expiresSoon: false, expiresOn: NOW + 5 * DAY })),
      movieWith('6', anOption()),
      aSeries({
        id: '7',
        streamingOptions: {},
        seasons: [
          {
            itemType: 'season',
            title: 'Season 1',
            firstAirYear: 2020,
            lastAirYear: 2020,
            streamingOptions: { us: [anOption({ expiresOn: NOW + 31 * DAY + 2 })] },
            episodes: [
              {
                itemType: 'episode',
                title: 'Episode 1',
                airYear: 2020,
                streamingOptions: { us: [anOption({ expiresOn: NOW + 31 * DAY + 3 })] },
              },
            ],
          },
        ],
      }),
    ),
    { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['2'] },
  ])
  const soon = async (id: string) => {
    const { expiresSoon, expiresOn } = (await options(service, id))[0]!
    return [expiresSoon, expiresOn]
  }

  it('expiry in 31 days is soon, a second later is not yet', async () => {
    expect(await soon('1')).toEqual([true, NOW + 31 * DAY])
    expect(await soon('2')).toEqual([false, NOW + 31 * DAY + 1])
  })

  it('known to be imminent without a date: soon, and expiresOn left out', async () => {
    expect(await soon('3')).toEqual([true, undefined])
    expect('expiresOn' in (await options(service, '3'))[0]!).toBe(false)
  })

  it('the date decides, not what the feed said of it', async () => {
    expect(await soon('4')).toEqual([false, NOW + 300 * DAY])
    expect(await soon('5')).toEqual([true, NOW + 5 * DAY])
  })

  it('without an end: never soon', async () => {
    expect(await soon('6')).toEqual([false, undefined])
  })

  it('turns by the passing of time alone, everywhere that the option is shown', async () => {
    const first = (shows: Json[]) => shows.find(({ id }) => id === '2')
    const views = async () => {
      const all = [
        (await service.get('/shows/2')).body,
        (await service.get('/shows/2?country=us')).body,
        first((await service.get('/shows/search/filters?country=us&show_type=movie')).body.shows),
        first((await service.get('/shows/search/title?country=us&title=Movie+2')).body),
        first((await service.get('/shows/top?country=us&service=netflix')).body),
        (await service.get('/changes?country=us&change_type=new&item_type=show')).body.shows['2'],
      ]
      return all.map((show) => (show as { streamingOptions: { us: Json[] } }).streamingOptions.us[0]!.expiresSoon)
    }
    expect(await views()).toEqual([false, false, false, false, false, false])
    service.now += 1
    expect(await views()).toEqual([true, true, true, true, true, true])
  })

  it('holds for seasons and episodes too', async () => {
    const flags = async () => {
      const [season] = (await service.get('/shows/7?country=us')).body.seasons
      const inside = season.episodes[0].streamingOptions.us[0]
      return [season.streamingOptions.us[0].expiresSoon, inside.expiresSoon]
    }
    service.now = NOW + 1
    expect(await flags()).toEqual([false, false])
    service.now = NOW + 2
    expect(await flags()).toEqual([true, false])
    service.now = NOW + 3
    expect(await flags()).toEqual([true, true])
  })
})

describe('expiring changes are read off the options', async () => {
  it('come into the window, and leave it, by the passing of time', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ expiresOn: NOW + 40 * DAY }))))
    expect(await changes(service, 'expiring')).toEqual([])
    await service.advance(9 * DAY)
    expect(await changes(service, 'expiring')).toEqual([['1', NOW + 40 * DAY]])
    await service.advance(31 * DAY)
    expect(await changes(service, 'expiring')).toEqual([])
    expect(await changes(service, 'removed')).toEqual([['1', NOW + 40 * DAY]])
  })

  it('imminent without a date: reported with include_unknown_dates, and gone when the feed withdraws it', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', anOption({ expiresSoon: true }))))
    expect(await changes(service, 'expiring')).toEqual([['1']])
    await service.advance(60 * DAY)
    expect(await changes(service, 'expiring')).toEqual([['1']])
    await feed(service, aDelta(movieWith('1', anOption())))
    expect(await changes(service, 'expiring')).toEqual([])
  })

  it('an option that is still to come is upcoming, not expiring', async () => {
    const service = await aRunningService(
      aSnapshot(movieWith('1', anOption({ startsOn: NOW + DAY, expiresOn: NOW + 3 * DAY }))),
    )
    expect(await everything(service)).toEqual({ 'upcoming show': [['1', NOW + DAY]] })
    await service.advance(DAY)
    expect(await changes(service, 'expiring')).toEqual([['1', NOW + 3 * DAY]])
  })

  it('imminent without a date is reported although another option of the kind ends later', async () => {
    const service = await aRunningService(
      aSnapshot(
        movieWith(
          '1',
          anOption({ service: 'prime', type: 'rent', expiresSoon: true, quality: 'sd' }),
          anOption({ service: 'prime', type: 'rent', expiresOn: NOW + 100 * DAY, quality: 'hd' }),
        ),
      ),
    )
    expect(await changes(service, 'expiring')).toEqual([['1']])
  })

  it('are reported once for each service, type and addon, at the last end', async () => {
    const service = await aRunningService(
      aSnapshot(
        movieWith(
          '1',
          anOption({ service: 'prime', type: 'rent', expiresOn: NOW + 2 * DAY }),
          anOption({ service: 'prime', type: 'rent', expiresOn: NOW + DAY }),
          anOption({ service: 'prime', type: 'buy', expiresOn: NOW + DAY }),
        ),
      ),
    )
    expect(await changes(service, 'expiring')).toEqual([
      ['1', NOW + DAY],
      ['1', NOW + 2 * DAY],
    ])
  })
})

describe('a feed', async () => {
  it('that brings an option makes new, stamped with the time of the import', async () => {
    const service = await anOldCatalog(aMovie({ id: '1' }))
    service.now += 5
    await feed(service, aDelta(movieWith('1', anOption(), anOption({ service: 'prime' }))))
    const { body } = await service.get('/changes?country=us&change_type=new&item_type=show')
    expect(body.changes).toMatchObject([{ showId: '1', service: { id: 'prime' }, timestamp: service.now }])
  })

  it('that drops an option makes removed, stamped with the time of the import', async () => {
    const service = await anOldCatalog(movieWith('1', anOption(), anOption({ service: 'prime' })))
    await feed(service, aDelta(movieWith('1', anOption())))
    const { body } = await service.get('/changes?country=us&change_type=removed&item_type=show')
    expect(body.changes).toMatchObject([{ showId: '1', service: { id: 'prime' }, timestamp: service.now }])
    expect(await everything(service)).toEqual({ 'removed show': [['1', service.now]] })
  })

  it('that leaves a show out of a snapshot removes its options', async () => {
    const all = Array.from({ length: 6 }, (_, i) => movieWith(String(1 + i), anOption()))
    const service = await anOldCatalog(...all)
    await feed(service, aSnapshot(...all.slice(1)))
    expect(await everything(service)).toEqual({ 'removed show': [['1', service.now]] })
    expect(await options(service, '1')).toEqual([])
  })

  it('that leaves a show out of a delta does not change it', async () => {
    const service = await anOldCatalog(aMovie({ id: '1' }), aMovie({ id: '2' }))
    await feed(service, aDelta(movieWith('2', anOption({ quality: 'uhd' }))))
    expect(await options(service, '1')).toHaveLength(1)
    expect(await changes(service, 'removed')).toEqual([])
  })

  it('of one source removes nothing of another', async () => {
    const service = await anOldCatalog(movieWith('1', anOption()))
    const other = (...shows: Json[]) => [{ kind: 'feed', source: 'other', mode: 'snapshot' }, ...shows]
    await feed(service, other(movieWith('1', anOption({ service: 'mubi' }))))
    expect(await options(service, '1')).toMatchObject([{ service: { id: 'netflix' } }, { service: { id: 'mubi' } }])
    await feed(service, other(movieWith('1')), { force: true })
    expect(await options(service, '1')).toMatchObject([{ service: { id: 'netflix' } }])
  })

  describe('makes updated where an option changed in', () => {
    const base = {
      service: 'prime',
      type: 'rent',
      videoLink: 'https://prime.test/watch/1',
      price: { amount: '2.99', currency: 'USD' },
      expiresOn: NOW + 200 * DAY,
    }
    const other = anOption({ service: 'mubi' })
    const cases: [field: string, altered: Json][] = [
      ['link', { link: 'https://prime.test/other' }],
      ['videoLink', { videoLink: 'https://prime.test/watch/2' }],
      ['videoLink, gone', { videoLink: undefined }],
      ['quality', { quality: 'uhd' }],
      ['quality, gone', { quality: undefined }],
      ['audios', { audios: [{ language: 'eng' }, { language: 'tur' }] }],
      ['the region of an audio', { audios: [{ language: 'eng', region: 'USA' }] }],
      ['audios, gone', { audios: [] }],
      ['subtitles', { subtitles: [{ closedCaptions: false, locale: { language: 'fra' } }] }],
      ['closed captions', { subtitles: [{ closedCaptions: true, locale: { language: 'eng' } }] }],
      ['price', { price: { amount: '3.99', currency: 'USD' } }],
      ['currency', { price: { amount: '2.99', currency: 'EUR' } }],
      ['price, gone', { price: undefined }],
      ['expiry', { expiresOn: NOW + 201 * DAY }],
      ['expiry, gone', { expiresOn: undefined }],
      ['expiry, without a date', { expiresOn: undefined, expiresSoon: true }],
    ]
    const service = anOldCatalog(...cases.map((_, i) => movieWith(String(1 + i), anOption(base), other)))

    it.each(cases)('%s', async (field, altered) => {
      const id = String(1 + cases.findIndex(([name]) => name === field))
      const before = await options(await service, id)
      const at = (await service).now
      await feed(await service, aDelta(movieWith(id, anOption({ ...base, ...altered }), other)))
      const all = await everything(await service, id)
      expect(Object.keys(all).filter((key) => !key.startsWith('expiring'))).toEqual(['updated show'])
      const { body } = await (await service).get('/changes?country=us&change_type=updated&item_type=show')
      expect(body.changes.filter(({ showId }: Json) => showId === id)).toMatchObject([
        { service: { id: 'prime' }, streamingOptionType: 'rent', timestamp: at },
      ])
      const after = await options(await service, id)
      expect(after[0]).not.toEqual(before[0])
      expect(after[1]).toEqual(before[1])
    })
  })

  it('that brings or drops one of two options of a service and type updates what they are one change of', async () => {
    const rent = (amount: string) => anOption({ service: 'prime', type: 'rent', price: { amount, currency: 'USD' } })
    const service = await anOldCatalog(movieWith('1', rent('2.99')), movieWith('2', rent('2.99'), rent('3.99')))
    await feed(service, aDelta(movieWith('1', rent('2.99'), rent('3.99')), movieWith('2', rent('2.99'))))
    expect(await everything(service)).toEqual({
      'updated show': [
        ['1', service.now],
        ['2', service.now],
      ],
    })
  })

  it.each([
    ['service', { service: 'prime' }, { service: 'mubi' }],
    ['type', { service: 'prime' }, { service: 'prime', type: 'free' }],
    ['addon', { service: 'prime', type: 'addon', addon: 'mgm' }, { service: 'prime', type: 'addon', addon: 'starz' }],
  ])('that changes the %s of an option removes the one and brings the other', async (_, before, after) => {
    const service = await anOldCatalog(movieWith('1', anOption(before)))
    await feed(service, aDelta(movieWith('1', anOption(after))))
    expect(await everything(service)).toEqual({
      'new show': [['1', service.now]],
      'removed show': [['1', service.now]],
    })
  })

  describe('makes no change', () => {
    const two = [anOption({ service: 'prime' }), anOption()]
    const languages = {
      audios: [{ language: 'eng' }, { language: 'tur' }],
      subtitles: [
        { closedCaptions: false, locale: { language: 'eng' } },
        { closedCaptions: true, locale: { language: 'eng' } },
      ],
    }
    const rents = ['2.99', '3.99'].map((amount) =>
      anOption({ service: 'prime', type: 'rent', price: { amount, currency: 'USD' } }),
    )

    it.each<[string, Json, Json]>([
      ['by a change of order of the options alone', movieWith('1', ...two), movieWith('1', ...two.toReversed())],
      [
        'by a change of order among options of one kind',
        movieWith('1', ...rents),
        movieWith('1', ...rents.toReversed()),
      ],
      [
        'by a change of order of languages alone',
        movieWith('1', anOption(languages)),
        movieWith(
          '1',
          anOption({ audios: languages.audios.toReversed(), subtitles: languages.subtitles.toReversed() }),
        ),
      ],
      [
        'by repeated languages',
        movieWith('1', anOption(languages)),
        movieWith('1', anOption({ ...languages, audios: [...languages.audios, { language: 'eng' }] })),
      ],
      ['by a new title', movieWith('1', anOption()), { ...movieWith('1', anOption()), title: 'Another' }],
      [
        'by the time of detection',
        movieWith('1', anOption()),
        movieWith('1', anOption({ availableSince: NOW - 99 * DAY })),
      ],
    ])('%s', async (_, before, after) => {
      const service = await anOldCatalog(before)
      const { changes: made } = await feed(service, aDelta(after))
      expect(made).toEqual({ new: 0, updated: 0, removed: 0 })
      expect(await everything(service)).toEqual({})
    })

    it('but shows the options in the order of the latest feed', async () => {
      const service = await anOldCatalog(movieWith('1', ...two))
      await feed(service, aDelta(movieWith('1', ...two.toReversed())))
      expect(await options(service, '1')).toMatchObject([{ service: { id: 'netflix' } }, { service: { id: 'prime' } }])
    })

    it('when it is imported a second time', async () => {
      const records = aSnapshot(movieWith('1', ...two), aSeries({ id: '2' }))
      const service = await aRunningService(records)
      const before = await everything(service)
      service.now += DAY
      const { changes: made, version } = await feed(service, records)
      expect(made).toEqual({ new: 0, updated: 0, removed: 0 })
      expect(await everything(service)).toEqual(before)
      expect((await feed(service, records)).version).toBe(version)
    })
  })
})

describe('what a series or a season contains', async () => {
  type Episode = Json
  const onNetflix = (link: string, more: Json = {}) => ({ us: [anOption({ link, ...more })] })
  const anEpisode = (link: string, more: Json = {}): Episode => ({
    itemType: 'episode',
    title: 'Episode',
    airYear: 2020,
    streamingOptions: onNetflix(link, more),
  })
  const aSeason = (link: string, episodes: Episode[], more: Json = {}) => ({
    itemType: 'season',
    title: 'Season',
    firstAirYear: 2020,
    lastAirYear: 2020,
    streamingOptions: onNetflix(link, more),
    episodes,
  })
  const series = (...seasons: Json[]) =>
    aSeries({ id: '1', streamingOptions: onNetflix('https://netflix.test/1'), seasons })
  const first = aSeason('s1', [anEpisode('s1e1'), anEpisode('s1e2')])
  const second = aSeason('s2', [anEpisode('s2e1')])

  it('a new episode updates its season and its series', async () => {
    const service = await anOldCatalog(series(first, second))
    await feed(service, aDelta(series(first, aSeason('s2', [anEpisode('s2e1'), anEpisode('s2e2')]))))
    expect(await everything(service)).toEqual({
      'new episode': [['1.2.2', service.now]],
      'updated season': [['1.2', service.now]],
      'updated show': [['1', service.now]],
    })
  })

  it('a new season updates its series', async () => {
    const service = await anOldCatalog(series(first))
    await feed(service, aDelta(series(first, second)))
    expect(await everything(service)).toEqual({
      'new season': [['1.2', service.now]],
      'new episode': [['1.2.1', service.now]],
      'updated show': [['1', service.now]],
    })
  })

  it('a changed episode updates its season and its series, and nothing beside it', async () => {
    const service = await anOldCatalog(series(first, second))
    await feed(
      service,
      aDelta(series(aSeason('s1', [anEpisode('s1e1', { quality: 'uhd' }), anEpisode('s1e2')]), second)),
    )
    expect(await everything(service)).toEqual({
      'updated episode': [['1.1.1', service.now]],
      'updated season': [['1.1', service.now]],
      'updated show': [['1', service.now]],
    })
  })

  it('a changed season updates its series, and not its episodes', async () => {
    const service = await anOldCatalog(series(first, second))
    await feed(service, aDelta(series(first, aSeason('s2', [anEpisode('s2e1')], { audios: [{ language: 'tur' }] }))))
    expect(await everything(service)).toEqual({
      'updated season': [['1.2', service.now]],
      'updated show': [['1', service.now]],
    })
  })

  it('a changed series updates neither seasons nor episodes', async () => {
    const service = await anOldCatalog(series(first))
    await feed(
      service,
      aDelta({ ...series(first), streamingOptions: onNetflix('https://netflix.test/1', { quality: 'sd' }) }),
    )
    expect(await everything(service)).toEqual({ 'updated show': [['1', service.now]] })
  })

  it('a removed episode updates its season and its series', async () => {
    const service = await anOldCatalog(series(first, second))
    await feed(service, aDelta(series(aSeason('s1', [anEpisode('s1e1')]), second)))
    expect(await everything(service)).toEqual({
      'removed episode': [['1.1.2', service.now]],
      'updated season': [['1.1', service.now]],
      'updated show': [['1', service.now]],
    })
  })

  it('a removed season updates its series', async () => {
    const service = await anOldCatalog(series(first, second))
    await feed(service, aDelta(series(first)))
    expect(await everything(service)).toEqual({
      'removed season': [['1.2', service.now]],
      'removed episode': [['1.2.1', service.now]],
      'updated show': [['1', service.now]],
    })
  })

  it('changes only where it is on the same service and type', async () => {
    const withPrime = (...episodes: Episode[]) => ({
      ...series(aSeason('s1', episodes)),
      streamingOptions: { us: [anOption({ link: '1' }), anOption({ service: 'prime', link: '1' })] },
    })
    const onPrime = (link: string) => ({
      ...anEpisode(''),
      streamingOptions: { us: [anOption({ service: 'prime', link })] },
    })
    const service = await anOldCatalog(withPrime(anEpisode('e1'), onPrime('e2')))
    await feed(service, aDelta(withPrime(anEpisode('e1'), onPrime('new'))))
    const { body } = await service.get('/changes?country=us&change_type=updated&item_type=show')
    expect(body.changes).toMatchObject([{ showId: '1', service: { id: 'prime' } }])
    const seasons = await service.get('/changes?country=us&change_type=updated&item_type=season')
    expect(seasons.body.changes).toMatchObject([{ showId: '1', service: { id: 'prime' } }])
  })

  it('an episode that becomes live updates its season and its series at that time', async () => {
    const next = anEpisode('s1e3', { startsOn: NOW + 101 * DAY })
    const service = await anOldCatalog(series(aSeason('s1', [anEpisode('s1e1'), anEpisode('s1e2'), next])))
    expect(await everything(service)).toEqual({ 'upcoming episode': [['1.1.3', NOW + 101 * DAY]] })
    await service.advance(3 * DAY)
    expect(await everything(service)).toEqual({
      'new episode': [['1.1.3', NOW + 101 * DAY]],
      'updated season': [['1.1', NOW + 101 * DAY]],
      'updated show': [['1', NOW + 101 * DAY]],
    })
  })

  it('a season that expires updates its series at that time', async () => {
    const expiresOn = NOW + 101 * DAY
    const service = await anOldCatalog(series(first, aSeason('s2', [anEpisode('s2e1', { expiresOn })], { expiresOn })))
    await service.advance(3 * DAY)
    expect(await everything(service)).toEqual({
      'removed season': [['1.2', expiresOn]],
      'removed episode': [['1.2.1', expiresOn]],
      'updated show': [['1', expiresOn]],
    })
  })

  it('seasons of a country change nothing in another', async () => {
    const both = (link: string) => ({ us: [anOption({ link: '1' })], gb: [anOption({ link })] })
    const show = (link: string) => ({
      ...series({ ...first, streamingOptions: both(link) }),
      streamingOptions: both('1'),
    })
    const service = await anOldCatalog(show('1'))
    await feed(service, aDelta(show('2')))
    expect(await changes(service, 'updated', 'season', 'gb')).toEqual([['1.1', service.now]])
    expect(await changes(service, 'updated', 'show', 'gb')).toEqual([['1', service.now]])
    expect(await everything(service)).toEqual({})
  })
})

describe('past changes', async () => {
  it('are kept for at least 31 days', async () => {
    const service = await aRunningService(aSnapshot(aMovie({ id: '1' })))
    for (let day = 1; day <= 31; day++) {
      await service.advance(DAY)
      expect(await changes(service, 'new')).toEqual([['1', NOW]])
    }
    await service.advance(DAY)
    expect(await changes(service, 'new')).toEqual([])
  })
})

describe('availableSince', async () => {
  const without = (option: Json) => ({ ...option, availableSince: undefined })

  it('is the time of the import where the feed does not say, and stays when the option is updated', async () => {
    const service = await aRunningService(aSnapshot(movieWith('1', without(anOption()))))
    expect(await options(service, '1')).toMatchObject([{ availableSince: NOW }])
    service.now += DAY
    await feed(service, aDelta(movieWith('1', without(anOption({ quality: 'uhd' })))))
    expect(await options(service, '1')).toMatchObject([{ quality: 'uhd', availableSince: NOW }])
  })

  it('is the start of an option that became live automatically', async () => {
    const service = await aRunningService(
      aSnapshot(...referenceRecords(), movieWith('1', without(anOption({ startsOn: NOW + DAY })))),
    )
    await service.advance(2 * DAY)
    expect(await options(service, '1')).toMatchObject([{ availableSince: NOW + DAY }])
  })

  it('is not later than now, where an option comes before it was announced for', async () => {
    const announced = without(anOption({ startsOn: NOW + 3 * DAY }))
    const service = await aRunningService(aSnapshot(...referenceRecords(), movieWith('1', announced)))
    service.now += DAY
    await feed(service, aDelta(movieWith('1', { ...announced, startsOn: NOW + 2 * DAY })))
    await service.advance(DAY)
    expect(await options(service, '1')).toMatchObject([{ availableSince: NOW + 2 * DAY }])
    const other = await aRunningService(aSnapshot(...referenceRecords(), movieWith('1', announced)))
    other.now += DAY
    await feed(other, aDelta(movieWith('1', without(anOption()))))
    expect(await options(other, '1')).toMatchObject([{ availableSince: NOW + DAY }])
  })
})

describe('an option that was announced without a link', async () => {
  const announced = (option: Json) => movieWith('1', { ...anOption(option), link: undefined, startsOn: NOW + DAY })

  it('leads to the service when it starts, as its change does, and comes through an export', async () => {
    const service = await aRunningService(aSnapshot(...referenceRecords(), announced({})))
    await service.advance(DAY)
    const { homePage } = (await service.get('/countries/us')).body.services.find(({ id }: Json) => id === 'netflix')
    expect(homePage).toMatch(/^https:/)
    expect(await options(service, '1')).toMatchObject([{ link: homePage }])
    const { body } = await service.get('/changes?country=us&change_type=new&item_type=show')
    expect(body.changes).toMatchObject([{ showId: '1', timestamp: NOW + DAY, link: homePage }])
    expect((await service.import(aSnapshot(...referenceRecords(), announced({})))).changes).toMatchObject({
      updated: 0,
    })
  })

  it('stays upcoming while the link is unknown', async () => {
    const bare = { kind: 'service', id: 'bare', name: 'Bare' }
    const service = await aRunningService(aSnapshot(bare, announced({ service: 'bare' })))
    await service.advance(DAY)
    expect(await options(service, '1')).toEqual([])
    await feed(service, aDelta(movieWith('1', anOption({ service: 'bare', link: 'https://bare.test/1' }))))
    expect(await options(service, '1')).toMatchObject([{ link: 'https://bare.test/1' }])
  })
})
