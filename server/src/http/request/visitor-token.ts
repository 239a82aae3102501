import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ResolvedKey } from '../../accounts/keys/key-store.ts'
import type { Plan } from '../../accounts/store/account-tables.ts'
import type { Clock } from '../../lib/clock.ts'
import { type MeteredCache, VersionedCache } from '../../lib/versioned-cache.ts'
import type { ApiRequest } from '../exchange/exchange.ts'
import { clientNetwork, isSameOrigin, parseCookie, type ResolveClientAddress, serializeCookie } from './client.ts'

/** Signed tokens in a cookie with which the service's own web pages call the API instead of a key. */
export interface VisitorTokens {
  /** A new token, as the value of its cookie. */
  issue(now: number): string
  /** The token for a page view: the browser's own, or a new one if that is missing or about to expire. */
  issueForVisit(req: ApiRequest, now: number): { readonly token: string; readonly isNew: boolean }
  /** The key that a request's token stands for, if it is valid and the request comes from a page of this host. */
  find(req: ApiRequest, now: number): ResolvedKey | undefined
  caches(): readonly MeteredCache[]
}

export const VISITOR_COOKIE = 'marquee_pass'
export const VISITOR_TOKEN_SECONDS = 86_400

/** A token with less time left is renewed when a page is opened. */
const RENEW_BELOW_SECONDS = VISITOR_TOKEN_SECONDS / 2

/** The plan of all visitors with one client address. */
export const VISITOR_PLAN: Plan = Object.freeze({ name: 'pages', rate: 50, exports: false })

/** The key id under which the usage of all visitors is counted. */
export const VISITOR_KEY_ID = 'pages'

/** The keys of about 10,000 visitors. */
const MAX_CACHE_BYTES = 3 * 1024 * 1024

/**
 * Tokens are stateless: an expiry, a nonce and an HMAC. The cookie is HttpOnly and SameSite, and a stolen one gains
 * nothing, because the rate limit counts by client address.
 */
export function createVisitorTokens(secret: string, resolveClientAddress: ResolveClientAddress): VisitorTokens {
  const visitors = new VersionedCache<string, ResolvedKey>({
    name: 'visitors',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (_key, network) => 256 + 4 * network.length,
  })

  function sign(text: string): Buffer {
    return createHmac('sha256', secret).update(text).digest()
  }

  function isValid(token: string, now: number): boolean {
    const [expiry = '', nonce = '', signature = ''] = token.split('.')
    const expected = sign(`${expiry}.${nonce}`)
    const given = Buffer.from(signature, 'base64url')
    return given.length === expected.length && timingSafeEqual(given, expected) && Number(expiry) > now
  }

  function visitorKey(network: string): ResolvedKey {
    return visitors.getOrCompute(network, undefined, () =>
      Object.freeze({ id: VISITOR_KEY_ID, source: 'direct', plan: VISITOR_PLAN, quotaOwner: `pages/${network}` }),
    )
  }

  function issue(now: number): string {
    const text = `${now + VISITOR_TOKEN_SECONDS}.${randomBytes(9).toString('base64url')}`
    return `${text}.${sign(text).toString('base64url')}`
  }

  return {
    issue,
    issueForVisit(req, now) {
      const token = parseCookie(req.headers.cookie, VISITOR_COOKIE)
      if (token !== undefined && isValid(token, now + RENEW_BELOW_SECONDS)) return { token, isNew: false }
      return { token: issue(now), isNew: true }
    },
    find(req, now) {
      const token = parseCookie(req.headers.cookie, VISITOR_COOKIE)
      if (token === undefined || !isSameOrigin(req) || !isValid(token, now)) return undefined
      return visitorKey(clientNetwork(resolveClientAddress(req)))
    },
    caches: () => [visitors],
  }
}

/** What a page view needs to get a token. */
export interface VisitorTokenDeps {
  /** Undefined where the service issues no tokens; pages then fetch nothing in advance. */
  readonly visitorTokens: VisitorTokens | undefined
  readonly secureCookies: boolean
  readonly clock: Clock
}

/** The token of a page view, and the `Set-Cookie` header if it is new. */
export function resolveVisitorToken(
  req: IncomingMessage,
  { visitorTokens, secureCookies, clock }: VisitorTokenDeps,
): { readonly token: string | undefined; readonly headers: readonly string[] } {
  if (visitorTokens === undefined) return { token: undefined, headers: [] }
  const { token, isNew } = visitorTokens.issueForVisit(req, clock())
  const cookie = serializeCookie(VISITOR_COOKIE, token, { seconds: VISITOR_TOKEN_SECONDS, secure: secureCookies })
  return { token, headers: isNew ? ['Set-Cookie', cookie] : [] }
}
