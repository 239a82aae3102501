import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '../exchange/errors.ts'

/** Throws unless an `Authorization` header holds a shared secret as a bearer token (RFC 6750). */
export function checkBearerToken(authorization: string | undefined, secret: string): void {
  const [scheme = '', given = ''] = (authorization ?? '').split(' ', 2)
  if (scheme.toLowerCase() === 'bearer' && isEqualConstantTime(given, secret)) return
  throw new ApiError('invalid_secret', 'The header Authorization must be "Bearer", a space and the shared secret.', {
    headers: ['WWW-Authenticate', 'Bearer realm="marquee"'],
  })
}

/** Compares in constant time. */
export function isEqualConstantTime(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
