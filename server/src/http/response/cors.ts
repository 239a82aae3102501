import type { ApiRequest } from '../exchange/exchange.ts'
import {
  ALLOWED_METHODS,
  formatHeader,
  formatHeaders,
  type HeaderBlock,
  isHeaderName,
  type KeyHeaders,
} from '../exchange/headers.ts'

/** All headers of responses beyond those that scripts of other origins can read anyway. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'ETag',
  'X-Quota-Granted',
  'X-Quota-Used',
  'X-Quota-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'X-Ignored-Parameters',
  'X-Unknown-Ids',
  'X-Error-Code',
  'X-Error-Parameter',
  'Allow',
  'WWW-Authenticate',
  'Content-Encoding',
  'Date',
  'Vary',
]

/** The header that lets scripts of other origins read all headers of a response; `more` are those of a setting. */
export function exposedHeaders(more: readonly string[]): HeaderBlock {
  return formatHeader('Access-Control-Expose-Headers', [...EXPOSED_HEADERS, ...more].join(', '))
}

const ANY_ORIGIN = formatHeader('Access-Control-Allow-Origin', '*')

/** Lets every origin read a response, or one origin alone: that of a key that is limited to origins, with credentials. */
export function allowOriginHeaders(origin: string | undefined): HeaderBlock {
  return origin === undefined
    ? ANY_ORIGIN
    : formatHeaders(['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Credentials', 'true'])
}

/**
 * The origin that a preflight allows. A preflight carries no key, so it allows credentials to every origin; the response
 * to the request itself then allows them only for a key that is limited to this origin. `null` is the origin of many
 * pages and gets no credentials.
 */
export function preflightOrigin({ headers: { origin } }: Pick<ApiRequest, 'headers'>): string | undefined {
  return origin === 'null' ? undefined : origin
}

/** Creates the headers of the response to a CORS preflight, which allow every header that it asks for. */
export function createPreflightHeaders(names: KeyHeaders): (req: Pick<ApiRequest, 'headers'>) => HeaderBlock {
  const ours = [
    names.direct,
    ...names.marketplace,
    'If-None-Match',
    'Prefer',
    'X-Request-Id',
    'Content-Type',
    'Accept',
    'Cache-Control',
    'Pragma',
  ]
  const known: ReadonlySet<string> = new Set(ours.map((name) => name.toLowerCase()))
  const fixed = formatHeaders([
    'Allow',
    ALLOWED_METHODS,
    'Access-Control-Allow-Methods',
    ALLOWED_METHODS,
    'Access-Control-Max-Age',
    '86400',
  ])
  return ({ headers }) => {
    const requested = String(headers['access-control-request-headers'] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => isHeaderName(name) && !known.has(name.toLowerCase()))
    return fixed + formatHeader('Access-Control-Allow-Headers', [...ours, ...requested].join(', '))
  }
}
