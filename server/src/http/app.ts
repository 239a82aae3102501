import { createServer, METHODS, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteHandlerMethod } from 'fastify'
import type { Logger } from 'pino'
import { KEY_SOURCES } from '../accounts/keys/api-key.ts'
import type { KeyStore } from '../accounts/keys/key-store.ts'
import type { Meter } from '../accounts/metering/meter.ts'
import type { Clock } from '../lib/clock.ts'
import type { QueryEngine } from '../render/query-engine.ts'
import { createEndpointHandler, type ResolveRoute } from './api/endpoint-handler.ts'
import { ENDPOINTS } from './api/endpoints.ts'
import { openApiDocument } from './api/openapi.ts'
import { createRouteCache } from './api/route-cache.ts'
import { createFastPath } from './fast-path/fast-path.ts'
import { createMetricsHandler, healthPage, type LedgerHealth, readinessPage } from './observe/monitoring.ts'
import { createRequestLog } from './observe/request-log.ts'
import type { ResponseObserver } from './observe/response-observer.ts'
import { addPlatformRoutes, type PlatformDeps } from './platform/platform.ts'
import { checkRequest, resolveRequestId } from './request/exchange.ts'
import type { VisitorTokenDeps, VisitorTokens } from './request/visitor-token.ts'
import { closeWithError, handleClientError } from './response/error-response.ts'
import { ApiError } from './response/errors.ts'
import { ALLOWED_METHODS, BASE_PATHS, createAllowedMethods, keyHeaders, preflightHeaders } from './response/headers.ts'
import { createResponder, JSON_TYPE, pathNotFoundError } from './response/responder.ts'
import { attributionsPage, createPageHandler, type Page, SITE_CACHE_CONTROL, type Site } from './site/page.ts'
import { createWebPageHandler, type PrefetchRequest, prefersHtml, sendNotFoundPage } from './site/web-page-handler.ts'
import type { WebPages } from './site/web-pages.ts'

/** The settings that the HTTP side goes by. */
export interface AppSettings {
  /** The marketplace's name, as it stands in its key header. */
  readonly marketplace: string
  readonly keyPrefix: string
  readonly countries: 'array' | 'map'
}

/** What the app is made of. */
export interface AppDeps {
  readonly engine: QueryEngine
  readonly keys: Pick<KeyStore, 'find'>
  readonly meter: Pick<Meter, 'admit' | 'refund'>
  readonly clock: Clock
  readonly settings: AppSettings
  readonly logger: Logger | false
  readonly sites?: readonly Site[]
  /** How this node stands to a ledger elsewhere, if it follows one. */
  readonly ledger?: (() => LedgerHealth) | undefined
  /** The pages for people. Without them the paths that they have do not exist. */
  readonly web?: WebPages
  /** Who is told of every answer of the API. */
  readonly observer?: ResponseObserver
  /** What lets the service's own pages in. */
  readonly visitorTokens?: VisitorTokens
  /** The developer platform, if there is to be one. */
  readonly platform?: PlatformDeps
  /** The figures of all processes, in the form that Prometheus reads. */
  readonly metrics?: () => Promise<string>
  /** Whether requests should be turned away for the moment. */
  readonly isOverloaded?: () => boolean
  /** Whether connections are to be let go of, each with the next answer on it. */
  readonly isDraining?: () => boolean
}

/** Room for a URL of 8 KiB and for headers, so that a URL that is a little too long is still read and named. */
const MAX_HEADER_BYTES = 32 * 1024

/** Room in a path's parameter for all that a URL can hold. */
const MAX_PARAMETER_LENGTH = 8192

/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000

/** How long a connection may idle: longer than load balancers let theirs, so that none closes under a request. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000

/** The whole HTTP side as an app that does not listen yet. */
export function createApp(deps: AppDeps): FastifyInstance {
  const { engine, settings, web } = deps
  const names = keyHeaders(settings.marketplace)
  const log = createRequestLog(deps.logger, settings.keyPrefix)
  const responder = createResponder(names, log)
  const preflight = preflightHeaders(names)
  const secureCookies = deps.platform?.settings.secureCookies ?? false
  const visits: VisitorTokenDeps = { visitorTokens: deps.visitorTokens, secureCookies, clock: deps.clock }
  const urls = createRouteCache()
  const allowed = createAllowedMethods(MAX_PARAMETER_LENGTH)
  const lane = createFastPath({
    routes: urls,
    maxParameterLength: MAX_PARAMETER_LENGTH,
    isDraining: deps.isDraining ?? (() => false),
    firstRequestMs: REQUEST_TIMEOUT_MS,
    keepAliveMs: KEEP_ALIVE_TIMEOUT_MS,
  })

  const app = Fastify({
    serverFactory: (route) => {
      const server = createHttpServer(route)
      lane.attach(server)
      return server
    },
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // What the platform is sent is taken as it is, or refused. The schemas are ours, and typed: to check them, too, takes
    // longer than to compile them.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, validateSchema: false } },
    genReqId: resolveRequestId,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: () => EMPTY_QUERY },
    frameworkErrors: (error, request, reply) => refuse(request, reply, error),
    clientErrorHandler: handleClientError,
  })
  app.setErrorHandler((error, request, reply) => responder.sendError(request.raw, reply.raw, request.id, error))
  app.setNotFoundHandler((request, reply) => {
    if (request.raw.url === '*' && request.method === 'OPTIONS') answerPreflight(request, reply)
    else refuse(request, reply, pathNotFoundError())
  })
  // No path takes a body. On unknown paths it is left unread, so that the answer is about the path.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  // Methods that a path does not take are refused before anything of a body is read.
  app.addHook('onRequest', (request, reply, done) => {
    const methods = request.is404 ? allowed.find(request.raw.url as string) : undefined
    if (methods === undefined) done()
    else refuse(request, reply, methodNotAllowedError(methods))
  })

  for (const endpoint of ENDPOINTS) {
    for (const source of KEY_SOURCES) {
      const urlMaker = createEndpointHandler(endpoint, source, {
        ...deps,
        observer: deps.observer,
        passes: deps.visitorTokens,
        countries: settings.countries,
        isOverloaded: deps.isOverloaded ?? (() => false),
        names,
        responder,
        routes: urls,
        log,
      })
      for (const route of endpoint.routes) {
        addPath(BASE_PATHS[source] + route, createRouteHandler(urlMaker))
        lane.addRoute(BASE_PATHS[source] + route, urlMaker)
      }
    }
  }

  const openApi: Page = {
    contentType: JSON_TYPE,
    body: Buffer.from(JSON.stringify(openApiDocument(settings))),
    cacheControl: 'public, max-age=300',
  }
  addPage('/healthz', healthPage)
  addPage('/readyz', () => readinessPage(engine, deps.ledger?.()))
  if (deps.metrics !== undefined) addPath('/metrics', createMetricsHandler(responder, log, deps.metrics))
  if (deps.platform !== undefined) addPlatformRoutes(app, deps.platform, allowed, log)
  addPage('/openapi.json', () => openApi)
  addPage('/attributions.json', () => attributionsPage(engine.attributions()))
  for (const site of deps.sites ?? []) {
    const cacheControl = site.cacheControl ?? SITE_CACHE_CONTROL
    addPage(`${site.prefix}*`, (path) => {
      const resource = site.serve(path)
      return resource && { ...resource, cacheControl }
    })
  }

  if (web !== undefined) {
    const ask: PrefetchRequest = (request) => app.inject(request)
    for (const path of web.paths) {
      const handler = createWebPageHandler(path, { ...visits, web, prefetch: ask, responder, log })
      addPath(path, handler)
      if (!path.endsWith('/') && !path.endsWith('*')) addPath(`${path}/`, handler)
    }
    addPage('/assets/*', (name) => web.asset(name))
  }

  app.addHook('preClose', (done) => {
    lane.close()
    done()
  })
  app.server.on('checkExpectation', (req, res) => app.server.emit('request', req, res))
  app.server.on('connect', (_request, socket) =>
    closeWithError(socket as Socket, methodNotAllowedError(ALLOWED_METHODS)),
  )
  return app

  function addPage(path: string, find: (path: string) => Page | undefined): void {
    addPath(path, createPageHandler(responder, log, find))
  }

  /** A path takes GET and HEAD, and says so to OPTIONS. */
  function addPath(url: string, handler: RouteHandlerMethod): void {
    app.route({ method: ['GET', 'HEAD'], url, handler })
    app.route({ method: 'OPTIONS', url, handler: answerPreflight })
    allowed.add(url, ALLOWED_METHODS)
  }

  function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
    responder.sendHeaders(reply.raw, 204, responder.baseHeaders(request.raw, request.id) + preflight)
  }

  function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    log.logOnFinish(request.raw, reply.raw, request.id)
    try {
      checkRequest(request.raw)
    } catch (worse) {
      responder.sendError(request.raw, reply.raw, request.id, worse)
      return
    }
    if (web === undefined || !prefersHtml(request.raw)) responder.sendError(request.raw, reply.raw, request.id, error)
    else void sendNotFoundPage(request, reply.hijack(), { ...visits, web, responder, log })
  }
}

/** The handler of an endpoint for requests that come through the router. */
function createRouteHandler(urlMaker: ResolveRoute): RouteHandlerMethod {
  return (request, reply) => {
    const known = urlMaker(request.raw.url as string, request.params as Record<string, string>)
    known.handle(known, request.raw, reply.raw, request.id)
  }
}

/** A server with the limits of the service. */
function createHttpServer(listener: RequestListener): Server {
  // Node's own refusal of a request without Host has no body; checkRequest answers it in our shape.
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false }, listener)
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
  return server
}

/** Query strings are read by the endpoints' own schemas, so the router has nothing to parse. */
const EMPTY_QUERY = Object.freeze({})

function methodNotAllowedError(methods: string): ApiError {
  return new ApiError('method_not_allowed', `This path takes only ${methods}.`, { headers: ['Allow', methods] })
}
