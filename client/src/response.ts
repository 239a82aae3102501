import type { ChangesResult, Country, ErrorBody, ExportLine, Problem, SearchResult } from './api-types.ts'
import { ContractError, type ErrorFacts, type ResponseInfo, ServiceError } from './errors.ts'
import { parseRetryAfter } from './retry.ts'

/** Validates a body: returns what is wrong with it, or undefined. */
export type Check = (body: never) => string | undefined

/** Reads status and headers of a response. */
export function responseInfo(url: string, { status, headers }: Response): ResponseInfo {
  return {
    url,
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: parseRetryAfter(headers.get('Retry-After')),
  }
}

/** Parses and checks the body of a response. Throws a `ServiceError` or a `ContractError`. */
export function parseBody(info: ResponseInfo, headers: Headers, text: string, check: Check): unknown {
  const { status } = info
  if (status === 304) throw contractError(info, 'status 304 ("not modified") to a request without a condition')
  // A browser hides the status of a redirect that it does not follow.
  if (status === 0 || (status >= 300 && status < 400)) throw contractError(info, 'a redirect, which is not followed')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw contractError(info, `status ${status}, and no JSON`, error)
  }
  const error = status >= 400 ? parseError(body, headers) : undefined
  if (error !== undefined) throw new ServiceError(error, info)
  if (status !== 200) throw contractError(info, `status ${status}`)
  const problem = check(body as never)
  if (problem !== undefined) throw contractError(info, problem)
  return body
}

function contractError(info: ResponseInfo, problem: string, cause?: unknown): ContractError {
  return new ContractError(`${info.url} does not answer as this API does: ${problem}`, info, cause)
}

/**
 * Reads an error: problem details, or `{"message"}` with code and parameter in headers. A message is enough, since other
 * services of this API send nothing else. Undefined for any other body.
 */
export function parseError(body: unknown, headers: Headers): ErrorFacts | undefined {
  const { detail, message, ...problem } = (body ?? {}) as Partial<Problem & ErrorBody>
  const text = detail ?? message
  if (!isName(text)) return undefined
  const parameter = problem.parameter ?? decodeHeader(headers.get('X-Error-Parameter'))
  return { ...problem, message: text, code: problem.code ?? headers.get('X-Error-Code') ?? undefined, parameter }
}

/** Decodes a percent-encoded header. */
function decodeHeader(text: string | null): string | undefined {
  try {
    return text === null ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Quota of the key, by the last response. */
export interface Quota {
  /** Requests that the plan grants in this period; 999999999999999 means unlimited. */
  readonly granted: number
  /** Requests used in this period. */
  readonly used: number
  /** When the quota resets (Unix seconds). */
  readonly reset: number
}

/** Reads the quota headers of a response, if it has them. */
export function parseQuota(headers: Headers): Quota | undefined {
  const [granted, used, reset] = ['Granted', 'Used', 'Reset'].map((name) => {
    const text = headers.get(`X-Quota-${name}`)
    return text === null ? Number.NaN : Number(text)
  }) as [number, number, number]
  return granted >= 0 && used >= 0 && reset >= 0 ? { granted, used, reset } : undefined
}

/*
 * Checks cover what the client itself relies on. A response of a proxy or of another server fails them; a field that a
 * later version adds does not.
 */

/** Parameters that can choose the members of shows. */
interface ShapeParameters {
  readonly fields?: readonly string[] | undefined
}

/** What a show has: an id, unless the request chose other members. */
function showTest({ fields = [] }: ShapeParameters): (value: unknown) => boolean {
  return fields.length > 0 ? isObject : hasId
}

/** A list of shows. */
export function checkShows(parameters: ShapeParameters) {
  return (body: unknown): string | undefined => {
    return Array.isArray(body) && body.every(showTest(parameters)) ? undefined : 'a list of shows was expected'
  }
}

/** Genres are a list, and each has an id. */
export function checkGenres(body: unknown): string | undefined {
  return Array.isArray(body) && body.every(hasId) ? undefined : 'a list of genres was expected'
}

/** People are a list, and each has a name. */
export function checkPeople(body: unknown): string | undefined {
  const hasName = (person: unknown) => isName((person as { name?: unknown } | null | undefined)?.name)
  return Array.isArray(body) && body.every(hasName) ? undefined : 'a list of people was expected'
}

/** A count has a number, and facets. */
export function checkCount(body: unknown): string | undefined {
  const { count, facets } = (body ?? {}) as { count?: unknown; facets?: unknown }
  return Number.isInteger(count) && typeof facets === 'object' && facets !== null ? undefined : 'a count was expected'
}

/** A history has the id of its show, and places. */
export function checkHistory(body: unknown): string | undefined {
  const { showId, places } = (body ?? {}) as { showId?: unknown; places?: unknown }
  return typeof showId === 'string' && Array.isArray(places) ? undefined : 'a history was expected'
}

/** One show. */
export function checkShow(parameters: ShapeParameters) {
  return (body: unknown): string | undefined => (showTest(parameters)(body) ? undefined : 'a show was expected')
}

/** A country has a code and services. */
export function checkCountry(body: unknown): string | undefined {
  return isCountry(body) ? undefined : 'a country was expected'
}

/** Countries are a list, or a map by country code if the service is set so. */
export function checkCountries(body: unknown): string | undefined {
  return isObject(body) && Object.values(body).every(isCountry) ? undefined : 'countries were expected'
}

/** A page of shows. */
export function checkShowPage(cursor: string | undefined, parameters: ShapeParameters) {
  return (body: SearchResult): string | undefined => checkPage(body, 'shows', showTest(parameters), cursor)
}

/** A page of changes: each has its show, unless the request chose the members. */
export function checkChangePage(cursor: string | undefined, { fields = [] }: ShapeParameters) {
  return (body: ChangesResult): string | undefined => {
    const problem = checkPage(body, 'changes', isObject, cursor)
    if (problem !== undefined) return problem
    const { changes, shows } = body
    if (!isObject(shows) || Array.isArray(shows)) return 'the shows of changes were expected by their ids'
    if (fields.length > 0) return undefined
    return changes.every(({ showId }) => hasId(shows[showId])) ? undefined : 'the show of a change is missing'
  }
}

/** Parses a line of an export: a show, or an object with a kind. */
export function parseExportLine(text: string, url: string): ExportLine {
  const info = { url: `${url}/catalog/export`, status: 200, requestId: undefined, retryAfter: undefined }
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch (error) {
    throw contractError(info, 'a line is no JSON', error)
  }
  const { kind } = (line ?? {}) as { kind?: unknown }
  if (kind === undefined ? !hasId(line) : !isName(kind)) throw contractError(info, 'a show was expected in each line')
  return line as ExportLine
}

/** A page has its items, and a cursor if there is more. */
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
  // An iteration would never end.
  return body.nextCursor === cursor ? 'the next page is the same page' : undefined
}

function isCountry(value: unknown): boolean {
  const { countryCode, services } = (value ?? {}) as Partial<Country>
  return isName(countryCode) && Array.isArray(services)
}

function hasId(value: unknown): boolean {
  return isName((value as { id?: unknown } | null | undefined)?.id)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
