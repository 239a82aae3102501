import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Meter } from '../../accounts/metering/meter.ts'
import type { Session } from '../../accounts/people/session-store.ts'
import type { SignUpMode } from '../../accounts/people/user-accounts.ts'
import { AccountError } from '../../accounts/store/account-error.ts'
import type { Account } from '../../accounts/store/account-tables.ts'
import type { Clock } from '../../lib/clock.ts'
import type { RequestLog } from '../observe/request-log.ts'
import {
  clientNetwork,
  isSameOrigin,
  parseCookie,
  type ResolveClientAddress,
  serializeCookie,
} from '../request/client.ts'
import { checkRequest } from '../request/exchange.ts'
import type { VisitorTokens } from '../request/visitor-token.ts'
import { toAccountApiError } from '../response/error-response.ts'
import { ApiError } from '../response/errors.ts'
import type { AllowedMethods } from '../response/headers.ts'
import { JSON_TYPE, toApiError } from '../response/responder.ts'
import { createAccessRoutes } from './access-routes.ts'
import { createKeyRoutes } from './key-routes.ts'
import { createMarketplaceRoutes } from './marketplace-routes.ts'
import { createOperatorRoutes, type OperatorView } from './operator-routes.ts'
import type { PlatformRequest, PlatformRoute } from './platform-route.ts'
import { createUsageRoutes } from './usage-routes.ts'

/** What the developer platform is made of. */
export interface PlatformDeps {
  readonly accounts: Accounts
  readonly meter: Pick<Meter, 'peek'>
  readonly clock: Clock
  readonly visitorTokens: VisitorTokens
  readonly resolveClientAddress: ResolveClientAddress
  readonly settings: PlatformSettings
  /** What the operator's page shows of the service itself. */
  readonly operator: OperatorView
}

/** The settings that the platform goes by. */
export interface PlatformSettings {
  readonly signUp: SignUpMode
  /** What the marketplace proves itself with; without it the marketplace has no way in. */
  readonly marketplaceSecret: string | undefined
  /** Whether browsers reach the service through encryption, so that cookies may insist on it. */
  readonly secureCookies: boolean
}

export const SESSION_COOKIE = 'marquee_session'
const SESSION_COOKIE_SECONDS = 30 * 86_400
const MAX_BODY_BYTES = 16 * 1024
const PLATFORM_BASE = '/platform'

/** Adds the platform's paths to the app: everything under the dashboard, outside of the public API. */
export function addPlatformRoutes(
  app: FastifyInstance,
  deps: PlatformDeps,
  allowed: Pick<AllowedMethods, 'add'>,
  log: RequestLog,
): void {
  const routes = [
    ...createAccessRoutes(deps),
    ...createKeyRoutes(deps),
    ...createUsageRoutes(deps),
    ...createMarketplaceRoutes(deps),
    ...createOperatorRoutes(deps),
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
    platform.setErrorHandler((error, request, reply) => fail(request, reply, error))
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
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        log.logOnFinish(request.raw, reply.raw, request.id)
        checkRequest(request.raw)
        if (route.caller === 'marketplace') checkSecret(request)
        // Nothing of a body is read before it is clear that it comes from one of our own pages.
        else if (route.method !== 'GET' && !isSameOrigin(request.raw))
          throw crossSiteError('This takes a page of this site')
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const asked = await askedBy(route, request)
        if (route.isChange === true && asked.account !== undefined) {
          await deps.accounts.changeLimiter.consume(asked.account.id, asked.now)
        }
        const answer = await route.handle(asked)
        if (answer.signedIn !== undefined)
          reply.header('set-cookie', sessionCookie(answer.signedIn, SESSION_COOKIE_SECONDS))
        else if (answer.signedOut === true) reply.header('set-cookie', sessionCookie('', 0))
        else if (answer.cookie !== undefined) reply.header('set-cookie', answer.cookie)
        const status = answer.status ?? (answer.body === undefined ? 204 : 200)
        return send(request, reply, status, answer.body === undefined ? undefined : JSON.stringify(answer.body))
      },
    }
  }

  /** Everything that a route may know of its request; throws where the caller is not whom it takes. */
  async function askedBy(route: PlatformRoute, request: FastifyRequest): Promise<PlatformRequest> {
    const now = deps.clock()
    const token = parseCookie(request.headers.cookie, SESSION_COOKIE)
    const session = token === undefined || token === '' ? undefined : await deps.accounts.sessions.find(token, now)
    const account = session && deps.accounts.users.get(session.accountId)
    if (route.caller === 'account' || route.caller === 'admin') checkSession(route, request, session, account)
    return {
      now,
      from: clientNetwork(deps.resolveClientAddress(request.raw)),
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
    const [scheme = '', given = ''] = (request.headers.authorization ?? '').split(' ')
    if (scheme.toLowerCase() === 'bearer' && isEqualConstantTime(given, marketplaceSecret)) return
    throw new ApiError('invalid_secret', 'The header Authorization must be "Bearer", a space and the shared secret.', {
      headers: ['WWW-Authenticate', 'Bearer realm="marquee"'],
    })
  }

  function sessionCookie(token: string, seconds: number): string {
    return serializeCookie(SESSION_COOKIE, token, { seconds, secure: deps.settings.secureCookies })
  }

  function fail(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    const answer = toPlatformApiError(error, request.id)
    if (answer.code === 'internal') log.logError(request.raw, request.id, error)
    const { headers = [] } = answer.details
    for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] as string, headers[i + 1])
    return send(request, reply, answer.status, answer.body())
  }
}

function send(request: FastifyRequest, reply: FastifyReply, status: number, body: string | Buffer | undefined) {
  reply.code(status).headers({
    'x-request-id': request.id,
    'cache-control': 'no-store',
    vary: 'Cookie, Origin',
    'x-content-type-options': 'nosniff',
  })
  return body === undefined ? reply.send() : reply.type(JSON_TYPE).send(body)
}

function crossSiteError(message: string): ApiError {
  return new ApiError('cross_site_request', `${message}.`)
}

/** Compares in a time that does not depend on where the texts differ. */
function isEqualConstantTime(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function toPlatformApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof AccountError) return toAccountApiError(error)
  const { validation, code } = error as { validation?: { instancePath: string; message?: string }[]; code?: string }
  if (validation !== undefined) {
    const [first] = validation
    const member = first?.instancePath.slice(1).replaceAll('/', '.') ?? ''
    return new ApiError('invalid_body', `The body${member === '' ? '' : `'s "${member}"`} ${first?.message}.`)
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApiError('unsupported_media_type', 'The body must be JSON, with Content-Type: application/json.')
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError('body_too_large', `The body may have ${MAX_BODY_BYTES} bytes.`)
  }
  return toApiError(error, requestId)
}
