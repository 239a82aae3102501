import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ResolvedKey } from '../../accounts/keys/key-store.ts'
import type { Plan } from '../../accounts/store/account-tables.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Query, ShowShape, StreamedQuery } from '../../query/queries.ts'
import type { ApiRequest } from '../exchange/exchange.ts'
import { clientNetwork, isSameOrigin, type ResolveClientAddress, ServiceCookie } from './client.ts'

/** Signed tokens in a cookie with which the service's own web pages call the API instead of a key. */
export interface VisitorTokens {
  readonly cookie: ServiceCookie
  /** The plan of all visitors of one client network. */
  readonly plan: Plan
  /** A new token for a client network, as the value of its cookie. */
  issue(network: string, now: number): string
  /** The token for a page view: the browser's own, or a new one if that is missing or about to expire. */
  issueForVisit(req: ApiRequest, now: number): { readonly token: string; readonly isNew: boolean }
  /** The key that meters requests of a client without a token, such as those of feed readers. */
  keyOfClient(req: ApiRequest): ResolvedKey
  /** The key that a request's token stands for, if it is valid and the request comes from a page of this host. */
  find(req: ApiRequest, now: number): ResolvedKey | undefined
  caches(): readonly MeteredCache[]
}

interface VisitorTokenOptions {
  readonly secret: string
  readonly resolveClientAddress: ResolveClientAddress
  readonly secureCookies: boolean
  /** The origin of the pages as browsers see it, if it is known. */
  readonly publicOrigin: string | undefined
  /** Requests a day of all visitors of one network. */
  readonly requestsPerDay: number
}

const VISITOR_COOKIE = 'marquee_pass'
const VISITOR_TOKEN_SECONDS = 3_600

/** A token with less time left is renewed when a page is opened. */
const RENEW_BELOW_SECONDS = VISITOR_TOKEN_SECONDS / 2

/** Requests per second of all visitors of one network. */
const VISITOR_RATE = 50

/** The least that a worker admits per second, so that one page view never exceeds it. */
const MIN_RATE_PER_WORKER = 10

/** The key id under which the usage of all visitors is counted. */
export const VISITOR_KEY_ID = 'pages'

/** The keys of about 10,000 visitors. */
const MAX_CACHE_BYTES = 3 * 1024 * 1024

/** Each worker admits its even share of the visitors' rate at most, so that no second exceeds the rate. */
export function visitorRateShare(workers: number): (rate: number) => number {
  return (rate) => Math.max(MIN_RATE_PER_WORKER, Math.floor(rate / workers))
}

/**
 * Tokens are stateless: an expiry, a nonce, and an HMAC over both and the client network. Any program can fetch a page
 * and so a token. What it gains is bounded: the token is of no use elsewhere and expires after an hour, all tokens of a
 * network share one rate and one budget a day, and they open only what the pages request (`isPageQuery`).
 */
export function createVisitorTokens(options: VisitorTokenOptions): VisitorTokens {
  const { secret, resolveClientAddress, secureCookies, publicOrigin, requestsPerDay } = options
  const cookie = new ServiceCookie(VISITOR_COOKIE, { seconds: VISITOR_TOKEN_SECONDS, secure: secureCookies })
  const plan: Plan = {
    name: 'pages',
    quota: { requests: requestsPerDay, per: 'day' },
    rate: VISITOR_RATE,
    exports: false,
  }
  const visitors = new VersionedCache<string, ResolvedKey>({
    name: 'visitors',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (_key, network) => 256 + 4 * network.length,
  })

  function sign(text: string, network: string): Buffer {
    return createHmac('sha256', secret).update(`${text}.${network}`).digest()
  }

  /** The last token that was issued or found valid: a page view brings several requests with the same one. */
  let last = { token: '', network: '' }

  function isValid(token: string, network: string, now: number): boolean {
    const [expiry = '', nonce = '', signature = ''] = token.split('.', 3)
    if (network === last.network && token === last.token) return Number(expiry) > now
    const expected = sign(`${expiry}.${nonce}`, network)
    const given = Buffer.from(signature, 'base64url')
    const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
    if (isSigned) last = { token, network }
    return isSigned && Number(expiry) > now
  }

  function visitorKey(network: string): ResolvedKey {
    return visitors.getOrCompute(network, undefined, () =>
      Object.freeze({ id: VISITOR_KEY_ID, source: 'direct', plan, quotaOwner: `pages/${network}` }),
    )
  }

  function issue(network: string, now: number): string {
    const text = `${now + VISITOR_TOKEN_SECONDS}.${randomBytes(9).toString('base64url')}`
    const token = `${text}.${sign(text, network).toString('base64url')}`
    last = { token, network }
    return token
  }

  return {
    cookie,
    plan,
    issue,
    issueForVisit(req, now) {
      const network = clientNetwork(resolveClientAddress(req))
      const token = cookie.parse(req.headers.cookie)
      if (token !== undefined && isValid(token, network, now + RENEW_BELOW_SECONDS)) return { token, isNew: false }
      return { token: issue(network, now), isNew: true }
    },
    find(req, now) {
      const token = cookie.parse(req.headers.cookie)
      if (token === undefined || !isSameOrigin(req, publicOrigin)) return undefined
      const network = clientNetwork(resolveClientAddress(req))
      return isValid(token, network, now) ? visitorKey(network) : undefined
    },
    keyOfClient: (req) => visitorKey(clientNetwork(resolveClientAddress(req))),
    caches: () => [visitors],
  }
}

type AnyQuery = Query | StreamedQuery
type PageQueries = { readonly [K in AnyQuery['kind']]: (query: Extract<AnyQuery, { readonly kind: K }>) => boolean }

/** Which queries of each kind the web pages make. */
const PAGE_QUERIES: PageQueries = {
  show: ({ countries, granularity, shape }) =>
    (countries?.length === 1 || granularity === 'show') && (shape === undefined || hasLess(shape)),
  shows: () => false,
  filter: ({ countries, granularity }) => countries.length === 1 && granularity === 'show',
  count: ({ countries }) => countries.length === 1,
  title: ({ countries, granularity }) => countries === undefined && granularity === 'show',
  similar: ({ countries, granularity }) => countries.length === 1 && granularity === 'show',
  history: ({ granularity }) => granularity === 'show',
  top: () => true,
  people: () => true,
  changes: ({ namesCountries }) => namesCountries !== true,
  'changes-since': () => false,
  'changes-stream': () => false,
  export: () => false,
  countries: () => false,
  country: () => true,
  genres: () => true,
}

/** Whether the web pages make such a query. Others need a key. Of shapes they ask for some fields of a show alone. */
export function isPageQuery(query: AnyQuery): boolean {
  if (query.kind !== 'show' && 'shape' in query && query.shape !== undefined) return false
  return PAGE_QUERIES[query.kind](query as never)
}

/** Whether a shape leaves out members, and adds none. */
function hasLess({ fields, includes, services }: ShowShape): boolean {
  return fields !== undefined && includes.size === 0 && services.size === 0
}

/** What a page view needs to get a token. */
export interface VisitorTokenDeps {
  /** Undefined where the service issues no tokens; pages then fetch nothing in advance. */
  readonly visitorTokens: VisitorTokens | undefined
  readonly clock: Clock
}

/** The token of a page view, and the `Set-Cookie` header if it is new. */
export function resolveVisitorToken(
  req: IncomingMessage,
  { visitorTokens, clock }: VisitorTokenDeps,
): { readonly token: string | undefined; readonly headers: readonly string[] } {
  if (visitorTokens === undefined) return { token: undefined, headers: [] }
  const { token, isNew } = visitorTokens.issueForVisit(req, clock())
  return { token, headers: isNew ? ['Set-Cookie', visitorTokens.cookie.serialize(token)] : [] }
}
