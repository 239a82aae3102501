import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../accounts/people/session-store.ts'
import type { Account } from '../../accounts/store/account-tables.ts'
import type { QueryEngine } from '../../render/query-engine.ts'
import { ApiError } from '../exchange/errors.ts'
import { checkRequest } from '../exchange/exchange.ts'
import { type AllowedMethods, JSON_TYPE } from '../exchange/headers.ts'
import type { RequestLog } from '../exchange/request-log.ts'
import { checkBearerToken, clientNetwork, isEqualConstantTime, isSameOrigin, ServiceCookie } from '../request/client.ts'
import { MAX_BODY_BYTES, type RenderError, toApiError } from '../response/error-response.ts'
import { createAccessRoutes, createAccountRoutes } from './account-routes.ts'
import { createKeyRoutes } from './key-routes.ts'
import { createMarketplaceRoutes } from './marketplace-routes.ts'
import { createOperatorRoutes, MAX_PIECE_BYTES } from './operator-routes.ts'
import type { PlatformDeps, PlatformRequest, PlatformRoute } from './platform-route.ts'
import { createFeedRoutes, createWebhookRoutes } from './push-routes.ts'
import { createUsageRoutes } from './usage-routes.ts'

const SESSION_COOKIE = 'marquee_session'
const SESSION_COOKIE_SECONDS = 30 * 86_400
const DEVICE_COOKIE = 'marquee_device'
const DEVICE_COOKIE_SECONDS = 180 * 86_400
const PLATFORM_BASE = '/platform'

/** What the platform shares with the rest of the HTTP side. */
interface PlatformOptions {
  readonly allowed: Pick<AllowedMethods, 'add'>
  readonly log: RequestLog
  readonly renderError: RenderError
  /** The catalog, whose ids check filters. */
  readonly engine: QueryEngine
}

/** Adds the routes of the developer platform, which serve the dashboard and are not part of the public API. */
export function addPlatformRoutes(
  app: FastifyInstance,
  deps: PlatformDeps,
  { allowed, log, renderError, engine }: PlatformOptions,
): void {
  const { secureCookies: secure } = deps.settings
  const sessionCookie = new ServiceCookie(SESSION_COOKIE, { seconds: SESSION_COOKIE_SECONDS, secure })
  const deviceCookie = new ServiceCookie(DEVICE_COOKIE, { seconds: DEVICE_COOKIE_SECONDS, secure })
  const routes = [
    ...createAccessRoutes(deps),
    ...createKeyRoutes(deps),
    ...createUsageRoutes(deps),
    ...createFeedRoutes(deps, () => engine.names()),
    ...createWebhookRoutes(deps, engine),
    ...createMarketplaceRoutes(deps),
    ...createOperatorRoutes(deps),
    ...createAccountRoutes(deps),
  ]
  app.register(async (platform) => {
    platform.removeAllContentTypeParsers()
    platform.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => {
        try {
          done(null, body.length === 0 ? undefined : JSON.parse(body.toString()))
        } catch (error) {
          done(new ApiError('invalid_body', `The body is not JSON: ${(error as Error).message}.`))
        }
      },
    )
    // The limit of each route holds: only pieces of files may have more than JSON.
    platform.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    platform.setErrorHandler((error, request, reply) => sendError(request, reply, error))
    for (const route of routes) platform.route(routeOptions(route))
  })
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
    allowed.add(PLATFORM_BASE + path, methods.join(', '))
  }

  function routeOptions(route: PlatformRoute) {
    return {
      method: route.method,
      url: PLATFORM_BASE + route.path,
      ...(route.body !== undefined && { schema: { body: route.body } }),
      bodyLimit: route.takesPiece === true ? MAX_PIECE_BYTES : MAX_BODY_BYTES,
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        log.logOnFinish(request.raw, reply.raw, request.id)
        checkRequest(request.raw)
        if (route.caller === 'marketplace') checkSecret(request)
        // Cross-site requests are rejected before their body is read.
        else if (route.method !== 'GET' && !isSameOrigin(request.raw, deps.settings.publicOrigin)) {
          throw crossSiteError(describeForeignPage(request.headers))
        }
        if (route.takesPiece === true) await authorize(route, request)
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const platformRequest = await authorize(route, request)
        if (route.isChange === true && platformRequest.account !== undefined) {
          await deps.accounts.changeLimiter.consume(platformRequest.account.id, platformRequest.now)
        }
        const response = await route.handle(platformRequest)
        if (response.signedIn !== undefined) reply.header('set-cookie', sessionCookie.serialize(response.signedIn))
        else if (response.signedOut === true) reply.header('set-cookie', sessionCookie.serialize(undefined))
        if (response.deviceToken !== undefined) reply.header('set-cookie', deviceCookie.serialize(response.deviceToken))
        if (response.cookie !== undefined) reply.header('set-cookie', response.cookie)
        const status = response.status ?? (response.body === undefined ? 204 : 200)
        return send(request, reply, status, response.body === undefined ? undefined : JSON.stringify(response.body))
      },
    }
  }

  /** Builds the request for a route; throws if the caller may not use it. */
  async function authorize(route: PlatformRoute, request: FastifyRequest): Promise<PlatformRequest> {
    const now = deps.clock()
    const token = sessionCookie.parse(request.headers.cookie)
    const session = token === undefined || token === '' ? undefined : await deps.accounts.sessions.find(token, now)
    const account = session && deps.accounts.users.get(session.accountId)
    if (route.caller === 'account' || route.caller === 'admin') checkSession(route, request, session, account)
    return {
      now,
      from: clientNetwork(deps.resolveClientAddress(request.raw)),
      deviceToken: deviceCookie.parse(request.headers.cookie),
      params: request.params as Record<string, string>,
      query: new URLSearchParams((request.raw.url ?? '').split('?')[1] ?? ''),
      body: request.body,
      ...(session !== undefined && account !== undefined && { session, account }),
    } as PlatformRequest
  }

  function checkSession(
    { caller, method }: PlatformRoute,
    request: FastifyRequest,
    session: Session | undefined,
    account: Account | undefined,
  ): void {
    if (session === undefined || account === undefined) {
      throw new ApiError('not_signed_in', 'Sign in first.', {
        headers: ['WWW-Authenticate', 'Session realm="marquee"'],
      })
    }
    const csrf = request.headers['x-csrf-token']
    if (method !== 'GET' && (typeof csrf !== 'string' || !isEqualConstantTime(csrf, session.csrfToken))) {
      throw crossSiteError('The header X-CSRF-Token must hold the csrfToken of /platform/session')
    }
    if (caller === 'admin' && account.role !== 'admin') {
      throw new ApiError('not_allowed', 'Only admins may do this; `marquee admin create` makes one.')
    }
  }

  function checkSecret(request: FastifyRequest): void {
    const { marketplaceSecret } = deps.settings
    if (marketplaceSecret === undefined) {
      throw new ApiError('not_found', 'This service is on no marketplace: MARQUEE_MARKETPLACE_SECRET is not set.')
    }
    checkBearerToken(request.headers.authorization, marketplaceSecret)
  }

  function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    const apiError = toApiError(error, 'platform')
    log.logErrorResponse(request.raw, request.id, apiError)
    const { headers, body } = renderError(apiError, request.id, request.headers.accept)
    reply.code(apiError.status).headers({ ...responseHeaders(request), vary: 'Accept, Cookie, Origin' })
    for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] as string, headers[i + 1])
    return reply.send(body)
  }
}

function send(request: FastifyRequest, reply: FastifyReply, status: number, body: string | undefined) {
  reply.code(status).headers(responseHeaders(request))
  return body === undefined ? reply.send() : reply.type(JSON_TYPE).send(body)
}

/** The headers of every response of the platform. */
function responseHeaders(request: FastifyRequest) {
  return {
    'x-request-id': request.id,
    'cache-control': 'no-store',
    vary: 'Cookie, Origin',
    'x-content-type-options': 'nosniff',
  }
}

/** Why a page counts as one of another site, and what an operator behind a proxy does about it. */
function describeForeignPage({ origin, referer, host = '' }: IncomingHttpHeaders): string {
  const page = origin ?? referer
  if (page === undefined) return 'This takes a page of this site'
  const proxyHint = 'Behind a proxy, forward Host with its port, or set MARQUEE_PUBLIC_URL'
  return `This takes a page of ${host}, and the request is of one of ${page}. ${proxyHint}`
}

function crossSiteError(message: string): ApiError {
  return new ApiError('cross_site_request', `${message}.`)
}
