import { expect, test } from 'vitest'
import { aTestService } from '../support/test-service.ts'
import { aStandIn, syncsOf } from '../support/tmdb/sync-with.ts'

test('a first sync brings the most popular titles, and the API answers them', async () => {
  const service = await aTestService()
  const standIn = await aStandIn({ movies: 300, series: 100, now: () => service.now })
  const sync = syncsOf(service, standIn)
  const report = await sync({ limit: 120 })
  console.log(JSON.stringify(report.imports.map(({ noticeList, ...r }) => [r, noticeList.slice(0, 5)]), null, 1))
  console.log(report.requests, report.fetched)
  const id = standIn.popular('movie')[0]
  const { body } = await service.get(`/shows/movie/${id}`)
  console.log(JSON.stringify(body, null, 1))
  const tv = await service.get(`/shows/tv/${standIn.popular('tv')[0]}?country=us`)
  console.log(JSON.stringify(tv.body, null, 1).slice(0, 4000))
  expect(report.fetched).toBe(120)
})
