import { describe, expect, it } from 'vitest'
import { aMovie, aSeries, aSnapshot, idsOf } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

describe('GET /shows?ids=', async () => {
  const movies = Array.from({ length: 120 }, (_, i) => aMovie({ id: String(1 + i) }))
  const series = aSeries({
    id: '500',
    imdbId: 'tt0000500',
    tmdbId: 'tv/500',
    translations: { fr: { title: 'La série' } },
  })
  const service = await aRunningService(aSnapshot(...movies, series))
  const strict = { prefer: 'handling=strict' }

  it('has one show for each id, of any kind, in the order of the ids', async () => {
    const { status, body, headers } = await service.get('/shows?ids=tt0000003,tv/500,movie/1,7,tt0000003')
    expect([status, idsOf(body)]).toEqual([200, ['3', '500', '1', '7', '3']])
    expect(headers).not.toHaveProperty('x-unknown-ids')
  })

  it('has each show as it is alone, by country, granularity and language', async () => {
    for (const query of ['', 'country=us', 'country=us&series_granularity=show&output_language=fr']) {
      const { text } = await service.get(`/shows?ids=2,500&${query}`)
      const one = async (id: string) => (await service.get(`/shows/${id}?${query}`)).text
      expect(text).toBe(`[${await one('2')},${await one('500')}]`)
    }
  })

  it('leaves out ids that no show has, and names them in X-Unknown-Ids', async () => {
    const { body, headers } = await service.get('/shows?ids=tt9999999,1,movie/99999,nonsense,2')
    expect(idsOf(body)).toEqual(['1', '2'])
    expect(headers['x-unknown-ids']).toBe('tt9999999, movie/99999, nonsense')
    const none = await service.get('/shows?ids=tt9999999')
    expect([none.status, none.body, none.headers['x-unknown-ids']]).toEqual([200, [], 'tt9999999'])
  })

  it('names unknown ids again when the response is cached', async () => {
    for (let i = 0; i < 2; i++) {
      expect((await service.get('/shows?ids=1,tt9999998')).headers['x-unknown-ids']).toBe('tt9999998')
    }
  })

  it('names unknown ids in a 304, too, since not every client keeps the headers of the response that it has', async () => {
    const path = '/shows?ids=tt9999997,1,nonsense'
    const { etag } = (await service.get(path)).headers
    for (const tag of [etag as string, `"other", ${etag}`, '*']) {
      const again = await service.get(path, { headers: { 'if-none-match': tag } })
      expect([again.status, again.text, again.headers['x-unknown-ids']], tag).toEqual([304, '', 'tt9999997, nonsense'])
    }
    const known = (await service.get('/shows?ids=1')).headers.etag as string
    const { status, headers } = await service.get('/shows?ids=1', { headers: { 'if-none-match': known } })
    expect([status, headers['x-unknown-ids']]).toEqual([304, undefined])
  })

  it('with strict handling rejects what is no id', async () => {
    const { status, error, body } = await service.get('/shows?ids=1,nonsense', { headers: strict })
    expect([status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', 'ids'])
    expect(body.message).toContain('"nonsense"')
    expect((await service.get('/shows?ids=1,tt9999999', { headers: strict })).status).toBe(200)
  })

  it('takes up to 100 ids, and needs one', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1).join()
    expect((await service.get(`/shows?ids=${ids(100)}`)).body).toHaveLength(100)
    const { status, body } = await service.get(`/shows?ids=${ids(101)}`)
    expect([status, body.message]).toEqual([400, expect.stringContaining('at most 100')])
    expect((await service.get('/shows')).error).toEqual({ code: 'missing_parameter', parameter: 'ids' })
    expect((await service.get('/shows?ids=,,')).error.code).toBe('missing_parameter')
  })

  describe('counts as one request of the quota for every ten ids begun', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1).join()

    it.each([
      [1, 1],
      [10, 1],
      [11, 2],
      [100, 10],
    ])('%i ids as %i', async (count, cost) => {
      const { key } = await service.aKey('free')
      const { headers } = await service.get(`/shows?ids=${ids(count)}`, { headers: { 'x-api-key': key } })
      expect(headers['x-quota-used']).toBe(String(cost))
    })

    it('nothing for a 304', async () => {
      const { key } = await service.aKey('free')
      const headers = { 'x-api-key': key }
      const first = await service.get(`/shows?ids=${ids(30)}`, { headers })
      const again = await service.get(`/shows?ids=${ids(30)}`, {
        headers: { ...headers, 'if-none-match': first.headers.etag as string },
      })
      expect([again.status, again.headers['x-quota-used']]).toEqual([304, '3'])
    })

    it('and is refused whole where fewer are left', async () => {
      await service.accounts.plans.set({ name: 'small', quota: { requests: 12, per: 'month' } }, service.act)
      const { key } = await service.aKey('small')
      const headers = { 'x-api-key': key }
      await service.get(`/shows?ids=${ids(100)}`, { headers })
      const { status, error, body, headers: sent } = await service.get(`/shows?ids=${ids(30)}`, { headers })
      expect([status, error.code, sent['x-quota-used']]).toEqual([429, 'quota_exceeded', '10'])
      expect(body.message).toMatch(/has 2 requests left .+ counts as 3/)
      const fits = await service.get(`/shows?ids=${ids(20)}`, { headers })
      expect([fits.status, fits.headers['x-quota-used']]).toEqual([200, '12'])
    })
  })
})
