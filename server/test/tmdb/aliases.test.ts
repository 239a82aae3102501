import { expect, test } from 'vitest'
import { aTestService } from '../support/test-service.ts'
import { aStandIn, createSync } from '../support/tmdb/sync-with.ts'

test('a title is found by all its titles of a language, and by its alternative titles', async () => {
  const service = await aTestService()
  const standIn = await aStandIn({ movies: 8, series: 4, now: () => service.now })
  await createSync(service, standIn)()
  for (const [kind, id] of [
    ['movie', 3],
    ['tv', 2],
  ] as const) {
    const { title } = standIn.title(kind, id)
    for (const asked of [
      `${title}, auf Deutsch`,
      `${title}, auf Wienerisch`,
      `${title}, québécois`,
      `Yume no ${kind} ${id}`,
      `${title}: The British Title`,
      `${title} (original)`,
    ]) {
      const { body } = await service.get(`/shows/search/title?country=us&title=${encodeURIComponent(asked)}`)
      expect({ asked, found: body[0]?.tmdbId }).toEqual({ asked, found: `${kind}/${id}` })
    }
  }
})
