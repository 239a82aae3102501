import { describe, expect, it } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

describe('the pagination envelope', async () => {
  const movies = Array.from({ length: 26 }, (_, i) => aMovie({ id: String(1 + i), rating: 50 + i }))
  const service = await aRunningService(aSnapshot(...movies))
  const FILTERS = '/shows/search/filters?country=us'
  const CHANGES = '/changes?country=us&change_type=new&item_type=show'

  it('the items key is shows for filter search', async () => {
    const { body } = await service.get(FILTERS)
    expect(Object.keys(body)).toEqual(['shows', 'hasMore', 'nextCursor'])
    expect(body.shows).toHaveLength(20)
  })

  it('the items key is changes for changes', async () => {
    const { body } = await service.get(CHANGES)
    expect(Object.keys(body)).toEqual(['changes', 'shows', 'hasMore', 'nextCursor'])
    expect(body.changes).toHaveLength(25)
  })

  it.each([
    ['filter search', FILTERS],
    ['changes', CHANGES],
  ])('hasMore and nextCursor of %s: there is a cursor exactly while there is more', async (_, path) => {
    const first = (await service.get(path)).body
    expect([first.hasMore, typeof first.nextCursor]).toEqual([true, 'string'])
    const last = (await service.get(`${path}&cursor=${encodeURIComponent(first.nextCursor)}`)).body
    expect([last.hasMore, 'nextCursor' in last]).toEqual([false, false])
    expect((last.changes ?? last.shows).length).toBe(path === FILTERS ? 6 : 1)
  })

  it.each([
    ['filter search', `${FILTERS}&rating_max=69`, 'shows', 20],
    ['changes', `${CHANGES}&catalogs=netflix&show_type=movie`, 'changes', 25],
  ])('a page of %s that is just full says whether more follows', async (_, path, key, size) => {
    const { body } = await service.get(path)
    expect(body[key]).toHaveLength(size)
    expect(body.hasMore).toBe(key === 'changes')
    expect('nextCursor' in body).toBe(key === 'changes')
  })

  it('an empty result is a page too', async () => {
    expect((await service.get(`${FILTERS}&rating_min=100`)).text).toBe('{"shows":[],"hasMore":false}')
    expect((await service.get(CHANGES.replace('=new', '=removed'))).text).toBe(
      '{"changes":[],"shows":{},"hasMore":false}',
    )
  })
})
