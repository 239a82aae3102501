import { describe, expect, it } from 'vitest'
import { PAST_CHANGE_TYPES } from '../../src/model/change.ts'
import {
  aDelta,
  aMovie,
  anAddon,
  anOption,
  aSeries,
  aService,
  aSnapshot,
  DAY,
  NOW,
  referenceRecords,
  utc,
} from '../support/builders.ts'
import type { TestService } from '../support/test-service.ts'
import { aRunningService } from './running-service.ts'

type Json = Record<string, unknown>

const CHANGE_TYPES = ['new', 'updated', 'removed', 'expiring', 'upcoming']
/** So long ago that /changes no longer reports it. */
const LONG_AGO = NOW - 50 * DAY

/** A service that was filled feed by feed, each at its own time; the clock ends at NOW. */
async function aHistory(...feeds: readonly (readonly [at: number, records: Json[]])[]): Promise<TestService> {
  const service = await aRunningService()
  for (const [at, records] of feeds) {
    service.now = at
    const { noticeList } = await service.import(records)
    expect(noticeList).toEqual([])
  }
  service.now = NOW
  return service
}

/** A series of one season with two episodes; every option gets the given fields. */
function aShortSeries(id: string, option: Json = {}, fields: Json = {}): Json {
  const options = (path: string) => ({ us: [anOption({ link: `https://netflix.test/${id}${path}`, ...option })] })
  const episode = (number: number) => ({
    itemType: 'episode',
    title: `Episode ${number}`,
    airYear: 2020,
    streamingOptions: options(`/e${number}`),
  })
  return aSeries({
    id,
    streamingOptions: options(''),
    seasons: [
      {
        itemType: 'season',
        title: 'Season 1',
        firstAirYear: 2020,
        lastAirYear: 2020,
        streamingOptions: options('/s1'),
        episodes: [episode(1), episode(2)],
      },
    ],
    ...fields,
  })
}

const asked = (changeType: string, itemType: string, more = '') =>
  `/changes?country=us&change_type=${changeType}&item_type=${itemType}${more}`

/** The ids of the shows of changes, in order. */
const shown = (changes: readonly { showId: string }[]) => changes.map(({ showId }) => showId)

async function told(service: TestService, path: string): Promise<string[]> {
  const { status, body, text } = await service.get(path)
  expect(status, text).toBe(200)
  return shown(body.changes)
}

describe('GET /changes', async () => {
  const service = await aHistory(
    [
      LONG_AGO,
      aSnapshot(
        aMovie({ id: '1' }),
        aMovie({ id: '2' }),
        aShortSeries('3'),
        aShortSeries('4'),
        aShortSeries('5', { expiresOn: NOW + 5 * DAY }),
        aMovie({ id: '6', streamingOptions: { us: [anOption({ expiresOn: NOW + 4 * DAY })] } }),
        aShortSeries('7', { startsOn: NOW + 7 * DAY }),
        aMovie({ id: '8', streamingOptions: { us: [anOption({ startsOn: NOW + 6 * DAY })] } }),
      ),
    ],
    [NOW - 20 * DAY, aDelta(aMovie({ id: '9' }), aShortSeries('10'))],
    [
      NOW - 10 * DAY,
      aDelta(
        aMovie({ id: '1', streamingOptions: { us: [anOption({ link: 'https://netflix.test/new-link' })] } }),
        aShortSeries('3', { link: 'https://netflix.test/new-link' }),
      ),
    ],
    [NOW - 5 * DAY, aDelta({ kind: 'remove', id: '2' }, { kind: 'remove', id: '4' })],
  )

  describe('every change type for every item type', () => {
    const EXPECTED: Record<string, { movie: string; series: string; at: number; link: (path: string) => string }> = {
      new: { movie: '9', series: '10', at: NOW - 20 * DAY, link: (path) => `https://netflix.test/10${path}` },
      updated: { movie: '1', series: '3', at: NOW - 10 * DAY, link: () => 'https://netflix.test/new-link' },
      removed: { movie: '2', series: '4', at: NOW - 5 * DAY, link: (path) => `https://netflix.test/4${path}` },
      expiring: { movie: '6', series: '5', at: NOW + 5 * DAY, link: (path) => `https://netflix.test/5${path}` },
      upcoming: { movie: '8', series: '7', at: NOW + 7 * DAY, link: (path) => `https://netflix.test/7${path}` },
    }

    it.each(CHANGE_TYPES)('%s shows: movies and series', async (changeType) => {
      const { movie, series, at, link } = EXPECTED[changeType]!
      const { body } = await service.get(asked(changeType, 'show'))
      expect(shown(body.changes).sort()).toEqual([movie, series].sort())
      const ofSeries = body.changes.find(({ showId }: { showId: string }) => showId === series)
      const { service: info, ...rest } = ofSeries
      expect(info.id).toBe('netflix')
      expect(rest).toEqual({
        changeType,
        itemType: 'show',
        showId: series,
        showType: 'series',
        streamingOptionType: 'subscription',
        timestamp: at,
        link: link(''),
      })
    })

    it.each(CHANGE_TYPES)('%s seasons', async (changeType) => {
      const { series, at, link } = EXPECTED[changeType]!
      const { body } = await service.get(asked(changeType, 'season'))
      expect(body.changes).toHaveLength(1)
      const { service: _, ...rest } = body.changes[0]
      expect(rest).toEqual({
        changeType,
        itemType: 'season',
        showId: series,
        showType: 'series',
        season: 1,
        streamingOptionType: 'subscription',
        timestamp: at,
        link: link('/s1'),
      })
    })

    it.each(CHANGE_TYPES)('%s episodes', async (changeType) => {
      const { series, at, link } = EXPECTED[changeType]!
      const { body } = await service.get(asked(changeType, 'episode'))
      expect(body.changes).toHaveLength(2)
      body.changes.forEach(({ service: _, ...rest }: { service: object }, i: number) => {
        expect(rest).toEqual({
          changeType,
          itemType: 'episode',
          showId: series,
          showType: 'series',
          season: 1,
          episode: i + 1,
          streamingOptionType: 'subscription',
          timestamp: at,
          link: link(`/e${i + 1}`),
        })
      })
    })
  })

  describe('required parameters', () => {
    it.each([
      ['country', 'change_type=new&item_type=show'],
      ['change_type', 'country=us&item_type=show'],
      ['item_type', 'country=us&change_type=new'],
    ])('%s', async (parameter, rest) => {
      const { status, error } = await service.get(`/changes?${rest}`)
      expect([status, error.code, error.parameter]).toEqual([400, 'missing_parameter', parameter])
    })
  })

  it.each([
    ['country', 'country=zz'],
    ['change_type', 'change_type=changed'],
    ['item_type', 'item_type=series'],
    ['catalogs', 'catalogs=netflix.lease'],
    ['show_type', 'show_type=show'],
    ['from', 'from=yesterday'],
    ['to', 'to=1.5'],
    ['include_unknown_dates', 'include_unknown_dates=2'],
    ['include_unknown_dates', 'include_unknown_dates=yes'],
    ['order_direction', 'order_direction=down'],
    ['output_language', 'output_language=zz'],
  ])('%s: %s is rejected', async (parameter, given) => {
    const others = ['country=us', 'change_type=new', 'item_type=show'].filter(
      (other) => !other.startsWith(`${parameter}=`),
    )
    const { status, error } = await service.get(`/changes?${[...others, given].join('&')}`)
    expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', parameter])
  })

  it('catalogs: an entry that names no service matches nothing and is named as ignored', async () => {
    const path = '/changes?country=us&change_type=new&item_type=show'
    const { status, headers, body } = await service.get(`${path}&catalogs=nobody`)
    expect([status, headers['x-ignored-parameters'], body]).toEqual([
      200,
      'catalogs=nobody',
      { changes: [], shows: {}, hasMore: false },
    ])
    const strict = await service.get(`${path}&catalogs=nobody`, { headers: { prefer: 'handling=strict' } })
    expect([strict.status, strict.error.parameter]).toEqual([400, 'catalogs'])
  })

  describe('show_type', () => {
    it('omitted means both', async () => {
      expect(await told(service, asked('new', 'show'))).toEqual(['9', '10'])
    })

    it('narrows to movies or series', async () => {
      expect(await told(service, asked('new', 'show', '&show_type=movie'))).toEqual(['9'])
      expect(await told(service, asked('new', 'show', '&show_type=series'))).toEqual(['10'])
      expect(await told(service, asked('expiring', 'show', '&show_type=series'))).toEqual(['5'])
    })

    it('movie leaves no season or episode', async () => {
      expect(await told(service, asked('new', 'episode', '&show_type=movie'))).toEqual([])
      expect(await told(service, asked('new', 'season', '&show_type=series'))).toEqual(['10'])
    })
  })

  describe('shows', () => {
    it('is a map from show id to the show of each change', async () => {
      const { body } = await service.get(asked('new', 'show'))
      expect(Object.keys(body.shows)).toEqual(['9', '10'])
      for (const [id, show] of Object.entries<Json>(body.shows)) expect(show.id).toBe(id)
    })

    it('holds each show once, at granularity show', async () => {
      const { body } = await service.get(asked('new', 'episode'))
      expect(Object.keys(body.shows)).toEqual(['10'])
      expect(body.shows['10']).not.toHaveProperty('seasons')
      const { body: show } = await service.get('/shows/10?country=us&series_granularity=show')
      expect(body.shows['10']).toEqual(show)
    })

    it('holds a removed show too, though it is no longer to be found', async () => {
      const { body } = await service.get(asked('removed', 'show'))
      expect(Object.keys(body.shows)).toEqual(['2', '4'])
      expect(body.shows['2']).toMatchObject({ title: 'Movie 2', streamingOptions: {} })
      expect((await service.get('/shows/2')).status).toBe(404)
    })

    it('is empty where there is no change', async () => {
      const { body } = await service.get('/changes?country=gb&change_type=new&item_type=show')
      expect(body).toEqual({ changes: [], shows: {}, hasMore: false })
    })
  })

  it('output_language localizes the shows', async () => {
    const { body } = await service.get(asked('new', 'show', '&output_language=de'))
    expect(body.shows['10'].genres).toEqual([{ id: 'comedy', name: 'Komödie' }])
  })

  it('a country code is accepted in any case', async () => {
    const lower = await service.get(asked('new', 'show'))
    const upper = await service.get(asked('new', 'show').replace('country=us', 'country=US'))
    expect(upper.body).toEqual(lower.body)
  })
})

describe('the time window', async () => {
  // Today is 15 March 2026; 31 days ago was 12 February, 31 days ahead is 15 April.
  const FIRST = utc(2026, 2, 12)
  const TODAY = utc(2026, 3, 15)
  const TONIGHT = utc(2026, 3, 15, 23, 59, 59)
  const LAST = utc(2026, 4, 15, 23, 59, 59)
  const ends = (id: string, expiresOn: number) => aMovie({ id, streamingOptions: { us: [anOption({ expiresOn })] } })
  const starts = (id: string, startsOn: number) => aMovie({ id, streamingOptions: { us: [anOption({ startsOn })] } })
  const service = await aHistory(
    [FIRST - 1, aSnapshot(aMovie({ id: '1' }))],
    [FIRST, aDelta(aMovie({ id: '2' }))],
    [NOW - 10 * DAY, aDelta(aMovie({ id: '3' }))],
    [
      NOW,
      aDelta(
        aMovie({ id: '4' }),
        ends('11', NOW + 60),
        ends('12', NOW + 10 * DAY),
        ends('13', LAST),
        ends('14', LAST + 1),
        starts('21', NOW + 60),
        starts('22', NOW + 10 * DAY),
        starts('23', LAST),
        starts('24', LAST + 1),
      ),
    ],
  )

  it('by default reaches from the start of the day 31 days ago to the end of today, for past changes', async () => {
    expect(await told(service, asked('new', 'show'))).toEqual(['2', '3', '4', '11', '12', '13', '14'])
  })

  it.each([
    ['expiring', ['11', '12', '13']],
    ['upcoming', ['21', '22', '23']],
  ])('by default reaches from today to the end of the day 31 days ahead, for %s ones', async (type, ids) => {
    expect(await told(service, asked(type, 'show'))).toEqual(ids)
  })

  it('from is an inclusive lower bound', async () => {
    expect(await told(service, asked('new', 'show', `&to=${NOW - 1}&from=${NOW - 10 * DAY}`))).toEqual(['3'])
    expect(await told(service, asked('new', 'show', `&to=${NOW - 1}&from=${NOW - 10 * DAY + 1}`))).toEqual([])
    expect(await told(service, asked('expiring', 'show', `&from=${NOW + 10 * DAY}`))).toEqual(['12', '13'])
    expect(await told(service, asked('expiring', 'show', `&from=${NOW + 10 * DAY + 1}`))).toEqual(['13'])
    expect(await told(service, asked('upcoming', 'show', `&from=${LAST}`))).toEqual(['23'])
  })

  it('to is an inclusive upper bound', async () => {
    expect(await told(service, asked('new', 'show', `&to=${NOW - 10 * DAY}`))).toEqual(['2', '3'])
    expect(await told(service, asked('new', 'show', `&to=${NOW - 10 * DAY - 1}`))).toEqual(['2'])
    expect(await told(service, asked('new', 'show', `&to=${FIRST}`))).toEqual(['2'])
    expect(await told(service, asked('upcoming', 'show', `&to=${NOW + 10 * DAY}`))).toEqual(['21', '22'])
    expect(await told(service, asked('upcoming', 'show', `&to=${NOW + 10 * DAY - 1}`))).toEqual(['21'])
  })

  it('both bounds may be the same instant', async () => {
    expect(await told(service, asked('new', 'show', `&from=${FIRST}&to=${FIRST}`))).toEqual(['2'])
  })

  describe.each([
    [PAST_CHANGE_TYPES, FIRST, TONIGHT],
    [['expiring', 'upcoming'], TODAY, LAST],
  ])('the bounds of %j are whole UTC days', (types, first, last) => {
    const status = async (type: string, parameter: string, value: number) => {
      const answer = await service.get(asked(type, 'show', `&${parameter}=${value}`))
      return answer.status === 200 ? 200 : [answer.status, answer.error.code, answer.error.parameter]
    }

    it.each(types.flatMap((type) => [`${type} from`, `${type} to`]))('%s: outside is rejected', async (what) => {
      const [type, parameter] = what.split(' ') as [string, string]
      const refused = [400, 'invalid_parameter', parameter]
      // The time of day makes no difference.
      for (const now of [TODAY, NOW, TONIGHT]) {
        service.now = now
        expect(await status(type, parameter, first - 1)).toEqual(refused)
        expect(await status(type, parameter, first)).toBe(200)
        expect(await status(type, parameter, last)).toBe(200)
        expect(await status(type, parameter, last + 1)).toEqual(refused)
      }
      service.now = NOW
    })

    it('move on with the day', async () => {
      service.now = TONIGHT + 1
      for (const type of types) {
        expect(await status(type, 'from', first)).toEqual([400, 'invalid_parameter', 'from'])
        expect(await status(type, 'to', last + DAY)).toBe(200)
      }
      service.now = NOW
    })
  })

  it('from after to is rejected', async () => {
    const { status, error } = await service.get(asked('new', 'show', `&from=${NOW}&to=${NOW - 1}`))
    expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', 'from'])
  })

  it.each(['0', '-1', '253368063900', '99999999999999999999'])(
    'an instant far away, %s, is refused',
    async (instant) => {
      for (const parameter of ['from', 'to']) {
        const { status, error } = await service.get(asked('new', 'show', `&${parameter}=${instant}`))
        expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', parameter])
      }
    },
  )
})

describe('the order of changes', async () => {
  const service = await aHistory(
    [NOW - 3 * DAY, aSnapshot(aMovie({ id: '5' }))],
    [NOW - 2 * DAY, aDelta(aMovie({ id: '30' }), aMovie({ id: '4' }), aMovie({ id: '200' }))],
    [NOW - DAY, aDelta(aMovie({ id: '1' }))],
  )

  it('is by date, ascending by default', async () => {
    expect(await told(service, asked('new', 'show'))).toEqual(['5', '4', '30', '200', '1'])
    expect(await told(service, asked('new', 'show', '&order_direction=asc'))).toEqual(['5', '4', '30', '200', '1'])
  })

  it('desc turns the dates around; ties stay by show id', async () => {
    expect(await told(service, asked('new', 'show', '&order_direction=desc'))).toEqual(['1', '4', '30', '200', '5'])
  })

  it('ties: show id, season, episode, service, type, addon', async () => {
    const options = {
      us: [
        anOption({ service: 'tubi', type: 'rent' }),
        anOption({ service: 'tubi', type: 'free' }),
        anOption({ service: 'prime', type: 'subscription' }),
        anOption({ service: 'prime', type: 'addon', addon: 'starz' }),
        anOption({ service: 'prime', type: 'addon', addon: 'mgm' }),
        anOption({ service: 'netflix' }),
      ],
    }
    const episodes = [1, 2].map((number) => ({
      itemType: 'episode',
      title: `Episode ${number}`,
      airYear: 2020,
      streamingOptions: options,
    }))
    const seasons = [1, 2].map((number) => ({
      itemType: 'season',
      title: `Season ${number}`,
      firstAirYear: 2020,
      lastAirYear: 2020,
      streamingOptions: options,
      episodes,
    }))
    const shows = ['12', '7'].map((id) => aSeries({ id, streamingOptions: options, seasons }))
    const tied = await aHistory([NOW - DAY, aSnapshot(...shows)])
    const groups = [
      'netflix subscription ',
      'prime addon mgm',
      'prime addon starz',
      'prime subscription ',
      'tubi free ',
      'tubi rent ',
    ]
    const expected = ['7', '12'].flatMap((show) =>
      [1, 2].flatMap((season) =>
        [1, 2].flatMap((episode) => groups.map((group) => `${show} ${season} ${episode} ${group}`)),
      ),
    )
    for (const direction of ['asc', 'desc']) {
      const { changes, pages } = await tied.allChanges(asked('new', 'episode', `&order_direction=${direction}`))
      expect(
        changes.map(
          ({ showId, season, episode, service, streamingOptionType, addon }) =>
            `${showId} ${season} ${episode} ${service.id} ${streamingOptionType} ${addon?.id ?? ''}`,
        ),
      ).toEqual(expected)
      expect(pages).toEqual([25, 23])
    }
  })
})

describe('catalogs', async () => {
  const on = (id: string, option: Json) => aMovie({ id, streamingOptions: { us: [anOption(option)] } })
  const service = await aHistory([
    NOW - DAY,
    aSnapshot(
      aService('onlygb', { countries: { gb: {} } }),
      on('1', { service: 'netflix' }),
      on('2', { service: 'prime', expiresOn: NOW + DAY }),
      on('3', { service: 'prime', type: 'free' }),
      on('4', { service: 'prime', type: 'rent' }),
      on('5', { service: 'prime', type: 'buy' }),
      on('6', { service: 'prime', type: 'addon', addon: 'starz', expiresOn: NOW + DAY }),
      on('7', { service: 'prime', type: 'addon', addon: 'mgm', expiresOn: NOW + DAY }),
      on('8', { service: 'tubi', type: 'free', expiresOn: NOW + DAY }),
    ),
  ])

  it.each([
    ['', ['1', '2', '3', '4', '5', '6', '7', '8']],
    ['netflix', ['1']],
    ['prime', ['2', '3', '4', '5', '6', '7']],
    ['prime.subscription', ['2']],
    ['prime.free', ['3']],
    ['prime.rent', ['4']],
    ['prime.buy', ['5']],
    ['prime.addon', ['6', '7']],
    ['prime.addon.starz', ['6']],
    ['prime.addon.mgm', ['7']],
    ['netflix,prime.rent,tubi.free', ['1', '4', '8']],
    ['mubi', []],
    ['onlygb', []],
  ])('%s tells of %j', async (catalogs, ids) => {
    expect(await told(service, asked('new', 'show', `&catalogs=${catalogs}`))).toEqual(ids)
  })

  it('holds for what is to come as well', async () => {
    expect(await told(service, asked('expiring', 'show'))).toEqual(['2', '6', '7', '8'])
    expect(await told(service, asked('expiring', 'show', '&catalogs=prime.addon'))).toEqual(['6', '7'])
    expect(await told(service, asked('expiring', 'show', '&catalogs=prime.addon.mgm,tubi'))).toEqual(['7', '8'])
  })

  it('a change via an addon carries its details, another change none', async () => {
    const { body } = await service.get(asked('new', 'show', '&catalogs=prime.addon.starz,netflix'))
    expect(body.changes[0]).not.toHaveProperty('addon')
    expect(body.changes[1].addon).toEqual(anAddon('starz'))
    expect(body.changes[1].streamingOptionType).toBe('addon')
  })

  it('a change exists for each service, type and addon of an item; two options of one make one change', async () => {
    const history = await aHistory([
      NOW - DAY,
      aSnapshot(
        aMovie({
          id: '1',
          streamingOptions: {
            us: [
              anOption({ service: 'prime', type: 'rent', price: { amount: '2.99', currency: 'USD' }, quality: 'sd' }),
              anOption({ service: 'prime', type: 'rent', price: { amount: '3.99', currency: 'USD' }, quality: 'hd' }),
              anOption({ service: 'prime', type: 'buy', price: { amount: '9.99', currency: 'USD' } }),
            ],
            gb: [anOption()],
          },
        }),
      ),
    ])
    const { body } = await history.get(asked('new', 'show'))
    expect(body.changes.map((change: Json) => change.streamingOptionType)).toEqual(['buy', 'rent'])
    expect(body.shows['1'].streamingOptions.us).toHaveLength(3)
    expect(await told(history, '/changes?country=gb&change_type=new&item_type=show')).toEqual(['1'])
  })
})

describe('unknown dates', async () => {
  const at = (id: string, option: Json) => aMovie({ id, streamingOptions: { us: [anOption(option)] } })
  const service = await aHistory([
    LONG_AGO,
    aSnapshot(
      at('1', { expiresSoon: true }),
      at('2', { expiresOn: NOW + 2 * DAY }),
      at('3', { expiresOn: NOW + DAY }),
      at('4', { expiresSoon: true }),
      at('11', { startsOn: 'unknown' }),
      at('12', { startsOn: NOW + 2 * DAY }),
      at('13', { startsOn: NOW + DAY }),
      at('14', { startsOn: 'unknown' }),
      at('20', {}),
    ),
  ])
  const KNOWN: Record<string, string[]> = { expiring: ['3', '2'], upcoming: ['13', '12'] }
  const UNKNOWN: Record<string, string[]> = { expiring: ['1', '4'], upcoming: ['11', '14'] }

  describe.each(['expiring', 'upcoming'])('of %s changes', (type) => {
    it('are excluded by default, and with false', async () => {
      expect(await told(service, asked(type, 'show'))).toEqual(KNOWN[type])
      expect(await told(service, asked(type, 'show', '&include_unknown_dates=false'))).toEqual(KNOWN[type])
    })

    it('come first ascending', async () => {
      expect(await told(service, asked(type, 'show', '&include_unknown_dates=true'))).toEqual([
        ...UNKNOWN[type]!,
        ...KNOWN[type]!,
      ])
    })

    it('come last descending', async () => {
      const path = asked(type, 'show', '&include_unknown_dates=true&order_direction=desc')
      expect(await told(service, path)).toEqual([...KNOWN[type]!.toReversed(), ...UNKNOWN[type]!])
    })

    it('have no timestamp', async () => {
      const { body } = await service.get(asked(type, 'show', '&include_unknown_dates=true'))
      expect(body.changes.map((change: Json) => 'timestamp' in change)).toEqual([false, false, true, true])
    })

    it('are included whatever the bounds of the dates', async () => {
      const path = asked(type, 'show', `&include_unknown_dates=true&from=${NOW + 2 * DAY}`)
      expect(await told(service, path)).toEqual([...UNKNOWN[type]!, KNOWN[type]![1]])
    })

    it('are walked through page by page like all others', async () => {
      const many = await aHistory([
        LONG_AGO,
        aSnapshot(
          ...Array.from({ length: 60 }, (_, i) => {
            const date = i % 2 === 0 ? undefined : NOW + (1 + (i % 7)) * DAY
            return at(
              String(100 + i),
              type === 'upcoming'
                ? { startsOn: date ?? 'unknown' }
                : date === undefined
                  ? { expiresSoon: true }
                  : { expiresOn: date },
            )
          }),
        ),
      ])
      const up = await many.allChanges(asked(type, 'show', '&include_unknown_dates=true'))
      const down = await many.allChanges(asked(type, 'show', '&include_unknown_dates=true&order_direction=desc'))
      expect([up.pages, down.pages]).toEqual([
        [25, 25, 10],
        [25, 25, 10],
      ])
      expect(up.changes.slice(0, 30).every((change) => change.timestamp === undefined)).toBe(true)
      expect(down.changes.slice(30).every((change) => change.timestamp === undefined)).toBe(true)
      expect(new Set(shown(up.changes)).size).toBe(60)
      expect(new Set(shown(down.changes)).size).toBe(60)
      const dates = up.changes.slice(30).map((change) => change.timestamp as number)
      expect(dates).toEqual([...dates].sort((a, b) => a - b))
      expect(down.changes.slice(0, 30).map((change) => change.timestamp)).toEqual(dates.toReversed())
    })
  })

  it('do not affect past changes', async () => {
    const without = await service.get(asked('new', 'show'))
    const { body } = await service.get(asked('new', 'show', '&include_unknown_dates=true'))
    expect(body).toEqual(without.body)
  })

  it('a past change always has a timestamp', async () => {
    const history = await aHistory([NOW - DAY, aSnapshot(aMovie({ id: '1' }))])
    const { body } = await history.get(asked('new', 'show'))
    expect(body.changes[0].timestamp).toBe(NOW - DAY)
  })
})

describe('upcoming changes', async () => {
  const next = (id: string, option: Json) =>
    aMovie({ id, streamingOptions: { us: [anOption({ startsOn: NOW + DAY, ...option })] } })
  const service = await aHistory([
    LONG_AGO,
    aSnapshot(
      next('1', { service: 'netflix' }),
      next('2', { service: 'prime', type: 'rent' }),
      next('3', { service: 'mubi' }),
      next('4', { service: 'tubi', type: 'free' }),
    ),
  ])

  it('are reported of services that are flagged so, and of no other', async () => {
    expect(await told(service, asked('upcoming', 'show'))).toEqual(['1', '2', '3'])
  })

  it.each([
    ['netflix', ['1']],
    ['prime', ['2']],
    ['mubi', ['3']],
    ['tubi', []],
  ])('for %s: %j', async (catalogs, ids) => {
    expect(await told(service, asked('upcoming', 'show', `&catalogs=${catalogs}`))).toEqual(ids)
  })

  it('of a service without the flag: an empty list, 200', async () => {
    const { status, body } = await service.get(asked('upcoming', 'show', '&catalogs=tubi'))
    expect([status, body]).toEqual([200, { changes: [], shows: {}, hasMore: false }])
  })

  it('the six services have it unless the reference data overrides it', async () => {
    const ids = ['netflix', 'prime', 'disney', 'apple', 'hbo', 'mubi', 'hulu', 'paramount']
    const flagless = await aHistory([
      LONG_AGO,
      [
        { kind: 'feed', source: 'test', mode: 'snapshot' },
        ...ids.map((id) => aService(id)),
        { kind: 'country', countryCode: 'us', services: ids },
        ...ids.map((id, i) => next(String(1 + i), { service: id })),
      ],
    ])
    const { body } = await flagless.get(asked('upcoming', 'show'))
    expect(body.changes.map((change: { service: { id: string } }) => change.service.id)).toEqual(ids.slice(0, 6))
  })
})

describe('link', async () => {
  const service = await aHistory(
    [
      LONG_AGO,
      aSnapshot(
        aMovie({ id: '1', streamingOptions: { us: [anOption({ link: 'https://old.test/1' })] } }),
        aMovie({ id: '2', streamingOptions: { us: [anOption({ link: 'https://old.test/2' })] } }),
        aMovie({ id: '3', streamingOptions: { us: [anOption({ expiresOn: NOW + DAY, link: 'https://old.test/3' })] } }),
        aMovie({ id: '4', streamingOptions: { us: [anOption({ expiresSoon: true, link: 'https://old.test/4' })] } }),
        aMovie({ id: '5', streamingOptions: { us: [anOption({ startsOn: NOW + DAY, link: 'https://old.test/5' })] } }),
        aMovie({ id: '6', streamingOptions: { us: [anOption({ startsOn: NOW + DAY, link: undefined })] } }),
        aMovie({ id: '7', streamingOptions: { us: [anOption({ startsOn: 'unknown', link: undefined })] } }),
      ),
    ],
    [
      NOW - DAY,
      aDelta(
        aMovie({ id: '1', streamingOptions: { us: [anOption({ link: 'https://new.test/1' })] } }),
        aMovie({ id: '2', streamingOptions: { us: [] } }),
        aMovie({ id: '8', streamingOptions: { us: [anOption({ link: 'https://new.test/8' })] } }),
      ),
    ],
  )
  const links = async (type: string) => {
    const { body } = await service.get(asked(type, 'show', '&include_unknown_dates=true'))
    return body.changes.map(({ showId, link }: Json) => [showId, link])
  }

  it('is that of the new option', async () => {
    expect(await links('new')).toEqual([['8', 'https://new.test/8']])
  })

  it('is that after the update', async () => {
    expect(await links('updated')).toEqual([['1', 'https://new.test/1']])
  })

  it('is the last known one of what was removed', async () => {
    expect(await links('removed')).toEqual([['2', 'https://old.test/2']])
  })

  it('is that of the expiring option, with a date or without', async () => {
    expect(await links('expiring')).toEqual([
      ['4', 'https://old.test/4'],
      ['3', 'https://old.test/3'],
    ])
  })

  it('of what is upcoming is left out where it is unknown', async () => {
    expect(await links('upcoming')).toEqual([
      ['7', undefined],
      ['5', 'https://old.test/5'],
      ['6', undefined],
    ])
    const { body } = await service.get(asked('upcoming', 'show'))
    expect('link' in body.changes[1]).toBe(false)
  })
})

describe('the service of a change', async () => {
  it('is the service as it is in the country', async () => {
    const service = await aHistory([
      NOW - DAY,
      [
        ...aSnapshot(),
        aService('netflix', { countries: { gb: { name: 'Netflix Britain', homePage: 'https://gb.netflix.test' } } }),
        aMovie({ id: '1', streamingOptions: { us: [anOption()], gb: [anOption()] } }),
      ],
    ])
    for (const country of ['us', 'gb']) {
      const { body } = await service.get(`/changes?country=${country}&change_type=new&item_type=show`)
      const { body: inCountry } = await service.get(`/countries/${country}`)
      const { streamingOptionTypes, addons, ...info } = inCountry.services.find(({ id }: Json) => id === 'netflix')
      expect(body.changes[0].service).toEqual(info)
      expect(info.name).toBe(country === 'gb' ? 'Netflix Britain' : 'Netflix')
    }
  })
})

describe('pages of changes', async () => {
  const expiring = (i: number) => ({ expiresOn: NOW + (1 + Math.floor(i / 9)) * DAY })
  const movie = (i: number) => aMovie({ id: String(100 + i), streamingOptions: { us: [anOption(expiring(i))] } })
  const service = await aHistory([
    NOW - DAY,
    aSnapshot(...referenceRecords(), ...Array.from({ length: 60 }, (_, i) => movie(i))),
  ])
  const cursorOf = async (path: string) => (await service.get(path)).body.nextCursor as string
  const refusal = async (path: string, cursor: string) => {
    const { status, error } = await service.get(`${path}&cursor=${encodeURIComponent(cursor)}`)
    return [status, error.code, error.parameter]
  }

  it.each(['new', 'expiring'])('hold 25 %s changes, each exactly once and in order', async (type) => {
    for (const direction of ['asc', 'desc']) {
      const path = asked(type, 'show', `&order_direction=${direction}`)
      const { changes, pages, shows } = await service.allChanges(path)
      expect(pages).toEqual([25, 25, 10])
      const sign = direction === 'asc' ? 1 : -1
      const expected = [...changes].sort(
        (a, b) => sign * (a.timestamp - b.timestamp) || Number(a.showId) - Number(b.showId),
      )
      expect(shown(changes)).toEqual(shown(expected))
      expect(new Set(shown(changes)).size).toBe(60)
      expect(Object.keys(shows)).toHaveLength(60)
    }
  })

  it('hold the shows of their own changes only', async () => {
    const { body } = await service.get(asked('new', 'show'))
    expect(Object.keys(body.shows)).toEqual(shown(body.changes))
    expect(Object.keys(body.shows)).toHaveLength(25)
  })

  it('hasMore is false and there is no cursor on the last page', async () => {
    const exactly = await aHistory([
      NOW - DAY,
      aSnapshot(...Array.from({ length: 25 }, (_, i) => aMovie({ id: String(1 + i) }))),
    ])
    const { body } = await exactly.get(asked('new', 'show'))
    expect([body.changes.length, body.hasMore, 'nextCursor' in body]).toEqual([25, false, false])
  })

  it('count after the filters', async () => {
    const { body } = await service.get(asked('new', 'show', '&show_type=series'))
    expect(body).toEqual({ changes: [], shows: {}, hasMore: false })
    const { pages } = await service.allChanges(asked('new', 'show', '&catalogs=netflix&show_type=movie'))
    expect(pages).toEqual([25, 25, 10])
  })

  it('a cursor of another change type, item type or direction is rejected', async () => {
    const cursor = await cursorOf(asked('expiring', 'show'))
    const refused = [400, 'invalid_cursor', 'cursor']
    expect(await refusal(asked('new', 'show'), cursor)).toEqual(refused)
    expect(await refusal(asked('expiring', 'season'), cursor)).toEqual(refused)
    expect(await refusal(asked('expiring', 'show', '&order_direction=desc'), cursor)).toEqual(refused)
    expect((await refusal(asked('expiring', 'show'), cursor))[0]).toBe(200)
  })

  it('a cursor of shows is rejected', async () => {
    const { body } = await service.get('/shows/search/filters?country=us')
    expect(await refusal(asked('new', 'show'), body.nextCursor)).toEqual([400, 'invalid_cursor', 'cursor'])
  })

  it.each([
    'x',
    ':::::::',
    '1:2:3',
    `${NOW}:1:0:0:netflix:lease::new.show.asc`,
    `${NOW}:x:0:0:netflix:rent::new.show.asc`,
    `${NOW}:1:99999:0:netflix:rent::new.show.asc`,
    `-1:1:0:0:netflix:rent::new.show.asc`,
    '😀',
    '%',
  ])('a cursor that cannot be read, %j, is rejected', async (cursor) => {
    expect(await refusal(asked('new', 'show'), cursor)).toEqual([400, 'invalid_cursor', 'cursor'])
  })

  it.each(['asc', 'desc'])('%s: if the named change is gone the page starts at the next one', async (direction) => {
    const path = asked('expiring', 'show', `&order_direction=${direction}`)
    const { changes } = await service.allChanges(path)
    const cursor = encodeURIComponent(await cursorOf(path))
    const named = shown(changes)[25] as string
    await service.import(aDelta(aMovie({ id: named, streamingOptions: { us: [anOption()] } })))
    const { body } = await service.get(`${path}&cursor=${cursor}`)
    expect(shown(body.changes)).toEqual(shown(changes).slice(26, 51))
    await service.import(aDelta(movie(Number(named) - 100)))
  })

  it('a walk repeats no change and skips none that was there all along, while a feed is imported', async () => {
    const path = asked('new', 'show')
    const first = await service.get(path)
    // A change that comes now is the last in order.
    await service.import(aDelta(aMovie({ id: '1' }), aMovie({ id: '2' })))
    const ids = shown(first.body.changes)
    for (let cursor = first.body.nextCursor; cursor !== undefined; ) {
      const { body } = await service.get(`${path}&cursor=${encodeURIComponent(cursor)}`)
      ids.push(...shown(body.changes))
      cursor = body.nextCursor
    }
    expect(ids).toHaveLength(62)
    expect(new Set(ids).size).toBe(62)
    expect(ids.slice(-2)).toEqual(['1', '2'])
  })
})
