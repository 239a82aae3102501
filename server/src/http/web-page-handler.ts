import type { IncomingMessage } from 'node:http'
import type { RouteHandlerMethod } from 'fastify'
import type { Clock } from '../model/clock.ts'
import { checkRequest } from './check-request.ts'
import { setCookie } from './cookies.ts'
import { sendPage } from './page.ts'
import { PASS_COOKIE, PASS_SECONDS, type PagePasses } from './page-pass.ts'
import type { RequestLog } from './request-log.ts'
import type { Responder } from './responder.ts'
import type { SentAnswer, WebPages } from './web-pages.ts'

/** Makes a request of this very service. */
export type AskAsPage = (request: {
  readonly url: string
  readonly headers: Record<string, string>
  readonly remoteAddress: string
}) => Promise<{ readonly statusCode: number; readonly body: string }>

/** What serving the pages for people needs. */
export interface WebPageDeps {
  readonly web: WebPages
  readonly passes: PagePasses | undefined
  readonly secureCookies: boolean
  readonly ask: AskAsPage
  readonly clock: Clock
  readonly responder: Responder
  readonly log: RequestLog
}

/** Longer answers are left to the page: it would be shown the later for them. */
const LONGEST_ANSWER = 256 * 1024

/**
 * The handler of a page for people. It comes with a pass for the API, and with the answers that it needs first: they are
 * asked for through the API itself, under that pass, as the page would do. What is refused, the page asks for again,
 * and says what came of it.
 */
export function webPageHandler(path: string, deps: WebPageDeps): RouteHandlerMethod {
  const { web, passes, secureCookies, clock, responder, log } = deps

  return async function handle(request, reply) {
    const { raw: req, id } = request
    log.watch(req, reply.raw, id)
    reply.hijack()
    try {
      checkRequest(req)
      const visit = web.visit(path, req, (request.params as { '*'?: string })['*'] ?? '')
      const onError = (error: unknown) => log.failure(req, id, error)
      if (passes === undefined) {
        sendPage(responder, req, reply.raw, id, await web.html(visit, [], onError))
        return
      }
      const { pass, isNew } = passes.forVisit(req, clock())
      const answers = await Promise.all(visit.requests.map((url) => askFor(url, pass, req)))
      const page = await web.html(visit, answers.flat(), onError)
      const cookie = setCookie(PASS_COOKIE, pass, { seconds: PASS_SECONDS, secure: secureCookies })
      const headers = isNew ? [...(page.headers ?? []), 'Set-Cookie', cookie] : (page.headers ?? [])
      sendPage(responder, req, reply.raw, id, { ...page, headers })
    } catch (error) {
      responder.fail(req, reply.raw, id, error)
    }
  }

  async function askFor(url: string, pass: string, req: IncomingMessage): Promise<SentAnswer[]> {
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
    return statusCode === 200 && body.length <= LONGEST_ANSWER ? [{ request: url, json: body }] : []
  }
}
