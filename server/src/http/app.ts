import {
  createServer,
  type IncomingMessage,
  METHODS,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteHandlerMethod } from 'fastify'
import type { Logger } from 'pino'
import type { KeyStore } from '../accounts/keys/key-store.ts'
import type { Meter } from '../accounts/keys/meter.ts'
import { KEY_SOURCES } from '../accounts/store/account-tables.ts'
import type { MeteredCache } from '../lib/cache.ts'
import type { Clock } from '../lib/clock.ts'
import type { QueryEngine } from '../render/query-engine.ts'
import { createEndpointHandler, type ResolveRoute } from './api/endpoint-handler.ts'
import { ENDPOINTS } from './api/endpoints.ts'
import { openApiDocument } from './api/openapi.ts'
import { RouteCache } from './api/route-cache.ts'
import { shapeCache } from './api/shape-parameters.ts'
import { ApiError, pathNotFoundError } from './exchange/errors.ts'
import { type ApiRequest, type ApiResponse, checkRequest, resolveRequestId } from './exchange/exchange.ts'
import {
  ALLOWED_METHODS,
  BASE_PATHS,
  createAllowedMethods,
  JSON_TYPE,
  keyHeaders,
  MARKETPLACE_QUOTA_HEADERS,
} from './exchange/headers.ts'
import { createRequestLog } from './exchange/request-log.ts'
import { createFastPath } from './fast-path/fast-path.ts'
import { createFeedRoutes } from './feeds/feed-routes.ts'
import { addMcpRoute } from './mcp/mcp-server.ts'
import { addPlatformRoutes } from './platform/platform.ts'
import type { PlatformDeps } from './platform/platform-route.ts'
import { type AdmissionQueue, type ConnectionLimit, limitConnections } from './request/admission-queue.ts'
import { createKeyCheck } from './request/authenticate.ts'
import { SCHEMA_COMPILERS } from './request/body-validator.ts'
import { createNetworkResolver, type ResolveClientAddress } from './request/client.ts'
import { oldPathError, presentPath } from './request/old-paths.ts'
import { FairQueue, MAX_PIPELINED_REQUESTS, RequestQueue } from './request/request-queue.ts'
import type { VisitorTokenDeps, VisitorTokens } from './request/visitor-token.ts'
import { ChangeStreams } from './response/change-streams.ts'
import { createPreflightHeaders, preflightOrigin } from './response/cors.ts'
import { createConnectionErrors, createErrorRenderer } from './response/error-response.ts'
import { createResponder } from './response/responder.ts'
import type { ResponseObserver } from './response/response-observer.ts'
import {
  createMetricsHandler,
  healthPage,
  type LedgerHealth,
  type NodeReadiness,
  readinessPage,
} from './site/monitoring.ts'
import {
  attributionsPage,
  createPageHandler,
  type Page,
  requestOrigin,
  SITE_CACHE_CONTROL,
  type Site,
} from './site/page.ts'
import { createWebPageHandler, prefersHtml, sendNotFoundPage } from './site/web-page-handler.ts'
import type { WebPages } from './site/web-pages.ts'

/** The settings of the HTTP side. */
export interface AppSettings {
  /** The marketplace's name in its key header. */
  readonly marketplace: string
  readonly keyPrefix: string
  readonly countries: 'array' | 'map'
  /** `original`: responses to marketplace keys also state the quota in the marketplace's headers. */
  readonly compatibility?: 'none' | 'original'
  /** The address of the service in links; without it, links are relative to its root. */
  readonly publicUrl?: string | undefined
  /** Streams of changes that one key may have open in this process; 10 by default. */
  readonly maxStreamsPerKey?: number
  /** `off` leaves every connection to Node's server; `on` by default. */
  readonly fastPath?: 'on' | 'off'
}

/** The dependencies of the app. */
interface AppDeps {
  readonly engine: QueryEngine
  readonly keys: Pick<KeyStore, 'find'>
  readonly meter: Pick<Meter, 'admit' | 'charge' | 'refund'>
  readonly clock: Clock
  readonly settings: AppSettings
  readonly logger: Logger | false
  readonly sites?: readonly Site[]
  /** The replication state of this node, if it follows a ledger in PostgreSQL. */
  readonly ledger?: (() => LedgerHealth) | undefined
  /** The readiness of all processes of this node. */
  readonly readiness?: () => NodeReadiness
  /** The web pages; without them their paths do not exist. */
  readonly web?: WebPages
  /** Observes every response of the API. */
  readonly observer?: ResponseObserver
  /** Authenticates the service's own web pages. */
  readonly visitorTokens?: VisitorTokens
  /** The developer platform; without it its paths do not exist. */
  readonly platform?: PlatformDeps
  /** The metrics of all processes in the text format of Prometheus. */
  readonly metrics?: (() => Promise<string>) | undefined
  /** The bearer token that `/metrics` requires. */
  readonly metricsToken?: string | undefined
  /** Delays and rejects requests while the process cannot keep up; none is if absent. */
  readonly admission?: AdmissionQueue
  /** How long a request may take to arrive; half a minute by default. */
  readonly requestTimeoutMs?: number
  /** How long a client may take nothing of a response; half a minute by default. */
  readonly writeTimeoutMs?: number
  /** The address of a client; that of its connection if absent. */
  readonly resolveClientAddress?: ResolveClientAddress
  /** Bounds the connections of a client; unbounded if absent. */
  readonly connectionLimit?: ConnectionLimit
  /** Whether this process is about to stop: connections are then closed after their next response. */
  readonly isDraining?: () => boolean
}

/** The HTTP side: a Fastify app that also lists its caches for the metrics. */
export interface App extends FastifyInstance {
  caches(): readonly MeteredCache[]
  /** How many streams of changes are open. */
  openStreams(): number
}

/** Room for a URL of 8 KiB and the headers, so that a slightly longer URL is parsed and gets its own error. */
const MAX_HEADER_BYTES = 32 * 1024

/** As long as a URL can be. */
const MAX_PARAMETER_LENGTH = 8192

/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000

/** How often late requests are looked for. */
const TIMEOUT_CHECK_MS = 1_000

/** Longer than the idle timeout of load balancers, so that the service never closes a connection under a request. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000

/** How long a client may take nothing of a response before its connection is closed. */
const WRITE_TIMEOUT_MS = 30_000

const MAX_STREAMS_PER_KEY = 10

/** Creates the HTTP side as an app that does not listen yet. */
export function createApp(deps: AppDeps): App {
  const { engine, settings, web } = deps
  const names = keyHeaders(settings.marketplace)
  const log = createRequestLog(deps.logger, settings.keyPrefix)
  const hasMarketplaceQuota = settings.compatibility === 'original'
  const renderError = createErrorRenderer(settings.publicUrl)
  const extraHeaders = hasMarketplaceQuota ? MARKETPLACE_QUOTA_HEADERS : []
  const responder = createResponder({ names, log, renderError, extraHeaders })
  const connectionErrors = createConnectionErrors(renderError)
  const preflightHeaders = createPreflightHeaders(names)
  const tokenDeps: VisitorTokenDeps = { visitorTokens: deps.visitorTokens, clock: deps.clock }
  const routes = new RouteCache()
  const allowed = createAllowedMethods(MAX_PARAMETER_LENGTH)
  const resolveNetwork = createNetworkResolver(deps.resolveClientAddress)
  const fairQueue = new FairQueue({
    hasKey: createKeyCheck(names, deps.keys, deps.clock),
    // Probes do not wait for the pages that others of their network open.
    network: (req) => (isProbe(req) ? `probes ${resolveNetwork(req)}` : resolveNetwork(req)),
  })
  const requestTimeoutMs = deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const fastPath = createFastPath({
    routes,
    admission: deps.admission,
    fairQueue,
    isProbe,
    rejectOverload,
    maxParameterLength: MAX_PARAMETER_LENGTH,
    isDraining: deps.isDraining ?? (() => false),
    firstRequestMs: requestTimeoutMs,
    keepAliveMs: KEEP_ALIVE_TIMEOUT_MS,
    writeMs: deps.writeTimeoutMs ?? WRITE_TIMEOUT_MS,
  })

  const streams = new ChangeStreams({
    engine,
    clock: deps.clock,
    maxPerKey: settings.maxStreamsPerKey ?? MAX_STREAMS_PER_KEY,
    isDraining: deps.isDraining ?? (() => false),
  })

  let requests: RequestQueue | undefined
  const app = Fastify({
    serverFactory: (route) => {
      const { admission } = deps
      requests = new RequestQueue({
        handle: route,
        rejectPipelined,
        fairQueue,
        admission,
        rejectOverload,
        isProbe,
      })
      const server = createHttpServer(requests.listener, requestTimeoutMs)
      // Progress of a write counts as activity, so this closes only connections whose client takes nothing.
      server.timeout = deps.writeTimeoutMs ?? WRITE_TIMEOUT_MS
      if (settings.fastPath !== 'off') fastPath.attach(server)
      if (deps.connectionLimit !== undefined) limitConnections(server, deps.connectionLimit, rejectConnection)
      if (admission !== undefined) server.on('connection', admission.onConnection)
      return server
    },
    return503OnClosing: false,
    exposeHeadRoutes: false,
    schemaController: SCHEMA_COMPILERS,
    // Bodies are validated without coercion. The schemas are typed constants, and validating them takes longer than
    // compiling them.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, validateSchema: false } },
    genReqId: resolveRequestId,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: () => EMPTY_QUERY },
    frameworkErrors: (error, request, reply) => reject(request, reply, error),
    // Good requests before a malformed one are answered first.
    clientErrorHandler: (error, socket) =>
      connectionErrors.handleClientError(error, socket, (close) => requests?.whenIdle(socket, close)),
  })
  app.setErrorHandler((error, request, reply) => responder.sendError(request.raw, reply.raw, request.id, error))
  app.setNotFoundHandler((request, reply) => {
    const { url = '', headers } = request.raw
    // A browser sends the request, and its script reads the error, only after a successful preflight.
    const isPreflight = url === '*' || headers['access-control-request-method'] !== undefined
    if (request.method === 'OPTIONS' && isPreflight) sendPreflight(request, reply)
    else reject(request, reply, oldPathError(url) ?? pathNotFoundError())
  })
  // No path outside the platform takes a body. On unknown paths it stays unread, so that the error is about the path.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  // A wrong method is rejected before any of the body is read.
  app.addHook('onRequest', (request, reply, done) => {
    const methods = request.is404 ? allowed.find(request.raw.url as string) : undefined
    if (methods === undefined) done()
    else reject(request, reply, methodNotAllowedError(methods))
  })

  for (const endpoint of ENDPOINTS) {
    for (const source of KEY_SOURCES) {
      const resolveRoute = createEndpointHandler(endpoint, source, {
        ...deps,
        observer: deps.observer,
        visitorTokens: deps.visitorTokens,
        countries: settings.countries,
        hasMarketplaceQuota,
        names,
        responder,
        routes,
        streams,
        log,
      })
      for (const route of endpoint.routes) {
        addPath(BASE_PATHS[source] + route, createRouteHandler(resolveRoute))
        // The fast path sends whole bodies only.
        if (endpoint.responseType === undefined) fastPath.addRoute(BASE_PATHS[source] + route, resolveRoute)
      }
    }
  }

  let openApi: Page | undefined
  addPage('/healthz', healthPage)
  addPage('/readyz', () => readinessPage(engine, deps.ledger?.(), deps.readiness?.()))
  if (deps.metrics !== undefined)
    addPath('/metrics', createMetricsHandler(responder, log, deps.metrics, deps.metricsToken))
  if (deps.platform !== undefined) addPlatformRoutes(app, deps.platform, { allowed, log, renderError, engine })
  addMcpRoute(app, { ...deps, names, allowed, responder, log })
  const feeds = createFeedRoutes({
    ...deps,
    publicUrl: settings.publicUrl,
    visitorTokens: deps.visitorTokens,
    savedFeeds: deps.platform?.accounts.feeds,
    responder,
    log,
  })
  for (const [path, handler] of feeds.paths) addPath(path, handler)
  addPage('/openapi.json', () => {
    openApi ??= {
      contentType: JSON_TYPE,
      body: Buffer.from(JSON.stringify(openApiDocument(settings))),
      cacheControl: 'public, max-age=300',
    }
    return openApi
  })
  addPage('/attributions.json', () => attributionsPage(engine.attributions()))
  for (const site of deps.sites ?? []) {
    const { headers: siteHeaders = [], cacheControl = SITE_CACHE_CONTROL } = site
    addPage(site.isExact === true ? site.prefix : `${site.prefix}*`, (path, { headers }) => {
      const resource = site.serve(path, requestOrigin(headers, settings.publicUrl))
      const further = { cacheControl, headers: siteHeaders }
      if (resource instanceof Promise) return resource.then((made) => made && { ...made, ...further })
      return resource && { ...resource, ...further }
    })
  }

  if (web !== undefined) {
    for (const path of web.paths) {
      const pageHandler = createWebPageHandler(path, {
        ...tokenDeps,
        engine,
        web,
        // What the fast path cannot answer goes through the router.
        prefetch: async (request) => fastPath.answer(request) ?? app.inject(request),
        responder,
        log,
      })
      const handler = presentPath(path) === undefined ? pageHandler : createOldPathGuard(pageHandler)
      addPath(path, handler)
      if (!path.endsWith('/') && !path.endsWith('*')) addPath(`${path}/`, handler)
    }
    addPage('/assets/*', (name) => web.asset(name))
  }

  app.addHook('preClose', (done) => {
    streams.close()
    fastPath.close()
    done()
  })
  app.server.on('checkExpectation', (req, res) => app.server.emit('request', req, res))
  app.server.on('connect', ({ headers }, socket) =>
    connectionErrors.close(socket as Socket, methodNotAllowedError(ALLOWED_METHODS), headers.accept),
  )
  const cacheOwners = [routes, fastPath, responder, feeds, deps.visitorTokens, web]
  return Object.assign(app, {
    caches: () => [...cacheOwners.flatMap((owner) => owner?.caches() ?? []), shapeCache],
    openStreams: () => streams.size,
  })

  function addPage(path: string, find: Parameters<typeof createPageHandler>[2]): void {
    addPath(path, createPageHandler(responder, log, find))
  }

  /** Adds a path with GET, HEAD and OPTIONS. */
  function addPath(url: string, handler: RouteHandlerMethod): void {
    // One route for all methods: adding a route takes longer than most requests.
    app.route({
      method: ['GET', 'HEAD', 'OPTIONS'],
      url,
      handler(request, reply) {
        return request.raw.method === 'OPTIONS' ? sendPreflight(request, reply) : handler.call(this, request, reply)
      },
    })
    allowed.add(url, ALLOWED_METHODS)
  }

  /** Wraps the handler of a page whose path was one of the API: a request with a key does not want the page. */
  function createOldPathGuard(handler: RouteHandlerMethod): RouteHandlerMethod {
    const keyNames = [names.direct, ...names.marketplace].map((name) => name.toLowerCase())
    return function guard(request, reply) {
      const { headers, url = '' } = request.raw
      if (!keyNames.some((name) => headers[name] !== undefined)) return handler.call(this, request, reply)
      reject(request, reply, oldPathError(url))
    }
  }

  function sendPreflight({ raw, id }: FastifyRequest, reply: FastifyReply): void {
    const headers = responder.baseHeaders(raw, id, preflightOrigin(raw)) + preflightHeaders(raw)
    responder.sendHeaders(reply.raw, 204, headers)
  }

  function rejectPipelined(req: IncomingMessage, res: ServerResponse): void {
    const message = `A connection may have ${MAX_PIPELINED_REQUESTS} requests at a time; send the rest of them again.`
    responder.sendError(req, res, resolveRequestId(req), new ApiError('overloaded', message, { retryAfter: 1 }))
  }

  function rejectOverload(req: ApiRequest, res: ApiResponse): void {
    responder.sendError(req, res, resolveRequestId(req), OVERLOADED)
  }

  function rejectConnection(socket: Socket): void {
    const message = 'Too many connections from this address; close some, or send requests over those that are open.'
    connectionErrors.close(socket, new ApiError('overloaded', message, { retryAfter: 1 }), undefined)
  }

  function reject(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    log.logOnFinish(request.raw, reply.raw, request.id)
    try {
      checkRequest(request.raw)
    } catch (requestError) {
      responder.sendError(request.raw, reply.raw, request.id, requestError)
      return
    }
    if (web === undefined || !prefersHtml(request.raw) || presentPath(request.raw.url ?? '') !== undefined)
      responder.sendError(request.raw, reply.raw, request.id, error)
    else void sendNotFoundPage(request, reply.hijack(), { ...tokenDeps, web, responder, log })
  }
}

/** The Fastify handler of an endpoint, for requests that the fast path does not take. */
function createRouteHandler(resolveRoute: ResolveRoute): RouteHandlerMethod {
  return (request, reply) => {
    const route = resolveRoute(request.raw.url as string, request.params as Record<string, string>)
    route.handle(route, request.raw, reply.raw, request.id)
  }
}

/** Node's HTTP server with the limits of the service. */
function createHttpServer(listener: RequestListener, requestTimeoutMs: number): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node's own response to a request without Host has no body; checkRequest sends the usual error instead.
      requireHostHeader: false,
      // Head and body together: with different limits Node takes the longer one for the body.
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // Node looks for late requests only every half a minute by default.
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestTimeoutMs),
    },
    listener,
  )
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
  return server
}

/** The paths of probes, which are answered before all other requests. */
const PROBE_PATHS = /^\/(?:healthz|readyz|metrics)(?:\?|$)/

function isProbe({ url = '' }: ApiRequest): boolean {
  return PROBE_PATHS.test(url)
}

/** Made once: its stack trace would cost more than the rest of a rejection. */
const OVERLOADED = new ApiError('overloaded', 'The service is overloaded; try again shortly.', { retryAfter: 1 })

/** The endpoints parse query strings by their own schemas, so the router's parser does nothing. */
const EMPTY_QUERY = Object.freeze({})

function methodNotAllowedError(methods: string): ApiError {
  return new ApiError('method_not_allowed', `This path takes only ${methods}.`, { headers: ['Allow', methods] })
}
