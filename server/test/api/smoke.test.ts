import { describe, expect, it } from 'vitest'
import { aMovie, aSeries, aSnapshot } from '../support/builders.ts'
import { aTestService } from '../support/test-service.ts'

describe('the service', async () => {
  const service = await aTestService(aSnapshot(aMovie({ id: '1', title: 'The Godfather' }), aSeries({ id: '2' })))

  it('serves every endpoint', async () => {
    for (const path of [
      '/shows/1',
      '/shows/movie/1',
      '/shows/movie%2F1',
      '/shows/tt0000001',
      '/shows/2?country=US&series_granularity=season',
      '/shows/search/filters?country=us',
      '/shows/search/title?country=us&title=godfahter',
      '/shows/top?country=us&service=netflix',
      '/changes?country=us&change_type=new&item_type=episode',
      '/countries',
      '/countries/us',
      '/genres',
    ]) {
      const { status, text } = await service.get(path)
      expect(status, `${path} ${text}`).toBe(200)
    }
  })
})
