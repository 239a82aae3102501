import findMyWay, { type HTTPVersion } from 'find-my-way'
/**
 * Header fields as they go over the wire, each with its line's end. Most of an answer's fields are those of the answer
 * before, and text that is ready is the cheapest to put together.
 */
export type HeaderBlock = string

/** What cannot stand in a field. */
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** One field. For values that are sure to be printable, as numbers are, the text can also be written out. */
export function formatHeader(name: string, value: string): HeaderBlock {
  if (INVALID_VALUE.test(value)) throw new TypeError(`The header ${name} cannot hold ${JSON.stringify(value)}`)
  return `${name}: ${value}\r\n`
}

/** The fields of a list: name, value, name, value. */
export function formatHeaders(list: readonly string[]): HeaderBlock {
  let fields = ''
  for (let i = 0; i < list.length; i += 2) fields += formatHeader(list[i] as string, list[i + 1] as string)
  return fields
}

/** The list of the fields, as Node's responses take it. */
export function toHeaderList(fields: HeaderBlock): string[] {
  return fields.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(': ')
    return colon < 0 ? [] : [line.slice(0, colon), line.slice(colon + 2)]
  })
}

/** The methods that each path takes, for requests that come with another one. */
export interface AllowedMethods {
  /** Adds a path, as routes write it, with the methods as the header Allow lists them. */
  add(path: string, methods: string): void
  /** The methods that the path of a URL takes, if there is such a path. */
  find(url: string): string | undefined
}

export function createAllowedMethods(longestParameter: number): AllowedMethods {
  const paths = findMyWay<HTTPVersion.V1>({ maxParamLength: longestParameter })
  return {
    add: (path, methods) => paths.on('GET', path, () => {}, methods),
    find: (url) => paths.find('GET', url)?.store as string | undefined,
  }
}

/** The methods that every known path takes. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

/** Headers that scripts in a browser may read. */
export const EXPOSED_HEADERS = [
  'X-Request-Id',
  'ETag',
  'X-Quota-Granted',
  'X-Quota-Used',
  'X-Quota-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'X-Ignored-Parameters',
].join(', ')

/** What a preflight is answered with. */
export function preflightHeaders(names: KeyHeaders): HeaderBlock {
  const allowed = [
    names.direct,
    ...names.marketplace,
    'If-None-Match',
    'Prefer',
    'X-Request-Id',
    'Content-Type',
    'Accept',
  ]
  return formatHeaders([
    'Allow',
    ALLOWED_METHODS,
    'Access-Control-Allow-Methods',
    ALLOWED_METHODS,
    'Access-Control-Allow-Headers',
    allowed.join(', '),
    'Access-Control-Max-Age',
    '86400',
  ])
}

/** The two ways into the API: where each kind of key is used, and in which headers. */
export interface KeyHeaders {
  readonly direct: string
  /** Both spellings, the one that messages name first. */
  readonly marketplace: readonly [string, string]
}

/** The names of the headers that carry keys, for a marketplace's name. */
export function keyHeaders(marketplace: string): KeyHeaders {
  return { direct: 'X-API-Key', marketplace: [`X-${marketplace}-API-Key`, `X-${marketplace}API-Key`] }
}

/** The base paths under which all endpoints are mounted, by key source. */
export const BASE_PATHS = { direct: '/v4', marketplace: '' } as const
