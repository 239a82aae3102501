import type { IncomingMessage } from 'node:http'
import type { RouteHandlerMethod } from 'fastify'
import { checkRequest } from './check-request.ts'
import { ENDPOINTS } from './endpoints.ts'
import { sendPage } from './page.ts'
import { PASS_COOKIE } from './page-pass.ts'
import type { RequestLog } from './request-log.ts'
import type { Responder } from './responder.ts'
import { type PassDeps, passForVisit } from './visit-pass.ts'
import type { SentAnswer, WebPages } from './web-pages.ts'

/** Makes a request of this very service. */
export type AskAsPage = (request: {
  readonly url: string
  readonly headers: Record<string, string>
  readonly remoteAddress: string
}) => Promise<{ readonly statusCode: number; readonly body: string }>

/** What serving the pages for people needs. */
export interface WebPageDeps extends PassDeps {
  readonly web: WebPages
  readonly ask: AskAsPage
  readonly responder: Responder
  readonly log: RequestLog
}

/** What came of asking ahead for a page. */
interface Asked {
  readonly status: number
  readonly answer: SentAnswer | undefined
}

/** The page of one operation of the API, by its id. */
const OPERATION_PAGE = '/docs/api/*'

/** Longer answers are left to the page: it would be shown the later for them. */
const LONGEST_ANSWER = 256 * 1024

/**
 * The handler of a page for people. It comes with a pass for the API, and with the answers that it needs first: they are
 * asked for through the API itself, under that pass, as the page would do. What is refused, the page asks for again,
 * and says what came of it. A page of something that does not exist is not found either.
 */
export function webPageHandler(path: string, deps: WebPageDeps): RouteHandlerMethod {
  const { web, responder, log } = deps

  return async function handle(request, reply) {
    const { raw: req, id } = request
    log.watch(req, reply.raw, id)
    reply.hijack()
    try {
      checkRequest(req)
      const rest = (request.params as { '*'?: string })['*'] ?? ''
      const visit = web.visit(path, req, rest)
      const onError = (error: unknown) => log.failure(req, id, error)
      const { pass, headers } = passForVisit(req, deps)
      const requests = pass === undefined ? [] : visit.requests
      const answers = await Promise.all(requests.map((url) => askFor(url, pass ?? '', req)))
      const sent = answers.flatMap(({ answer }) => answer ?? [])
      const page = await web.html(visit, sent, onError)
      const status = statusOf(rest, answers)
      sendPage(responder, req, reply.raw, id, { ...page, status, headers: [...(page.headers ?? []), ...headers] })
    } catch (error) {
      responder.fail(req, reply.raw, id, error)
    }
  }

  /** Only paths with a wildcard name something that may not exist. */
  function statusOf(rest: string, answers: readonly Asked[]): number {
    if (!path.endsWith('*')) return 200
    const isUnknownOperation = path === OPERATION_PAGE && !ENDPOINTS.some(({ operationId }) => operationId === rest)
    return isUnknownOperation || answers.some(({ status }) => status === 404) ? 404 : 200
  }

  async function askFor(url: string, pass: string, req: IncomingMessage): Promise<Asked> {
    const { host = 'localhost', 'x-forwarded-for': forwarded } = req.headers
    const { statusCode, body } = await deps.ask({
      url,
      remoteAddress: req.socket.remoteAddress ?? '',
      headers: {
        host,
        cookie: `${PASS_COOKIE}=${pass}`,
        'sec-fetch-site': 'same-origin',
        // Whom the request is counted for is read from it as from any other.
        ...(forwarded !== undefined && { 'x-forwarded-for': String(forwarded) }),
      },
    })
    const isSent = statusCode === 200 && body.length <= LONGEST_ANSWER
    return { status: statusCode, answer: isSent ? { request: url, json: body } : undefined }
  }
}
