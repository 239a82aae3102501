import { describe, expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aService, aSnapshot, DAY, NOW, utc } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

describe('limits', async () => {
  const services = Array.from({ length: 33 }, (_, i) => `service${i}`)
  const service = await aRunningService(
    aSnapshot(
      ...services.map((id) => aService(id, { countries: { us: {} } })),
      ...Array.from({ length: 50 }, (_, i) =>
        i % 2 === 0
          ? aMovie({ id: String(1 + i), title: 'Same', originalTitle: 'Same', rating: i * 2 })
          : aSeries({ id: String(1 + i), title: 'Same', originalTitle: 'Same', rating: i * 2 }),
      ),
      aMovie({ id: '90', title: 'Only starts: Same again', originalTitle: 'Only starts: Same again', rating: 100 }),
      ...Array.from({ length: 30 }, (_, i) => aMovie({ id: String(200 + i), title: `Almost ${i}`, rating: 1 })),
    ),
  )
  const FILTERS = '/shows/search/filters?country=us'
  const CHANGES = '/changes?country=us'

  describe('page size of /changes: 25', () => {
    it.each(['show', 'season', 'episode'])('of item type %s', async (itemType) => {
      const { body } = await service.get(`${CHANGES}&change_type=new&item_type=${itemType}`)
      expect([body.changes.length, body.hasMore]).toEqual([25, true])
    })
  })

  describe('page size of /shows/search/filters', () => {
    it.each([
      // show_type, series_granularity, shows on a page
      [undefined, undefined, 20],
      [undefined, 'show', 20],
      [undefined, 'season', 15],
      [undefined, 'episode', 15],
      ['movie', undefined, 20],
      ['movie', 'show', 20],
      ['movie', 'season', 20],
      ['movie', 'episode', 20],
      ['series', undefined, 20],
      ['series', 'show', 20],
      ['series', 'season', 15],
      ['series', 'episode', 10],
    ])('show_type %s at granularity %s: %i', async (showType, granularity, size) => {
      const path = `${FILTERS}&show_type=${showType ?? ''}&series_granularity=${granularity ?? ''}`
      const { body } = await service.get(path)
      expect([body.shows.length, body.hasMore]).toEqual([size, true])
      const next = await service.get(`${path}&cursor=${encodeURIComponent(body.nextCursor)}`)
      const ids = [...body.shows, ...next.body.shows].map(({ id }: { id: string }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    })
  })

  describe('result cap of /shows/search/title', () => {
    it('at most 20 shows', async () => {
      const { body } = await service.get('/shows/search/title?country=us&title=almost')
      expect(body).toHaveLength(20)
    })

    it('unless more than 20 match the exact title: then all exact matches', async () => {
      const { body } = await service.get('/shows/search/title?country=us&title=same')
      expect(body).toHaveLength(50)
      expect(body.every(({ title }: { title: string }) => title === 'Same')).toBe(true)
    })
  })

  describe('catalog entries: at most 32', () => {
    it.each([
      ['filter search', FILTERS],
      ['changes', `${CHANGES}&change_type=new&item_type=show`],
    ])('of %s', async (_, path) => {
      expect((await service.get(`${path}&catalogs=${services.slice(0, 32).join(',')}`)).status).toBe(200)
      const { status, body, error } = await service.get(`${path}&catalogs=${services.join(',')}`)
      expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', 'catalogs'])
      expect(body.message).toContain('32')
    })

    it('repeats count', async () => {
      const entries = Array.from({ length: 33 }, () => 'netflix').join(',')
      expect((await service.get(`${FILTERS}&catalogs=${entries}`)).status).toBe(400)
    })
  })

  describe('change time window: 31 days', () => {
    const status = async (type: string, bound: string) =>
      (await service.get(`${CHANGES}&change_type=${type}&item_type=show&${bound}`)).status

    it.each(['new', 'updated', 'removed'])('back for %s', async (type) => {
      for (const name of ['from', 'to']) {
        expect(await status(type, `${name}=${utc(2026, 2, 12)}`)).toBe(200)
        expect(await status(type, `${name}=${utc(2026, 2, 12) - 1}`)).toBe(400)
        expect(await status(type, `${name}=${utc(2026, 3, 15, 23, 59, 59)}`)).toBe(200)
        expect(await status(type, `${name}=${utc(2026, 3, 16)}`)).toBe(400)
      }
    })

    it.each(['expiring', 'upcoming'])('ahead for %s', async (type) => {
      for (const name of ['from', 'to']) {
        expect(await status(type, `${name}=${utc(2026, 3, 15)}`)).toBe(200)
        expect(await status(type, `${name}=${utc(2026, 3, 15) - 1}`)).toBe(400)
        expect(await status(type, `${name}=${utc(2026, 4, 15, 23, 59, 59)}`)).toBe(200)
        expect(await status(type, `${name}=${utc(2026, 4, 16)}`)).toBe(400)
      }
    })
  })

  describe('rating bounds: 0 to 100', () => {
    it.each(['rating_min', 'rating_max'])('of %s', async (name) => {
      const status = async (value: string) => (await service.get(`${FILTERS}&${name}=${value}`)).status
      expect([await status('0'), await status('100'), await status('-1'), await status('101')]).toEqual([
        200, 200, 400, 400,
      ])
    })

    it('of rating: a value beyond them counts as unknown', async () => {
      const odd = await aRunningService(aSnapshot(aMovie({ id: '1', rating: 0 }), aMovie({ id: '2', rating: 100 })))
      const { notices } = await odd.import([
        { kind: 'feed', source: 'test', mode: 'delta' },
        ...[101, -1, 7.5].map((rating, i) => aMovie({ id: String(3 + i), rating })),
      ])
      expect(notices).toEqual({ invalid_rating: 3 })
      const ratings = await Promise.all([1, 2, 3, 4, 5].map(async (id) => (await odd.get(`/shows/${id}`)).body.rating))
      expect(ratings).toEqual([0, 100, 0, 0, 0])
    })
  })

  it('timestamps are not cut to 32 bits', async () => {
    const far = 253_368_063_900
    const late = await aRunningService(
      aSnapshot(
        aMovie({ id: '1', streamingOptions: { us: [anOption({ expiresOn: far, availableSince: NOW - DAY })] } }),
      ),
    )
    expect((await late.get('/shows/1')).text).toContain(`"expiresOn":${far}`)
  })
})
