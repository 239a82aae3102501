import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ResolvedKey } from '../../accounts/keys/key-store.ts'
import type { Plan } from '../../accounts/plans/plan.ts'
import type { Clock } from '../../lib/clock.ts'
import { clientNetwork, isSameOrigin, parseCookie, type ResolveClientAddress, serializeCookie } from './client.ts'
import type { ApiRequest } from './exchange.ts'

/** What the service's own web pages ask the API with, instead of a key. */
export interface VisitorTokens {
  /** A new pass, as the value of the cookie that holds it. */
  issue(now: number): string
  /** The pass for a page that is opened: the one that the browser has, or a new one where that is not good for long. */
  issueForVisit(req: ApiRequest, now: number): { readonly pass: string; readonly isNew: boolean }
  /** The pass that a request carries, as a key, if it is good and the request comes from one of our pages. */
  find(req: ApiRequest, now: number): ResolvedKey | undefined
}

export const VISITOR_COOKIE = 'marquee_pass'
export const VISITOR_TOKEN_SECONDS = 86_400

/** A pass that is good for less than this is renewed when a page is opened. */
const RENEW_BELOW_SECONDS = VISITOR_TOKEN_SECONDS / 2

/** What viewers on one address may ask for together. */
export const VISITOR_PLAN: Plan = Object.freeze({ name: 'pages', rate: 50 })

/** Under which name the use of all pages is counted. */
export const VISITOR_KEY_ID = 'pages'

/** Viewers whose keys are kept ready. */
const MAX_CACHED_VISITORS = 10_000

/**
 * Passes are signed and hold nothing but the instant at which they end, so nobody has to keep them. Scripts cannot read
 * the cookie, other sites cannot use it, and whoever copies it gains nothing: the rate is counted by address.
 */
export function createVisitorTokens(secret: string, addressOf: ResolveClientAddress): VisitorTokens {
  const viewers = new Map<string, ResolvedKey>()

  function sign(text: string): Buffer {
    return createHmac('sha256', secret).update(text).digest()
  }

  function isGood(pass: string, now: number): boolean {
    const [end = '', nonce = '', signature = ''] = pass.split('.')
    const expected = sign(`${end}.${nonce}`)
    const given = Buffer.from(signature, 'base64url')
    return given.length === expected.length && timingSafeEqual(given, expected) && Number(end) > now
  }

  function viewerAt(address: string): ResolvedKey {
    let viewer = viewers.get(address)
    if (viewer === undefined) {
      if (viewers.size >= MAX_CACHED_VISITORS) viewers.clear()
      viewer = Object.freeze({
        id: VISITOR_KEY_ID,
        source: 'direct',
        plan: VISITOR_PLAN,
        quotaOwner: `pages/${address}`,
      })
      viewers.set(address, viewer)
    }
    return viewer
  }

  function issue(now: number): string {
    const text = `${now + VISITOR_TOKEN_SECONDS}.${randomBytes(9).toString('base64url')}`
    return `${text}.${sign(text).toString('base64url')}`
  }

  return {
    issue,
    issueForVisit(req, now) {
      const pass = parseCookie(req.headers.cookie, VISITOR_COOKIE)
      if (pass !== undefined && isGood(pass, now + RENEW_BELOW_SECONDS)) return { pass, isNew: false }
      return { pass: issue(now), isNew: true }
    },
    find(req, now) {
      const pass = parseCookie(req.headers.cookie, VISITOR_COOKIE)
      if (pass === undefined || !isSameOrigin(req) || !isGood(pass, now)) return undefined
      return viewerAt(clientNetwork(addressOf(req)))
    },
  }
}

/** What giving passes to visitors needs. */
export interface VisitorTokenDeps {
  /** Undefined where pages are let in without one. */
  readonly visitorTokens: VisitorTokens | undefined
  readonly secureCookies: boolean
  readonly clock: Clock
}

/** The pass of a visit, if there are any, and the headers that give it to a visitor who has none. */
export function resolveVisitorToken(
  req: IncomingMessage,
  { visitorTokens, secureCookies, clock }: VisitorTokenDeps,
): { readonly pass: string | undefined; readonly headers: readonly string[] } {
  if (visitorTokens === undefined) return { pass: undefined, headers: [] }
  const { pass, isNew } = visitorTokens.issueForVisit(req, clock())
  const cookie = serializeCookie(VISITOR_COOKIE, pass, { seconds: VISITOR_TOKEN_SECONDS, secure: secureCookies })
  return { pass, headers: isNew ? ['Set-Cookie', cookie] : [] }
}
