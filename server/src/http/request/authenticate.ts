import type { IncomingHttpHeaders } from 'node:http'
import type { KeyStore, ResolvedKey } from '../../accounts/keys/key-store.ts'
import type { KeySource } from '../../accounts/store/account-tables.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import type { ApiRequest } from '../exchange/exchange.ts'
import type { KeyHeaders } from '../exchange/headers.ts'
import type { VisitorTokens } from './visitor-token.ts'

/** Resolves the key of a request, or throws the error that explains why it cannot be used. */
export type Authenticate = (req: ApiRequest, now: number) => ResolvedKey

/** The authenticator of one base path. It reads the other base's headers only to explain a misplaced key. */
export function createAuthenticator(
  base: KeySource,
  {
    keys,
    names,
    visitorTokens,
  }: { keys: Pick<KeyStore, 'find'>; names: KeyHeaders; visitorTokens: VisitorTokens | undefined },
): Authenticate {
  const marketplace = names.marketplace.map((name) => name.toLowerCase())
  const [readKey, readMisplacedKey] =
    base === 'direct' ? [readDirectKey, readMarketplaceKey] : [readMarketplaceKey, readDirectKey]

  function readMarketplaceKey(headers: IncomingHttpHeaders): string | undefined {
    for (const name of marketplace) {
      const value = nonEmptyText(headers[name])
      if (value !== undefined) return value
    }
    return undefined
  }

  return function authenticate(req, now) {
    const { headers } = req
    const secret = readKey(headers)
    if (secret !== undefined) {
      const key = keys.find(secret, now)
      if (key === undefined) throw invalidKeyError(names)
      return checkKey(key, headers, key.source === base)
    }
    const misplaced = readMisplacedKey(headers)
    if (misplaced === undefined) {
      const visitor = base === 'direct' ? visitorTokens?.find(req, now) : undefined
      if (visitor !== undefined) return visitor
      throw missingKeyError(base, names)
    }
    const key = keys.find(misplaced, now)
    if (key === undefined) throw invalidKeyError(names)
    return checkKey(key, headers, false)
  }

  function checkKey(key: ResolvedKey, headers: IncomingHttpHeaders, isInPlace: boolean): ResolvedKey {
    if (key.ended === 'revoked') throw new ApiError('key_revoked', 'This API key was revoked; use another one.')
    if (key.ended === 'disabled') throw new ApiError('key_revoked', 'The account of this API key is disabled.')
    if (key.ended === 'expired') {
      throw new ApiError('key_revoked', 'This test key has expired; make another one, or a key of your own.')
    }
    if (key.ended === 'rotated') {
      throw new ApiError('key_revoked', 'This API key was replaced, and its overlap has ended; use the new one.')
    }
    if (!isInPlace) throw wrongSourceError(key.source, names)
    if (key.origins !== undefined) checkOrigin(key.origins, headers)
    return key
  }
}

/** Creates a function that finds out whether a request has a key that is known, wherever it may be used. */
export function createKeyCheck(
  names: KeyHeaders,
  keys: Pick<KeyStore, 'find'>,
  clock: Clock,
): (req: ApiRequest) => boolean {
  const headerNames = [names.direct, ...names.marketplace].map((name) => name.toLowerCase())
  function isKnown(secret: string): boolean {
    try {
      const key = keys.find(secret, clock())
      return key !== undefined && key.ended === undefined
    } catch {
      // Keys that cannot be looked up now; the response to the request says so.
      return false
    }
  }
  return ({ headers }) =>
    headerNames.some((name) => {
      const secret = nonEmptyText(headers[name])
      return secret !== undefined && isKnown(secret)
    })
}

/** Rejects a request from an origin that the key does not allow. */
function checkOrigin(allowed: readonly string[], { origin, referer }: IncomingHttpHeaders): void {
  // A same-origin GET carries no Origin header, but a Referer.
  const from = origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined)
  if (from !== undefined && allowed.includes(from.toLowerCase())) return
  const where = from === undefined ? 'without a web origin' : `from ${quoteValue(from)}`
  // The allowed origins are not named: whoever gets this error may not be the owner of the key.
  const message = `This API key may not be used ${where}; it is limited to web origins that its owner has set.`
  throw new ApiError('origin_not_allowed', message)
}

/** RFC 9110 requires an authentication scheme in every 401. */
const UNAUTHORIZED = { headers: ['WWW-Authenticate', 'ApiKey realm="marquee"'] }

/** The error of a request to a base path without a key. */
export function missingKeyError(base: KeySource, names: KeyHeaders): ApiError {
  const header = base === 'direct' ? names.direct : names.marketplace[0]
  return new ApiError('missing_key', `This needs an API key in the header ${header}.`, UNAUTHORIZED)
}

function invalidKeyError(names: KeyHeaders): ApiError {
  const message = `This API key is not known; direct keys go in ${names.direct} on /v4, marketplace keys in ${names.marketplace[0]} on /.`
  return new ApiError('invalid_key', message, UNAUTHORIZED)
}

function wrongSourceError(source: KeySource, names: KeyHeaders): ApiError {
  const base = source === 'direct' ? '/v4' : '/'
  const header = source === 'direct' ? names.direct : names.marketplace[0]
  const message = `This is a ${source} key: use it on the base address ${base} in the header ${header}.`
  return new ApiError('wrong_key_source', message, { ...UNAUTHORIZED, extras: { base, header } })
}

function readDirectKey(headers: IncomingHttpHeaders): string | undefined {
  return nonEmptyText(headers['x-api-key'])
}

function nonEmptyText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
