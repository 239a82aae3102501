import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KnownKey } from '../accounts/key-store.ts'
import type { Plan } from '../accounts/plan.ts'
import type { ClientAddress } from './client-address.ts'
import { clientNetwork } from './client-network.ts'
import { readCookie } from './cookies.ts'
import type { ApiRequest } from './exchange.ts'
import { isSameOrigin } from './same-origin.ts'

/** What the service's own web pages ask the API with, instead of a key. */
export interface PagePasses {
  /** A new pass, as the value of the cookie that holds it. */
  issue(now: number): string
  /** The pass for a page that is opened: the one that the browser has, or a new one where that is not good for long. */
  forVisit(req: ApiRequest, now: number): { readonly pass: string; readonly isNew: boolean }
  /** The pass that a request carries, as a key, if it is good and the request comes from one of our pages. */
  find(req: ApiRequest, now: number): KnownKey | undefined
}

export const PASS_COOKIE = 'marquee_pass'
export const PASS_SECONDS = 86_400

/** A pass that is good for less than this is renewed when a page is opened. */
const RENEWED_SECONDS = PASS_SECONDS / 2

/** What viewers on one address may ask for together. */
export const PAGES_PLAN: Plan = Object.freeze({ name: 'pages', rate: 50 })

/** Under which name the use of all pages is counted. */
export const PAGES_KEY_ID = 'pages'

/** Viewers whose keys are kept ready. */
const REMEMBERED = 10_000

/**
 * Passes are signed and hold nothing but the instant at which they end, so nobody has to keep them. Scripts cannot read
 * the cookie, other sites cannot use it, and whoever copies it gains nothing: the rate is counted by address.
 */
export function createPagePasses(secret: string, addressOf: ClientAddress): PagePasses {
  const viewers = new Map<string, KnownKey>()

  function sign(text: string): Buffer {
    return createHmac('sha256', secret).update(text).digest()
  }

  function isGood(pass: string, now: number): boolean {
    const [end = '', nonce = '', signature = ''] = pass.split('.')
    const expected = sign(`${end}.${nonce}`)
    const given = Buffer.from(signature, 'base64url')
    return given.length === expected.length && timingSafeEqual(given, expected) && Number(end) > now
  }

  function viewerAt(address: string): KnownKey {
    let viewer = viewers.get(address)
    if (viewer === undefined) {
      if (viewers.size >= REMEMBERED) viewers.clear()
      viewer = Object.freeze({ id: PAGES_KEY_ID, source: 'direct', plan: PAGES_PLAN, countedFor: `pages/${address}` })
      viewers.set(address, viewer)
    }
    return viewer
  }

  function issue(now: number): string {
    const text = `${now + PASS_SECONDS}.${randomBytes(9).toString('base64url')}`
    return `${text}.${sign(text).toString('base64url')}`
  }

  return {
    issue,
    forVisit(req, now) {
      const pass = readCookie(req.headers.cookie, PASS_COOKIE)
      if (pass !== undefined && isGood(pass, now + RENEWED_SECONDS)) return { pass, isNew: false }
      return { pass: issue(now), isNew: true }
    },
    find(req, now) {
      const pass = readCookie(req.headers.cookie, PASS_COOKIE)
      if (pass === undefined || !isSameOrigin(req) || !isGood(pass, now)) return undefined
      return viewerAt(clientNetwork(addressOf(req)))
    },
  }
}
