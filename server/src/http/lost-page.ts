import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from './page.ts'
import type { RequestLog } from './request-log.ts'
import type { Responder } from './responder.ts'
import { type PassDeps, passForVisit } from './visit-pass.ts'
import type { WebPages } from './web-pages.ts'

/** What telling people that there is no such page needs. */
interface LostPageDeps extends PassDeps {
  readonly web: WebPages
  readonly responder: Responder
  readonly log: RequestLog
}

/** Paths of programs: what is wrong there is said in their own form, whoever asks. */
const FOR_PROGRAMS = /^\/(?:v4|shows|changes|countries|genres|platform|assets)(?:[/?]|$)/

/** Whether somebody who reads pages has come to a path that leads nowhere. Programs do not ask for HTML. */
export function isReader({ method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return (headers.accept ?? '').includes('text/html') && !FOR_PROGRAMS.test(url)
}

/** Answers with the page that says that there is no such page. It comes with a pass, since it leads on to others. */
export async function sendLostPage(request: FastifyRequest, reply: FastifyReply, deps: LostPageDeps): Promise<void> {
  const { web, responder, log } = deps
  const { raw: req, id } = request
  try {
    const page = await web.html(web.lostVisit(req), [], (error) => log.failure(req, id, error))
    const headers = [...(page.headers ?? []), ...passForVisit(req, deps).headers]
    sendPage(responder, req, reply.raw, id, { ...page, status: 404, headers })
  } catch (error) {
    responder.fail(req, reply.raw, id, error)
  }
}
