import { performance } from 'node:perf_hooks'
import type { KeySource } from '../../accounts/keys/api-key.ts'
import type { KeyStore, ResolvedKey } from '../../accounts/keys/key-store.ts'
import type { Admission, Meter } from '../../accounts/metering/meter.ts'
import type { Clock } from '../../lib/clock.ts'
import { endOfDay, SECONDS_PER_DAY } from '../../model/time.ts'
import type { QueryEngine } from '../../render/query-engine.ts'
import type { RequestLog } from '../observe/request-log.ts'
import type { ResponseObserver } from '../observe/response-observer.ts'
import { createAuthenticator } from '../request/authenticate.ts'
import { type ApiRequest, type ApiResponse, checkRequest } from '../request/exchange.ts'
import { createParameterParser, extractQueryString, ignoredParametersHeader } from '../request/parameter-parser.ts'
import type { VisitorTokens } from '../request/visitor-token.ts'
import { ApiError } from '../response/errors.ts'
import { findFreshETag, formatETag, matchesETag, parseETag } from '../response/etag.ts'
import { BASE_PATHS, formatHeader, type HeaderBlock, type KeyHeaders } from '../response/headers.ts'
import { quotaHeaders, toQuotaError } from '../response/quota-headers.ts'
import { JSON_TYPE, type Responder, toApiError } from '../response/responder.ts'
import type { Endpoint } from './endpoint.ts'
import { type CachedRoute, createRoute, type ParsedQuery, type RouteCache } from './route-cache.ts'

/** What answering needs. */
export interface EndpointHandlerDeps {
  readonly engine: QueryEngine
  readonly keys: Pick<KeyStore, 'find'>
  readonly meter: Pick<Meter, 'admit' | 'refund'>
  readonly passes: VisitorTokens | undefined
  readonly observer: ResponseObserver | undefined
  readonly clock: Clock
  readonly countries: 'array' | 'map'
  readonly isOverloaded: () => boolean
  readonly names: KeyHeaders
  readonly responder: Responder
  readonly routes: RouteCache
  readonly log: RequestLog
}

const CACHE_CONTROL_HEADER = formatHeader('Cache-Control', 'private, max-age=60')
const CACHED_JSON_HEADERS = formatHeader('Content-Type', JSON_TYPE) + CACHE_CONTROL_HEADER

/** What a URL of an endpoint leads to: how it is answered, with what the router read from its path. */
export type ResolveRoute = (url: string, path: Readonly<Record<string, string>>) => CachedRoute

/**
 * How one endpoint is answered on one base. Everything up to the answer happens in one turn of the event loop, in this
 * order: load, key, catalog, plan, a tag that still holds, parameters, answer. Route and method were judged before.
 */
export function createEndpointHandler(endpoint: Endpoint, base: KeySource, deps: EndpointHandlerDeps): ResolveRoute {
  const { engine, meter, clock, isOverloaded, responder, log, routes, observer } = deps
  const authenticate = createAuthenticator(base, deps)
  const reader = createParameterParser(endpoint.parameters)
  const baseLength = BASE_PATHS[base].length
  const { operationId } = endpoint
  const pathParameter = Object.keys(endpoint.pathParameters.properties)[0]

  return (url, path) => routes.get(url) ?? createRoute(url, baseLength, path, answer, deps.countries)

  function answer(known: CachedRoute, req: ApiRequest, res: ApiResponse, id: string): void {
    const now = clock()
    const startedAt = observer === undefined ? 0 : performance.now()
    let key: ResolvedKey | undefined
    let admission: Admission | undefined
    let ignored = ''
    log.logOnFinish(req, res, id)

    try {
      checkRequest(req)
      if (isOverloaded()) throw retryLaterError('overloaded', 'The service is overloaded; try again shortly.', 1)
      key = authenticate(req, now)
      const version = engine.version()
      if (version === 0) throw retryLaterError('unavailable', 'The service holds no catalog yet; try again later.', 5)
      admission = meter.admit(key, now)
      if (admission.refusal !== undefined) throw toQuotaError(admission)

      const reading = prefersStrictHandling(req.headers.prefer) ? known.strict : known.lenient
      const ifNoneMatch = req.headers['if-none-match']
      // A tag that holds was given for this very URL, version and day, so the parameters need no second look.
      const held = ifNoneMatch === undefined ? undefined : holdingTag(known, reading, ifNoneMatch, now)
      if (held !== undefined) {
        sendNotModified(req, res, id, key, admission, now, held, ignoredBy(known, reading))
        observe(req, 304, startedAt, key)
        return
      }

      const day = Math.floor(now / SECONDS_PER_DAY)
      let prepared = reading.prepared
      if (prepared === undefined || prepared.version !== version || prepared.day !== day) {
        const given = reader.scan(extractQueryString(known.target), reading.strict)
        ignored = reading.ignoredHeader = ignoredParametersHeader(given.unknown, reader.names)
        const context = { names: engine.names(), now, countries: deps.countries }
        const query = Object.freeze(endpoint.toQuery(reader.parse(given), known.path, context))
        prepared = reading.prepared = { query, version, day }
        routes.put(known)
      }
      ignored = ignoredBy(known, reading)
      const answer = engine.execute(prepared.query, now)
      if (answer === undefined) throw notFound()
      const etag = tagOf(reading, answer.validUntil, now)
      if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag)) {
        answer.body.release?.()
        sendNotModified(req, res, id, key, admission, now, etag, ignored)
        observe(req, 304, startedAt, key)
        return
      }

      const fields = `${keyedFields(req, id, key, admission, now, false)}${CACHED_JSON_HEADERS}ETag: ${etag}\r\n${ignored}`
      const compressing = responder.send(req, res, 200, fields, answer.body, etag + known.target)
      if (compressing === undefined) observe(req, 200, startedAt, key)
      else compressing.then(() => observe(req, 200, startedAt, key))
    } catch (error) {
      const { status, code } = toApiError(error, id)
      const refunded = admission !== undefined && status >= 500
      if (refunded) meter.refund(key as ResolvedKey)
      responder.sendError(req, res, id, error, keyedFields(req, id, key, admission, now, refunded) + ignored)
      observe(req, status, startedAt, key)
      observer?.onError({ endpoint: operationId, status, code, at: now, key })
    }
  }

  function observe(req: ApiRequest, status: number, startedAt: number, key: ResolvedKey | undefined): void {
    observer?.onResponse(operationId, status, performance.now() - startedAt, key, req.headers.origin)
  }

  /** The tag that the client has, if it still holds. Most bring back the last one that was given, letter by letter. */
  function holdingTag(known: CachedRoute, reading: ParsedQuery, ifNoneMatch: string, now: number): string | undefined {
    const edition = engine.contentHash()
    const { etag } = reading
    if (etag !== undefined && etag.text === ifNoneMatch && etag.contentHash === edition && now < etag.validUntil)
      return etag.text
    const held = findFreshETag(ifNoneMatch, edition, reading.hash, now)
    if (held !== undefined) {
      reading.etag = parseETag(held, edition)
      routes.put(known)
    }
    return held
  }

  function ignoredBy(known: CachedRoute, reading: ParsedQuery): HeaderBlock {
    reading.ignoredHeader ??= ignoredParametersHeader(
      reader.scan(extractQueryString(known.target), reading.strict).unknown,
      reader.names,
    )
    return reading.ignoredHeader
  }

  function tagOf(reading: ParsedQuery, answerValidUntil: number, now: number): string {
    const edition = engine.contentHash()
    const validUntil = endpoint.daily ? Math.min(answerValidUntil, endOfDay(now) + 1) : answerValidUntil
    let { etag } = reading
    if (etag === undefined || etag.contentHash !== edition || etag.validUntil !== validUntil) {
      etag = { text: formatETag(edition, reading.hash, validUntil), contentHash: edition, validUntil }
      reading.etag = etag
    }
    return etag.text
  }

  function keyedFields(
    req: ApiRequest,
    id: string,
    key: ResolvedKey | undefined,
    admission: Admission | undefined,
    now: number,
    refunded: boolean,
  ): HeaderBlock {
    const fields = responder.baseHeaders(req, id, key?.origins === undefined ? undefined : req.headers.origin)
    return admission === undefined ? fields : fields + quotaHeaders(admission, now, refunded)
  }

  function sendNotModified(
    req: ApiRequest,
    res: ApiResponse,
    id: string,
    key: ResolvedKey,
    admission: Admission,
    now: number,
    etag: string,
    ignored: HeaderBlock,
  ): void {
    meter.refund(key)
    const fields = keyedFields(req, id, key, admission, now, true)
    responder.sendHeaders(res, 304, `${fields}${CACHE_CONTROL_HEADER}ETag: ${etag}\r\n${ignored}`)
  }

  function notFound(): ApiError {
    const message = endpoint.notFound ?? 'There is nothing at this path.'
    return new ApiError('not_found', message, pathParameter === undefined ? {} : { parameter: pathParameter })
  }
}

function prefersStrictHandling(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && /(?:^|[,;\s])handling\s*=\s*"?strict"?\s*(?:$|[,;])/i.test(String(prefer))
}

function retryLaterError(code: 'overloaded' | 'unavailable', message: string, seconds: number): ApiError {
  return new ApiError(code, message, {
    headers: ['Retry-After', String(seconds)],
    extras: { retryAfter: seconds },
  })
}
