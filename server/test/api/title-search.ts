import { expect } from 'vitest'
import { aMovie, idsOf } from '../support/builders.ts'
import type { TestService } from '../support/test-service.ts'

export const TITLE_SEARCH = '/shows/search/title'

/** The same popularity over every span and in every country. */
export const popular = (value: number) => {
  const everywhen = { alltime: value, '1year': value, '1month': value, '1week': value }
  return { popularity: { us: everywhen, gb: everywhen, tr: everywhen } }
}

/** A movie with one title in all languages. */
export const titled = (id: string, title: string, popularity = 0, fields: object = {}) =>
  aMovie({ id, title, originalTitle: title, releaseYear: undefined, ...popular(popularity), ...fields })

/** The shows that a title search finds. */
export async function search(service: TestService, title: string, parameters = 'country=us') {
  const { status, body, text } = await service.get(`${TITLE_SEARCH}?title=${encodeURIComponent(title)}&${parameters}`)
  expect(status, text).toBe(200)
  return body
}

/** Their ids. */
export const found = async (service: TestService, title: string, parameters?: string) =>
  idsOf(await search(service, title, parameters))
