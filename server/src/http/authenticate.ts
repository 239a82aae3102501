import type { IncomingHttpHeaders } from 'node:http'
import type { KeySource } from '../accounts/api-key.ts'
import type { KeyRecord, KeyStore } from '../accounts/key-store.ts'
import { ApiError, quoted } from './errors.ts'
import type { KeyHeaders } from './key-headers.ts'

/** Finds the key that a request carries, or throws the error that says why there is none to use. */
export type Authenticate = (headers: IncomingHttpHeaders) => KeyRecord

/** Authentication on one of the two bases. The base's own headers come first; the other's are read only to explain. */
export function authenticator(base: KeySource, keys: Pick<KeyStore, 'find'>, names: KeyHeaders): Authenticate {
  const direct = [names.direct.toLowerCase()]
  const marketplace = names.marketplace.map((name) => name.toLowerCase())
  const [own, other] = base === 'direct' ? [direct, marketplace] : [marketplace, direct]

  return function authenticate(headers) {
    const secret = firstOf(headers, own)
    if (secret !== undefined) {
      const record = keys.find(secret)
      if (record === undefined) throw invalidKey(names)
      return usable(record, headers, record.source === base)
    }
    const misplaced = firstOf(headers, other)
    if (misplaced === undefined) {
      const header = base === 'direct' ? names.direct : names.marketplace[0]
      throw new ApiError('missing_key', `This needs an API key in the header ${header}.`, UNAUTHORIZED)
    }
    const record = keys.find(misplaced)
    if (record === undefined) throw invalidKey(names)
    return usable(record, headers, false)
  }

  function usable(record: KeyRecord, headers: IncomingHttpHeaders, inPlace: boolean): KeyRecord {
    if (record.revokedAt !== undefined) {
      throw new ApiError('key_revoked', 'This API key was revoked; use another one.')
    }
    if (!inPlace) throw wrongSource(record.source, names)
    const origin = headers.origin
    if (record.origins !== undefined && origin !== undefined && !record.origins.includes(origin.toLowerCase())) {
      const message = `This API key may not be used from ${quoted(origin)}; it is limited to ${record.origins.join(', ')}.`
      throw new ApiError('origin_not_allowed', message)
    }
    return record
  }
}

/** HTTP wants every 401 to name a scheme. */
const UNAUTHORIZED = { headers: ['WWW-Authenticate', 'ApiKey realm="marquee"'] }

function invalidKey(names: KeyHeaders): ApiError {
  const message = `This API key is not known; direct keys go in ${names.direct} on /v4, marketplace keys in ${names.marketplace[0]} on /.`
  return new ApiError('invalid_key', message, UNAUTHORIZED)
}

function wrongSource(source: KeySource, names: KeyHeaders): ApiError {
  const base = source === 'direct' ? '/v4' : '/'
  const header = source === 'direct' ? names.direct : names.marketplace[0]
  const message = `This is a ${source} key: use it on the base address ${base} in the header ${header}.`
  return new ApiError('wrong_key_source', message, { ...UNAUTHORIZED, extras: { base, header } })
}

function firstOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
