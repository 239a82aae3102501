import type { ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { KeyStore, ResolvedKey } from '../../accounts/keys/key-store.ts'
import type { Admission, Meter } from '../../accounts/keys/meter.ts'
import { mayExport } from '../../accounts/keys/plan-store.ts'
import type { KeySource } from '../../accounts/store/account-tables.ts'
import { findDamage } from '../../catalog/storage/environment.ts'
import type { Clock } from '../../lib/clock.ts'
import { endOfDay, SECONDS_PER_DAY } from '../../model/time.ts'
import type { ChangesStreamQuery, ExportQuery, Query } from '../../query/queries.ts'
import type { QueryEngine, RenderedResponse } from '../../render/query-engine.ts'
import { ApiError } from '../exchange/errors.ts'
import { type ApiRequest, type ApiResponse, checkRequest } from '../exchange/exchange.ts'
import {
  BASE_PATHS,
  EVENT_STREAM_TYPE,
  findFreshETag,
  formatETag,
  formatHeader,
  type HeaderBlock,
  JSON_TYPE,
  type KeyHeaders,
  marketplaceQuotaHeaders,
  matchesETag,
  NDJSON_TYPE,
  parseETag,
  quotaHeaders,
  toHeaderList,
} from '../exchange/headers.ts'
import type { RequestLog } from '../exchange/request-log.ts'
import { createAuthenticator, missingKeyError } from '../request/authenticate.ts'
import {
  createParameterParser,
  extractQueryString,
  type IgnoredPart,
  ignoredParametersHeader,
  unknownIdsHeader,
} from '../request/parameter-parser.ts'
import { isPageQuery, VISITOR_KEY_ID, type VisitorTokens } from '../request/visitor-token.ts'
import type { ChangeStreams } from '../response/change-streams.ts'
import { toApiError, toQuotaError } from '../response/error-response.ts'
import { type Responder, streamBody } from '../response/responder.ts'
import type { ResponseObserver } from '../response/response-observer.ts'
import type { Endpoint } from './endpoint.ts'
import { CachedRoute, type ParsedQuery, type PreparedQuery, type RouteCache } from './route-cache.ts'

/** What the handlers of all endpoints share. */
interface EndpointHandlerDeps {
  readonly engine: QueryEngine
  readonly keys: Pick<KeyStore, 'find'>
  readonly meter: Pick<Meter, 'admit' | 'charge' | 'refund'>
  readonly visitorTokens: VisitorTokens | undefined
  readonly observer: ResponseObserver | undefined
  readonly clock: Clock
  readonly countries: 'array' | 'map'
  /** Whether responses on the marketplace's base also state the quota in the marketplace's headers. */
  readonly hasMarketplaceQuota: boolean
  readonly names: KeyHeaders
  readonly responder: Responder
  readonly routes: RouteCache
  readonly streams: ChangeStreams
  readonly log: RequestLog
}

/** A request, as far as it was handled. */
interface ReceivedRequest {
  readonly req: ApiRequest
  readonly res: ApiResponse
  readonly id: string
  readonly key: ResolvedKey | undefined
  readonly admission: Admission | undefined
  /** The header about what was ignored. */
  readonly ignored: HeaderBlock
  readonly now: number
  /** Of the clock that never goes back. */
  readonly startedAt: number
}

/** A request whose query is executed. */
interface AdmittedRequest extends ReceivedRequest {
  readonly route: CachedRoute
  readonly parsed: ParsedQuery
  readonly query: Query
  readonly key: ResolvedKey
  readonly admission: Admission
}

const CACHE_CONTROL_HEADER = formatHeader('Cache-Control', 'private, max-age=60')
const CACHED_JSON_HEADERS = formatHeader('Content-Type', JSON_TYPE) + CACHE_CONTROL_HEADER

const EXPORT_HEADERS = formatHeader('Content-Type', NDJSON_TYPE) + formatHeader('Cache-Control', 'no-store')

/** Proxies must neither keep a stream nor wait for its end. */
const STREAM_HEADERS =
  formatHeader('Content-Type', EVENT_STREAM_TYPE) +
  formatHeader('Cache-Control', 'no-store') +
  formatHeader('X-Accel-Buffering', 'no')

/** The route of a URL, cached or new; `path` holds the path parameters that the router found. */
export type ResolveRoute = (url: string, path: Readonly<Record<string, string>>) => CachedRoute

/**
 * Creates the handler of one endpoint on one base path. A request is handled in one turn of the event loop, in this
 * order: key, catalog, plan, parameters, fresh entity tag, query; a query that takes long runs in later turns. Path and method were
 * checked by the router.
 */
export function createEndpointHandler(endpoint: Endpoint, base: KeySource, deps: EndpointHandlerDeps): ResolveRoute {
  const { engine, meter, clock, names, responder, log, routes, observer } = deps
  const authenticate = createAuthenticator(base, deps)
  const parser = createParameterParser(endpoint.parameters)
  const baseLength = BASE_PATHS[base].length
  const hasMarketplaceQuota = base === 'marketplace' && deps.hasMarketplaceQuota
  const { operationId } = endpoint
  const pathParameter = Object.keys(endpoint.pathParameters.properties)[0]

  return (url, path) => routes.get(url) ?? new CachedRoute(url, baseLength, path, handle, deps.countries)

  function handle(route: CachedRoute, req: ApiRequest, res: ApiResponse, id: string): void {
    const now = clock()
    const startedAt = observer === undefined ? 0 : performance.now()
    let key: ResolvedKey | undefined
    let admission: Admission | undefined
    let ignored = ''
    log.logOnFinish(req, res, id)

    try {
      checkRequest(req)
      key = authenticate(req, now)
      const version = engine.version()
      if (version === 0) {
        throw new ApiError('unavailable', 'The service holds no catalog yet; try again later.', { retryAfter: 5 })
      }
      admission = meter.admit(key, now)
      if (admission.refusal !== undefined) throw toQuotaError(admission)

      const parsed = route.parsed(prefersStrictHandling(req.headers.prefer))
      const day = Math.floor(now / SECONDS_PER_DAY)
      let { prepared } = parsed
      if (prepared === undefined || prepared.version !== version || prepared.day !== day) {
        const parts: IgnoredPart[] = []
        try {
          prepared = prepare(route, parsed, parts, version, day, now)
        } finally {
          // An error is often about a parameter whose name was ignored.
          ignored = ignoredParametersHeader(parts)
        }
      }
      ignored = prepared.ignoredHeader
      const { query } = prepared
      if (key.id === VISITOR_KEY_ID && !isPageQuery(query)) throw missingKeyError(base, names)
      if (query.kind === 'export') checkMayExport(key)
      if (prepared.cost !== 1) {
        admission = meter.charge(key, admission, prepared.cost, now)
        if (admission.refusal !== undefined) throw toQuotaError(admission, prepared.cost)
      }
      if (query.kind === 'export') {
        const headers = keyHeaders(req, id, key, admission, now, false) + EXPORT_HEADERS + ignored
        sendExport(req, res, id, query, now, headers)
        observe(req, id, 200, startedAt, key)
        return
      }
      if (query.kind === 'changes-stream') {
        const headers = keyHeaders(req, id, key, admission, now, false) + STREAM_HEADERS + ignored
        openStream(req, res, key.id, query, headers)
        observe(req, id, 200, startedAt, key)
        return
      }
      const ifNoneMatch = req.headers['if-none-match']
      const fresh = ifNoneMatch === undefined ? undefined : freshETag(route, parsed, query, ifNoneMatch, now)
      if (fresh !== undefined) {
        const unknownIds = query.kind === 'shows' ? query.ids.filter((one) => !engine.hasShow(one)) : []
        sendNotModified(req, res, id, key, admission, now, fresh, ignored + unknownIdsHeader(unknownIds))
        observe(req, id, 304, startedAt, key)
        return
      }

      const response = engine.execute(query, now, route.isRepeated)
      const admitted = { req, res, id, route, parsed, query, key, admission, ignored, now, startedAt }
      if (response?.renderInTurns === undefined) sendFound(admitted, response)
      else sendInTurns(admitted, response.renderInTurns(), response.unknownIds)
    } catch (error) {
      sendFailure({ req, res, id, key, admission, ignored, now, startedAt }, error)
    }
  }

  /** Sends what a query found, or that the client has it already. */
  function sendFound(admitted: AdmittedRequest, response: RenderedResponse | undefined): void {
    const { req, res, id, route, parsed, query, key, admission, ignored, now, startedAt } = admitted
    if (response === undefined) throw notFoundError()
    const ifNoneMatch = req.headers['if-none-match']
    const etag = currentETag(parsed, query, response, now)
    const own = response.unknownIds === undefined ? ignored : ignored + unknownIdsHeader(response.unknownIds)
    if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag)) {
      response.body.release?.()
      sendNotModified(req, res, id, key, admission, now, etag, own)
      observe(req, id, 304, startedAt, key)
      return
    }
    const headers = `${keyHeaders(req, id, key, admission, now, false)}${CACHED_JSON_HEADERS}ETag: ${etag}\r\n${own}`
    const compressing = responder.send(req, res, 200, headers, response.body, etag + route.target)
    if (compressing === undefined) observe(req, id, 200, startedAt, key)
    else compressing.then(() => observe(req, id, 200, startedAt, key))
  }

  /** Sends a response that is rendered over many turns of the event loop. */
  function sendInTurns(
    admitted: AdmittedRequest,
    rendering: Promise<RenderedResponse | undefined>,
    unknownIds: readonly string[] | undefined,
  ): void {
    rendering
      .then((response) => sendFound(admitted, response && unknownIds ? { ...response, unknownIds } : response))
      .catch((error: unknown) => sendFailure(admitted, error))
  }

  function sendFailure(request: ReceivedRequest, error: unknown): void {
    const { req, res, id, key, admission, ignored, now, startedAt } = request
    const apiError = toApiError(error)
    const { status, code } = apiError
    const refunded = admission !== undefined && status >= 500
    if (refunded) meter.refund(key as ResolvedKey, admission)
    responder.sendError(req, res, id, apiError, keyHeaders(req, id, key, admission, now, refunded) + ignored)
    observe(req, id, status, startedAt, key)
    const damagedTable = findDamage(apiError.cause)?.table
    observer?.onError({ endpoint: operationId, status, code, at: now, key, damagedTable })
  }

  /** Sends an export. One that is cut off ends the connection, so that the client notices. */
  function sendExport(
    req: ApiRequest,
    res: ApiResponse,
    id: string,
    query: ExportQuery,
    now: number,
    headers: HeaderBlock,
  ): void {
    // The fast path does not have this endpoint.
    if ('send' in res) throw new Error('An export needs a response of the HTTP server')
    const opened = engine.openExport(query, now)
    if (opened === undefined) {
      const message = 'As many exports are running as the service makes at a time; try again in a minute.'
      throw new ApiError('overloaded', message, { retryAfter: 60 })
    }
    streamBody(req, res as unknown as ServerResponse, headers, opened.chunks)
      .catch((error: unknown) => {
        if (!isClosedEarly(error)) responder.sendError(req, res, id, error)
      })
      .finally(opened.close)
  }

  /** Opens a stream, which goes on behind the event that the client received last. */
  function openStream(
    req: ApiRequest,
    res: ApiResponse,
    keyId: string,
    query: ChangesStreamQuery,
    headers: HeaderBlock,
  ): void {
    if ('send' in res) throw new Error('A stream needs a response of the HTTP server')
    const since = String(req.headers['last-event-id'] ?? '') || query.since
    const open = deps.streams.admit({ keyId, query, since, isAllowed: (now) => isAllowed(req, now) })
    res.writeHead(200, toHeaderList(headers))
    if (req.method === 'HEAD') res.end()
    else open(res as unknown as ServerResponse)
  }

  function isAllowed(req: ApiRequest, now: number): boolean {
    try {
      authenticate(req, now)
      return true
    } catch {
      return false
    }
  }

  function observe(req: ApiRequest, id: string, status: number, startedAt: number, key: ResolvedKey | undefined): void {
    const ms = performance.now() - startedAt
    observer?.onResponse(operationId, status, ms, key, req.headers.origin, req.url ?? '', id)
  }

  /** The client's tag if it is fresh. Most clients send back the last tag unchanged, so that is compared first. */
  function freshETag(
    route: CachedRoute,
    parsed: ParsedQuery,
    query: Query,
    ifNoneMatch: string,
    now: number,
  ): string | undefined {
    const contentHash = engine.contentHash(query)
    const { etag } = parsed
    if (etag !== undefined && etag.text === ifNoneMatch && etag.contentHash === contentHash && now < etag.validUntil)
      return etag.text
    const fresh = findFreshETag(ifNoneMatch, contentHash, parsed.hash, now)
    if (fresh !== undefined) {
      parsed.etag = parseETag(fresh, contentHash)
      routes.put(route)
    }
    return fresh
  }

  /** Parses the parameters of a route for this catalog version and day, and caches the query. */
  function prepare(
    route: CachedRoute,
    parsed: ParsedQuery,
    ignored: IgnoredPart[],
    version: number,
    day: number,
    now: number,
  ): PreparedQuery {
    const { strict } = parsed
    const scanned = parser.scan(extractQueryString(route.target), strict)
    ignored.push(...scanned.ignored)
    const ignore = (part: IgnoredPart) => void ignored.push(part)
    const context = { names: engine.names(), now, countries: deps.countries, strict, ignore }
    const query = Object.freeze(endpoint.toQuery(parser.parse(scanned), route.path, context))
    const prepared = {
      query,
      cost: endpoint.cost?.(query) ?? 1,
      version,
      day,
      ignoredHeader: ignoredParametersHeader(ignored),
    }
    parsed.prepared = prepared
    // A cached route is open to the fast path, which cannot stream.
    if (endpoint.responseType === undefined) routes.put(route)
    return prepared
  }

  function currentETag(parsed: ParsedQuery, query: Query, response: RenderedResponse, now: number): string {
    const { contentHash = engine.contentHash(query) } = response
    const validUntil = endpoint.daily ? Math.min(response.validUntil, endOfDay(now) + 1) : response.validUntil
    let { etag } = parsed
    if (etag === undefined || etag.contentHash !== contentHash || etag.validUntil !== validUntil) {
      etag = { text: formatETag(contentHash, parsed.hash, validUntil), contentHash, validUntil }
      parsed.etag = etag
    }
    return etag.text
  }

  /** The headers that depend on the key: allowed origin and quota. */
  function keyHeaders(
    req: ApiRequest,
    id: string,
    key: ResolvedKey | undefined,
    admission: Admission | undefined,
    now: number,
    refunded: boolean,
  ): HeaderBlock {
    const headers = responder.baseHeaders(req, id, key?.origins === undefined ? undefined : req.headers.origin)
    if (admission === undefined) return headers
    const quota = quotaHeaders(admission, now, refunded)
    return hasMarketplaceQuota ? headers + quota + marketplaceQuotaHeaders(admission, now, refunded) : headers + quota
  }

  /** Sends that the client has the response already, with the headers of its own that it would have. */
  function sendNotModified(
    req: ApiRequest,
    res: ApiResponse,
    id: string,
    key: ResolvedKey,
    admission: Admission,
    now: number,
    etag: string,
    own: HeaderBlock,
  ): void {
    meter.refund(key, admission)
    const headers = keyHeaders(req, id, key, admission, now, true)
    responder.sendHeaders(res, 304, `${headers}${CACHE_CONTROL_HEADER}ETag: ${etag}\r\n${own}`)
  }

  function notFoundError(): ApiError {
    const message = endpoint.notFound ?? 'There is nothing at this path.'
    return new ApiError('not_found', message, pathParameter === undefined ? {} : { parameter: pathParameter })
  }
}

/** Rejects a key whose plan does not include exports. */
function checkMayExport({ plan }: ResolvedKey): void {
  if (mayExport(plan)) return
  const message = `The plan "${plan.name}" does not include exports of the catalog; a plan that does is needed.`
  throw new ApiError('not_in_plan', message)
}

/** Whether a client closed its connection, or was too slow and had it closed. */
function isClosedEarly(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** The first `handling` of a `Prefer` header, which is the one that counts; a parameter of another preference is none. */
const HANDLING = /(?:^|,)\s*handling\s*=\s*"?([^\s",;]*)/i

/** Whether a `Prefer` header asks for `handling=strict` (RFC 7240). */
function prefersStrictHandling(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && HANDLING.exec(String(prefer))?.[1]?.toLowerCase() === 'strict'
}
