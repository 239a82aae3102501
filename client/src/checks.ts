import type { ChangesResult, Country, SearchResult, Show } from './api-types.ts'

/*
 * What is checked of an answer is what the client itself builds on. An answer of somebody else, such as a proxy or a
 * wrong base address, does not pass; a field that a later version adds does.
 */

/** A list is a list. */
export function checkList(body: unknown): string | undefined {
  return Array.isArray(body) ? undefined : 'a list was expected'
}

/** A show has an id. */
export function checkShow(body: Show): string | undefined {
  return typeof body?.id === 'string' ? undefined : 'a show was expected'
}

/** A country has a code. */
export function checkCountry(body: Country): string | undefined {
  return typeof body?.countryCode === 'string' ? undefined : 'a country was expected'
}

/** Countries are a list, or a map by country code where the operator wants it so. */
export function checkCountries(body: unknown): string | undefined {
  return isObject(body) ? undefined : 'countries were expected'
}

/** A page has its items, and a way on if there is more. */
export function checkPage(key: 'shows' | 'changes', cursor: string | undefined) {
  return (body: SearchResult & ChangesResult): string | undefined => {
    if (!isObject(body) || !Array.isArray(body[key]) || typeof body.hasMore !== 'boolean') {
      return `a page of ${key} was expected`
    }
    if (!body.hasMore) return undefined
    if (typeof body.nextCursor !== 'string' || body.nextCursor === '') return 'there are more pages, but no cursor'
    // Who follows that walks for ever.
    return body.nextCursor === cursor ? 'the next page is the same page' : undefined
  }
}

/** Every change has its show. */
export function checkChanges(cursor: string | undefined) {
  const asPage = checkPage('changes', cursor)
  return (body: SearchResult & ChangesResult): string | undefined => {
    const problem = asPage(body)
    if (problem !== undefined) return problem
    const { changes, shows } = body as ChangesResult
    if (!isObject(shows) || Array.isArray(shows)) return 'the shows of changes were expected by their ids'
    return changes.every(({ showId }) => shows[showId]) ? undefined : 'the show of a change is missing'
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
