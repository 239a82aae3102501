import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { ENDPOINTS } from '../api/endpoints.ts'
import type { RequestLog } from '../observe/request-log.ts'
import { checkRequest } from '../request/exchange.ts'
import { resolveVisitorToken, VISITOR_COOKIE, type VisitorTokenDeps } from '../request/visitor-token.ts'
import type { Responder } from '../response/responder.ts'
import { sendPage } from './page.ts'
import type { PrefetchedResponse, WebPages } from './web-pages.ts'

/** Makes a request of this very service. */
export type PrefetchRequest = (request: {
  readonly url: string
  readonly headers: Record<string, string>
  readonly remoteAddress: string
}) => Promise<{ readonly statusCode: number; readonly body: string }>

/** What serving the pages for people needs. */
export interface WebPageDeps extends VisitorTokenDeps {
  readonly web: WebPages
  readonly prefetch: PrefetchRequest
  readonly responder: Responder
  readonly log: RequestLog
}

/** What came of asking ahead for a page. */
interface PrefetchResult {
  readonly status: number
  readonly answer: PrefetchedResponse | undefined
}

/** The page of one operation of the API, by its id. */
const OPERATION_PAGE = '/docs/api/*'

/** Longer answers are left to the page: it would be shown the later for them. */
const MAX_PREFETCHED_CHARS = 256 * 1024

/**
 * The handler of a page for people. It comes with a pass for the API, and with the answers that it needs first: they are
 * asked for through the API itself, under that pass, as the page would do. What is refused, the page asks for again,
 * and says what came of it. A page of something that does not exist is not found either.
 */
export function createWebPageHandler(path: string, deps: WebPageDeps): RouteHandlerMethod {
  const { web, responder, log } = deps

  return async function handle(request, reply) {
    const { raw: req, id } = request
    log.logOnFinish(req, reply.raw, id)
    reply.hijack()
    try {
      checkRequest(req)
      const rest = (request.params as { '*'?: string })['*'] ?? ''
      const visit = web.visit(path, req, rest)
      const onError = (error: unknown) => log.logError(req, id, error)
      const { pass, headers } = resolveVisitorToken(req, deps)
      const requests = pass === undefined ? [] : visit.requests
      const answers = await Promise.all(requests.map((url) => askFor(url, pass ?? '', req)))
      const sent = answers.flatMap(({ answer }) => answer ?? [])
      const page = await web.html(visit, sent, onError)
      const status = statusOf(rest, answers)
      sendPage(responder, req, reply.raw, id, { ...page, status, headers: [...(page.headers ?? []), ...headers] })
    } catch (error) {
      responder.sendError(req, reply.raw, id, error)
    }
  }

  /** Only paths with a wildcard name something that may not exist. */
  function statusOf(rest: string, answers: readonly PrefetchResult[]): number {
    if (!path.endsWith('*')) return 200
    const isUnknownOperation = path === OPERATION_PAGE && !ENDPOINTS.some(({ operationId }) => operationId === rest)
    return isUnknownOperation || answers.some(({ status }) => status === 404) ? 404 : 200
  }

  async function askFor(url: string, pass: string, req: IncomingMessage): Promise<PrefetchResult> {
    const { host = 'localhost', 'x-forwarded-for': forwarded } = req.headers
    const { statusCode, body } = await deps.prefetch({
      url,
      remoteAddress: req.socket.remoteAddress ?? '',
      headers: {
        host,
        cookie: `${VISITOR_COOKIE}=${pass}`,
        'sec-fetch-site': 'same-origin',
        // Whom the request is counted for is read from it as from any other.
        ...(forwarded !== undefined && { 'x-forwarded-for': String(forwarded) }),
      },
    })
    const isSent = statusCode === 200 && body.length <= MAX_PREFETCHED_CHARS
    return { status: statusCode, answer: isSent ? { request: url, json: body } : undefined }
  }
}

/** What telling people that there is no such page needs. */
interface NotFoundPageDeps extends VisitorTokenDeps {
  readonly web: WebPages
  readonly responder: Responder
  readonly log: RequestLog
}

/** Paths of programs: what is wrong there is said in their own form, whoever asks. */
const API_PATHS = /^\/(?:v4|shows|changes|countries|genres|platform|assets)(?:[/?]|$)/

/** Whether somebody who reads pages has come to a path that leads nowhere. Programs do not ask for HTML. */
export function prefersHtml({
  method,
  url = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return (headers.accept ?? '').includes('text/html') && !API_PATHS.test(url)
}

/** QueryEngine with the page that says that there is no such page. It comes with a pass, since it leads on to others. */
export async function sendNotFoundPage(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: NotFoundPageDeps,
): Promise<void> {
  const { web, responder, log } = deps
  const { raw: req, id } = request
  try {
    const page = await web.html(web.notFoundVisit(req), [], (error) => log.logError(req, id, error))
    const headers = [...(page.headers ?? []), ...resolveVisitorToken(req, deps).headers]
    sendPage(responder, req, reply.raw, id, { ...page, status: 404, headers })
  } catch (error) {
    responder.sendError(req, reply.raw, id, error)
  }
}
