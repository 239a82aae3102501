import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const PAST = 'change_type=new,updated,removed'
const ALL = `${PAST}&item_type=show,season,episode`

// biome-ignore lint/suspicious/noExplicitAny: bodies are checked against the OpenAPI document, and read freely by tests.
const placeOf = ({ changeType, itemType, showId, season, episode, timestamp }: any) =>
  [timestamp, showId, season, episode, changeType, itemType].join()

describe('GET /changes with several types', async () => {
  const service = await aRunningService(
    aSnapshot(...Array.from({ length: 12 }, (_, i) => aSeries({ id: String(1 + i) })), aMovie({ id: '90' })),
  )
  service.now += 60
  await service.import(
    aDelta(...Array.from({ length: 12 }, (_, i) => aSeries({ id: String(1 + i), streamingOptions: {} }))),
  )
  await service.import(
    aDelta(aMovie({ id: '90', streamingOptions: { us: [anOption({ expiresOn: service.now + 5 * DAY })] } })),
  )

  const single = async (direction: string) => {
    const lists = ['new', 'updated', 'removed', 'expiring'].flatMap((change) =>
      ['show', 'season', 'episode'].map((item) => `change_type=${change}&item_type=${item}`),
    )
    const all = []
    for (const list of lists) {
      all.push(...(await service.allChanges(`/changes?country=us&${list}&order_direction=${direction}`)).changes)
    }
    return all
  }

  it.each(['asc', 'desc'])('walks all lists as one, %s, and repeats and skips nothing', async (direction) => {
    const path = `/changes?country=us&change_type=expiring,removed,updated,new&item_type=episode,show,season`
    const { changes, pages } = await service.allChanges(`${path}&order_direction=${direction}`)
    expect(changes.map(placeOf).sort()).toEqual((await single(direction)).map(placeOf).sort())
    expect(pages.slice(0, -1).every((size) => size === 25)).toBe(true)
    const times = changes.map(({ timestamp }) => timestamp)
    expect(times).toEqual([...times].sort((a, b) => (direction === 'asc' ? a - b : b - a)))
  })

  it('answers the same whatever the order of the types', async () => {
    const [one, other] = await Promise.all([
      service.get('/changes?country=us&change_type=new,removed&item_type=show,season'),
      service.get('/changes?country=us&change_type=removed,%20new,new&item_type=season,show'),
    ])
    expect(one.text).toBe(other.text)
  })

  it('rejects a type that there is not, and a cursor of other types', async () => {
    const unknown = await service.get('/changes?country=us&change_type=new,gone&item_type=show')
    expect([unknown.status, unknown.error.parameter]).toEqual([400, 'change_type'])
    expect(unknown.body.message).toContain('"gone"')
    const { body } = await service.get(`/changes?country=us&${ALL}`)
    const cursor = encodeURIComponent(body.nextCursor)
    const other = await service.get(`/changes?country=us&change_type=new&item_type=show&cursor=${cursor}`)
    expect([other.status, other.error.code]).toEqual([400, 'invalid_cursor'])
  })

  it('takes bounds of both windows where past and future types come together', async () => {
    const ask = (types: string, from: number, to: number) =>
      service.get(`/changes?country=us&change_type=${types}&item_type=show&from=${from}&to=${to}`)
    expect((await ask('new,expiring', NOW - 20 * DAY, NOW + 20 * DAY)).status).toBe(200)
    expect((await ask('new', NOW - 20 * DAY, NOW + 20 * DAY)).error.parameter).toBe('to')
    expect((await ask('new,expiring', NOW - 40 * DAY, NOW)).error.parameter).toBe('from')
  })
})

describe('GET /changes since a token', async () => {
  const service = await aRunningService(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })))
  const since = async (token: string, more = ALL) =>
    (await service.get(`/changes?country=us&${more}&since=${token}`)).body
  const all = async (token: string) => service.allChanges(`/changes?country=us&${ALL}&since=${token}`)

  it('now has no changes, and a token', async () => {
    expect(await since('now')).toEqual({ changes: [], shows: {}, hasMore: false, since: expect.any(String) })
  })

  it('has what happens after it once, in the order in which it became known', async () => {
    const first = (await since('now')).since
    await service.import(aDelta(aMovie({ id: '3' })))
    service.now += 60
    await service.import(aDelta(aMovie({ id: '4' })))
    // Stated later, of an earlier time.
    const late = { kind: 'change', changeType: 'new', itemType: 'show', showId: '1', showType: 'movie', country: 'us' }
    const place = { service: 'netflix', streamingOptionType: 'subscription', link: 'https://a.test' }
    await service.import([
      { kind: 'feed', source: 'export', mode: 'delta', statesChanges: true },
      { ...late, ...place, timestamp: NOW - 5 * DAY },
    ])
    const { changes, since: next } = await since(first)
    expect(changes.map(({ showId }: { showId: string }) => showId)).toEqual(['3', '4', '1'])
    expect(changes[2].timestamp).toBe(NOW - 5 * DAY)
    expect((await since(next)).changes).toEqual([])
  })

  it('goes page by page, also while more is imported', async () => {
    const first = (await since('now')).since
    await service.import(aDelta(...Array.from({ length: 30 }, (_, i) => aMovie({ id: String(100 + i) }))))
    const page = await since(first)
    expect([page.changes.length, page.hasMore, page.nextCursor]).toEqual([25, true, page.since])
    await service.import(aDelta(...Array.from({ length: 30 }, (_, i) => aMovie({ id: String(200 + i) }))))
    const rest = await all(page.since)
    const ids = [...page.changes, ...rest.changes].map(({ showId }) => Number(showId))
    expect(ids).toEqual([...Array(30).keys()].map((i) => 100 + i).concat([...Array(30).keys()].map((i) => 200 + i)))
    const walked = await all(first)
    expect(walked.changes).toHaveLength(60)
  })

  it('filters by types, catalogs and type of show', async () => {
    const first = (await since('now')).since
    await service.import(aDelta(aSeries({ id: '2', streamingOptions: {} }), aMovie({ id: '5' })))
    const kinds = async (more: string) =>
      (await since(first, more)).changes.map(({ itemType, showId }: never) => `${itemType} ${showId}`)
    expect(await kinds(`${PAST}&item_type=show&show_type=movie`)).toEqual(['show 5'])
    expect(await kinds('change_type=new&item_type=show,season,episode&catalogs=prime')).toEqual([])
    const everything = await kinds(ALL)
    expect(everything).toContain('show 5')
    expect(await kinds('change_type=new&item_type=show')).toEqual(['show 5'])
  })

  it('has the changes of windows, too', async () => {
    const startsOn = service.now + 600
    await service.import(aDelta(aMovie({ id: '6', streamingOptions: { us: [anOption({ startsOn })] } })))
    const first = (await since('now')).since
    await service.advance(700)
    const { changes } = await since(first)
    expect(changes).toEqual([expect.objectContaining({ changeType: 'new', showId: '6', timestamp: startsOn })])
  })

  it('is 410 when it is older than what is kept, and says how to start again', async () => {
    const first = (await since('now')).since
    await service.import(aDelta(aMovie({ id: '7' })))
    await service.advance(80 * DAY)
    await service.import(aDelta(aMovie({ id: '8' })))
    const { status, error, body } = await service.get(`/changes?country=us&${ALL}&since=${first}`)
    expect([status, error]).toEqual([410, { code: 'token_expired', parameter: 'since' }])
    expect(body.message).toMatch(/Start again.*\/catalog\/export.*since=now/s)
  })

  it('goes on from its cursor, whatever has become of the token at which it began', async () => {
    const first = (await since('now')).since
    await service.import(aDelta(...Array.from({ length: 30 }, (_, i) => aMovie({ id: String(300 + i) }))))
    const { nextCursor } = await since(first)
    const rest = await since(first, `${ALL}&cursor=${nextCursor}`)
    expect(rest.changes).toHaveLength(5)
    // Of another catalog, or no longer kept.
    for (const start of ['now', '1.000000000000']) {
      expect(await since(start, `${ALL}&cursor=${nextCursor}`)).toEqual(rest)
    }
  })

  it.each(['foo', 'now', '1.aaaa.5:3'])('rejects the unreadable cursor %j', async (cursor) => {
    const { since: first } = await since('now')
    const { status, error, body } = await service.get(`/changes?country=us&${ALL}&since=${first}&cursor=${cursor}`)
    expect([status, error]).toEqual([400, { code: 'invalid_cursor', parameter: 'cursor' }])
    expect(body.message).toMatch(/^The cursor .* nextCursor/)
  })

  it('is 410 for a cursor that is not known, and says how to start again', async () => {
    const { since: first } = await since('now')
    const { status, error, body } = await service.get(`/changes?country=us&${ALL}&since=${first}&cursor=1.aaaa.5`)
    expect([status, error]).toEqual([410, { code: 'token_expired', parameter: 'cursor' }])
    expect(body.message).toMatch(/the cursor .*Start again: send the same "since" without a cursor/s)
  })

  it('rejects an unreadable token beside a cursor', async () => {
    const { since: cursor } = await since('now')
    const answer = await service.get(`/changes?country=us&${ALL}&since=foo&cursor=${cursor}`)
    expect([answer.status, answer.error]).toEqual([400, { code: 'invalid_parameter', parameter: 'since' }])
  })

  it.each([
    ['nonsense', ALL, 'since'],
    ['now', 'change_type=new,expiring&item_type=show', 'since'],
    ['now', `${ALL}&from=${NOW}`, 'from'],
    ['now', `${ALL}&order_direction=asc`, 'order_direction'],
  ])('%s with %s is 400', async (token, more, parameter) => {
    const answer = await service.get(`/changes?country=us&${more}&since=${token}`)
    expect([answer.status, answer.error]).toEqual([400, { code: 'invalid_parameter', parameter }])
  })
})
