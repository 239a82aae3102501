import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { QueryEngine } from '../../render/query-engine.ts'
import { ENDPOINTS } from '../api/endpoints.ts'
import { isAnyShowId } from '../api/shared-parameters.ts'
import { type ApiRequest, checkRequest } from '../exchange/exchange.ts'
import type { RequestLog } from '../exchange/request-log.ts'
import { resolveVisitorToken, type VisitorTokenDeps } from '../request/visitor-token.ts'
import { acceptsProblemDetails } from '../response/error-response.ts'
import type { Responder } from '../response/responder.ts'
import { sendPage } from './page.ts'
import type { WebPages } from './web-pages.ts'

/** Sends a request to this service itself. */
type PrefetchRequest = (
  request: ApiRequest & { readonly method: 'GET'; readonly url: string; readonly remoteAddress: string },
) => Promise<{ readonly statusCode: number; readonly body: string }>

/** The dependencies of web pages. */
interface WebPageDeps extends VisitorTokenDeps {
  readonly engine: Pick<QueryEngine, 'hasShow'>
  readonly web: WebPages
  readonly prefetch: PrefetchRequest
  readonly responder: Responder
  readonly log: RequestLog
}

/** The outcome of a prefetch; the page is rendered with a successful response that is not too long. */
interface PrefetchResult {
  readonly status: number
  readonly json: string | undefined
}

/** The page of a show, by its id and a slug. */
const SHOW_PAGE = '/show/*'

/** The documentation of one operation, by its id. */
const OPERATION_PAGE = '/docs/api/*'

/** After a form was sent: the page to go to is in the headers. */
const SEE_OTHER = { status: 303, contentType: 'text/plain', body: '' }

/** A request for a show, as pages make it; its id may have an encoded slash. */
const SHOW_REQUEST = /^\/v4\/shows\/((?:movie|tv)\/\d+|[^/?]+)(?:\?|$)/

/** Statuses of requests that were refused before the show was looked up: the visitor's limits, and overload. */
const REFUSED: ReadonlySet<number> = new Set([429, 503])

/** What a page makes of a longer response would delay other requests: its script fetches that. */
const MAX_RENDERED_CHARS = 1024 * 1024

/**
 * Creates the handler of a web page. The response sets a visitor token and embeds the API responses that the page
 * needs first, fetched through the API with that token. The page itself repeats prefetches that failed. A page about
 * something that does not exist has status 404.
 */
export function createWebPageHandler(path: string, deps: WebPageDeps): RouteHandlerMethod {
  const { web, responder, log } = deps

  return async function handle(request, reply) {
    const { raw: req, id } = request
    log.logOnFinish(req, reply.raw, id)
    reply.hijack()
    try {
      checkRequest(req)
      const saved = web.saveSettings(req)
      if (saved !== undefined) {
        sendPage(responder, req, reply.raw, id, { ...SEE_OTHER, headers: saved })
        return
      }
      const rest = wildcardPart(path, req.url ?? '')
      if (path === SHOW_PAGE && !namesShow(rest)) {
        await sendNotFoundPage(request, reply, deps)
        return
      }
      const visit = web.visit(path, req, rest)
      const onError = (error: unknown) => log.logError(req, id, error)
      const { token, headers } = resolveVisitorToken(req, deps)
      const statuses: number[] = []
      const answer = async (url: string) => {
        if (token === undefined) return undefined
        const { status, json } = await prefetch(url, `${deps.visitorTokens?.cookie.name}=${token}`, req)
        statuses.push(REFUSED.has(status) && namesUnknownShow(url) ? 404 : status)
        return json
      }
      const page = await web.html(visit, answer, onError)
      const status = pageStatus(rest, statuses)
      sendPage(responder, req, reply.raw, id, { ...page, status, headers: [...(page.headers ?? []), ...headers] })
    } catch (error) {
      responder.sendError(req, reply.raw, id, error)
    }
  }

  /** Only a path with a wildcard names something that may not exist. */
  function pageStatus(rest: string, statuses: readonly number[]): number {
    if (!path.endsWith('*')) return 200
    const isUnknownOperation = path === OPERATION_PAGE && !ENDPOINTS.some(({ operationId }) => operationId === rest)
    return isUnknownOperation || statuses.includes(404) ? 404 : 200
  }

  /** Whether a request is for a show that does not exist. */
  function namesUnknownShow(url: string): boolean {
    const id = SHOW_REQUEST.exec(url)?.[1]
    return id !== undefined && !deps.engine.hasShow(decodeURIComponent(id))
  }

  async function prefetch(url: string, cookie: string, req: IncomingMessage): Promise<PrefetchResult> {
    const { host = 'localhost', 'x-forwarded-for': forwarded } = req.headers
    const { statusCode, body } = await deps.prefetch({
      method: 'GET',
      url,
      httpVersionMajor: 1,
      httpVersionMinor: 1,
      socket: req.socket,
      remoteAddress: req.socket.remoteAddress ?? '',
      headers: {
        host,
        cookie,
        'sec-fetch-site': 'same-origin',
        // The rate limit counts the prefetch for the same client.
        ...(forwarded !== undefined && { 'x-forwarded-for': String(forwarded) }),
      },
    })
    // The search and what the page makes of it are parts of their own, between which other requests are answered.
    await nextTurn()
    const isRendered = statusCode === 200 && body.length <= MAX_RENDERED_CHARS
    return { status: statusCode, json: isRendered ? body : undefined }
  }
}

/** Whether the rest of a path starts with an id, of whatever kind; `/show/count` would ask the API for a count. */
function namesShow(rest: string): boolean {
  const id = /^((?:movie|tv)(?:\/|%2F)\w+|\w+)(?:\/[^/]*)?$/i.exec(rest)?.[1]
  return id !== undefined && isAnyShowId(id.replace(/%2F/i, '/'))
}

/** What the wildcard of a path stands for, as the URL has it. */
function wildcardPart(pattern: string, url: string): string {
  if (!pattern.endsWith('*')) return ''
  const path = url.split('?', 1)[0] as string
  return path.slice(pattern.length - 1).replace(/\/$/, '')
}

/** Paths of programs: their errors are always JSON. */
const API_PATHS = /^\/(?:v4|shows|changes|countries|genres|platform|assets)(?:[/?]|$)/

/** Whether a 404 should be an HTML page: the client accepts HTML, no problem details, and the path is not one of programs. */
export function prefersHtml({
  method,
  url = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const { accept = '' } = headers
  return accept.includes('text/html') && !acceptsProblemDetails(accept) && !API_PATHS.test(url)
}

/** Sends the HTML page of a 404. It sets a visitor token, since it links to other pages. */
export async function sendNotFoundPage(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Omit<WebPageDeps, 'prefetch' | 'engine'>,
): Promise<void> {
  const { web, responder, log } = deps
  const { raw: req, id } = request
  try {
    const page = await web.html(
      web.notFoundVisit(req),
      async () => undefined,
      (error) => log.logError(req, id, error),
    )
    const headers = [...(page.headers ?? []), ...resolveVisitorToken(req, deps).headers]
    sendPage(responder, req, reply.raw, id, { ...page, status: 404, headers })
  } catch (error) {
    responder.sendError(req, reply.raw, id, error)
  }
}
