import type { ChangesResult, Country, SearchResult } from './api-types.ts'

/*
 * What is checked of an answer is what the client itself builds on. An answer of somebody else, such as a proxy or a
 * wrong base address, does not pass; a field that a later version adds does.
 */

/** A list of shows or genres: each has an id. */
export function checkList(what: 'show' | 'genre') {
  return (body: unknown): string | undefined => {
    return Array.isArray(body) && body.every(hasId) ? undefined : `a list of ${what}s was expected`
  }
}

/** A show has an id. */
export function checkShow(body: unknown): string | undefined {
  return hasId(body) ? undefined : 'a show was expected'
}

/** A country has a code and services. */
export function checkCountry(body: unknown): string | undefined {
  return isCountry(body) ? undefined : 'a country was expected'
}

/** Countries are a list, or a map by country code where the operator wants it so. */
export function checkCountries(body: unknown): string | undefined {
  return isObject(body) && Object.values(body).every(isCountry) ? undefined : 'countries were expected'
}

/** A page of shows: each has an id. */
export function checkShowPage(cursor: string | undefined) {
  return (body: SearchResult): string | undefined => checkPage(body, 'shows', hasId, cursor)
}

/** A page of changes: each has its show. */
export function checkChangePage(cursor: string | undefined) {
  return (body: ChangesResult): string | undefined => {
    const problem = checkPage(body, 'changes', isObject, cursor)
    if (problem !== undefined) return problem
    const { changes, shows } = body
    if (!isObject(shows) || Array.isArray(shows)) return 'the shows of changes were expected by their ids'
    return changes.every(({ showId }) => hasId(shows[showId])) ? undefined : 'the show of a change is missing'
  }
}

/** A page has its items, and a way on if there is more. */
function checkPage<Key extends 'shows' | 'changes'>(
  body: { [key in Key]: unknown } & Pick<SearchResult, 'hasMore' | 'nextCursor'>,
  key: Key,
  isItem: (item: unknown) => boolean,
  cursor: string | undefined,
): string | undefined {
  const items = isObject(body) && body[key]
  if (!Array.isArray(items) || !items.every(isItem) || typeof body.hasMore !== 'boolean') {
    return `a page of ${key} was expected`
  }
  if (!body.hasMore) return undefined
  if (typeof body.nextCursor !== 'string' || body.nextCursor === '') return 'there are more pages, but no cursor'
  // Who follows that walks for ever.
  return body.nextCursor === cursor ? 'the next page is the same page' : undefined
}

function isCountry(value: unknown): boolean {
  const { countryCode, services } = (value ?? {}) as Partial<Country>
  return isName(countryCode) && Array.isArray(services)
}

function hasId(value: unknown): boolean {
  return isName((value as { id?: unknown } | null | undefined)?.id)
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
