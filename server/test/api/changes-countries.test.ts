import { describe, expect, it } from 'vitest'
import { mergeSorted } from '../../src/query/changes/changes-search.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies are checked against the OpenAPI document, and read freely by tests.
type Body = any

const COUNTRIES = ['gb', 'tr', 'us']
const TYPES = ['new', 'updated', 'removed', 'expiring']
const ITEMS = ['show', 'season', 'episode']
const ALL = `change_type=${TYPES}&item_type=${ITEMS}`

/** A movie whose options differ between countries by its number. */
const aTravelledMovie = (n: number, fields: object = {}) =>
  aMovie({
    id: String(n),
    streamingOptions: Object.fromEntries(
      COUNTRIES.filter((_, i) => (n >> i) % 2 === 1).map((country) => [
        country,
        [anOption({ link: `https://netflix.test/${country}/${n}`, ...fields })],
      ]),
    ),
  })

const movies = (fields?: object) => Array.from({ length: 40 }, (_, i) => aTravelledMovie(i + 1, fields))

describe('changes of several countries', async () => {
  const service = await aRunningService(aSnapshot(...movies(), aSeries({ id: '90' })))
  const token = (await service.get(`/changes?country=us&change_type=new&item_type=show&since=now`)).body.since
  service.now += 60
  await service.import(aDelta(...movies({ quality: 'uhd' }).slice(0, 20), aTravelledMovie(0, {})))
  service.now += 1
  await service.import(aDelta(...movies({ expiresOn: service.now + 3 * DAY }).slice(10, 30)))
  service.now += 60
  await service.import(aDelta(...movies({ link: 'https://netflix.test/again' })))

  /** All changes of one country, with the country. */
  const changesIn = async (country: string, more: string): Promise<Body[]> => {
    const { changes } = await service.allChanges(`/changes?country=${country}&${more}`)
    return changes.map((change) => ({ ...change, country }))
  }

  it.each(['asc', 'desc'])('are the union of those of each country, in one order, %s', async (direction) => {
    const separate = (await Promise.all(COUNTRIES.map((country) => changesIn(country, ALL)))).flat()
    const rank = ({ changeType, itemType, country }: Body) =>
      [TYPES.indexOf(changeType), ITEMS.indexOf(itemType), COUNTRIES.indexOf(country)].join()
    const sign = direction === 'asc' ? 1 : -1
    const expected = separate.sort(
      (a, b) =>
        sign * (a.timestamp - b.timestamp) ||
        Number(a.showId) - Number(b.showId) ||
        (a.season ?? 0) - (b.season ?? 0) ||
        (a.episode ?? 0) - (b.episode ?? 0) ||
        (rank(a) < rank(b) ? -1 : 1),
    )
    for (const countries of ['us,gb,tr', 'any', 'tr,us,gb,tr']) {
      const walked = await service.allChanges(`/changes?country=${countries}&${ALL}&order_direction=${direction}`)
      expect(walked.changes).toEqual(expected)
      expect(walked.pages.slice(0, -1).every((size) => size === 25)).toBe(true)
    }
    expect(expected.length).toBeGreaterThan(150)
  })

  it('say their country last, and their shows have the options of just those countries', async () => {
    const { body } = await service.get('/changes?country=us,gb&change_type=new&item_type=show')
    expect(Object.keys(body.changes[0]).slice(-2)).toEqual(['link', 'country'])
    expect(new Set(body.changes.map(({ country }: Body) => country))).toEqual(new Set(['gb', 'us']))
    for (const show of Object.values<Body>(body.shows)) expect(show.streamingOptions).not.toHaveProperty('tr')
  })

  it('of one country are as ever, byte for byte, however it is written', async () => {
    const path = '/changes?change_type=new&item_type=show&country='
    const { text } = await service.get(`${path}us`)
    expect(text).not.toContain('"country"')
    for (const same of ['us,us', 'US,', ' us ']) {
      expect((await service.get(path + encodeURIComponent(same))).text).toBe(text)
    }
  })

  it('take catalogs of any of them', async () => {
    const path = `/changes?country=us,tr&${ALL}&catalogs=`
    expect((await service.get(`${path}netflix.subscription`)).body.changes).toHaveLength(25)
    const { body, headers } = await service.get(`${path}nonsense`)
    expect([body.changes, headers['x-ignored-parameters']]).toEqual([[], 'catalogs=nonsense'])
  })

  it('since a token come once each, version by version', async () => {
    const path = (country: string) => `/changes?country=${country}&change_type=new,updated,removed&item_type=${ITEMS}`
    const several = await service.allChanges(`${path('us,gb,tr')}&since=${token}`)
    const separate = []
    for (const country of COUNTRIES) {
      const { changes } = await service.allChanges(`${path(country)}&since=${token}`)
      separate.push(...changes.map((change) => ({ ...change, country })))
    }
    const name = (change: Body) => JSON.stringify(change)
    expect(several.changes.map(name).sort()).toEqual(separate.map(name).sort())
    const times = several.changes.map(({ timestamp }) => timestamp)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(several.pages.length).toBeGreaterThan(3)
  })

  it('reject cursors and tokens from within a walk of other countries', async () => {
    const page = async (country: string, more = '') =>
      (await service.get(`/changes?country=${country}&change_type=new,updated&item_type=show${more}`)).body
    const [one, several] = [await page('us'), await page('us,gb')]
    for (const [country, { nextCursor }] of [
      ['us,gb', one],
      ['us', several],
    ] as const) {
      const more = `&cursor=${encodeURIComponent(nextCursor)}`
      const answer = await service.get(`/changes?country=${country}&change_type=new,updated&item_type=show${more}`)
      expect([answer.status, answer.error.code]).toEqual([400, 'invalid_cursor'])
      expect(answer.body.message).toContain('send the same country')
    }
    const { since } = await page('us,gb,tr', `&since=${token}`)
    const path = '/changes?country=us&change_type=new,updated&item_type=show'
    const answer = await service.get(`${path}&since=${since}`)
    expect([answer.status, answer.error]).toEqual([400, { code: 'invalid_parameter', parameter: 'since' }])
    const resumed = await service.get(`${path}&since=${token}&cursor=${since}`)
    expect([resumed.status, resumed.error]).toEqual([400, { code: 'invalid_cursor', parameter: 'cursor' }])
    expect(resumed.body.message).toMatch(/^The cursor .* send the same country/)
  })
})

describe('a merge of sorted sequences', () => {
  it('has all items in order, equal ones by sequence, and closes what it did not read to the end', () => {
    const closed: number[] = []
    function* sequence(index: number, items: readonly number[]) {
      try {
        for (const item of items) yield { item, index }
      } finally {
        closed.push(index)
      }
    }
    const lists = Array.from({ length: 9 }, (_, i) =>
      Array.from({ length: i }, (_, n) => Math.floor((n * 7) / (i + 1))),
    )
    const merge = () =>
      mergeSorted(
        lists.map((list, i) => sequence(i, list)),
        (a, b) => a.item - b.item,
      )
    const expected = lists
      .flatMap((list, index) => list.map((item) => ({ item, index })))
      .sort((a, b) => a.item - b.item || a.index - b.index)
    expect([...merge()]).toEqual(expected)
    closed.length = 0
    for (const { item } of merge()) if (item === 3) break
    expect(closed.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })
})
