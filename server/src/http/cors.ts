import { type Fields, fieldsOf } from './header-fields.ts'
import type { KeyHeaders } from './key-headers.ts'

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
export function preflightFields(names: KeyHeaders): Fields {
  const allowed = [
    names.direct,
    ...names.marketplace,
    'If-None-Match',
    'Prefer',
    'X-Request-Id',
    'Content-Type',
    'Accept',
  ]
  return fieldsOf([
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
