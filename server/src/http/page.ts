import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkRequest } from './check-request.ts'
import { matchesETag } from './etag.ts'
import { field, fieldsOf } from './header-fields.ts'
import type { RequestLog } from './request-log.ts'
import { nothingHere, type Responder } from './responder.ts'

/** Something that is served without a key. */
export interface Page {
  readonly contentType: string
  readonly body: string | Buffer
  /** 200 if absent. Pages with another one are not kept by anybody. */
  readonly status?: number
  /** `no-store` if absent; other pages get an entity tag. */
  readonly cacheControl?: string
  /** Further headers: name, value, name, value. */
  readonly headers?: readonly string[]
}

/** Makes handlers of pages; `find` gives the page for what the route's wildcard matched, throws, or gives nothing. */
export function pageHandler(responder: Responder, log: RequestLog, find: (path: string) => Page | undefined) {
  return function handle(request: FastifyRequest, reply: FastifyReply): void {
    const req = request.raw
    const res = reply.raw
    log.watch(req, res, request.id)
    try {
      checkRequest(req)
      const page = find((request.params as { '*'?: string })['*'] ?? '')
      if (page === undefined) throw nothingHere()
      sendPage(responder, req, res, request.id, page)
    } catch (error) {
      responder.fail(req, res, request.id, error)
    }
  }
}

/** Sends a page, or says that the client has it already. */
export function sendPage(
  responder: Responder,
  req: IncomingMessage,
  res: ServerResponse,
  id: string,
  { contentType, body: content, status = 200, cacheControl, headers: further = [] }: Page,
): void {
  const list = ['Content-Type', contentType, 'X-Content-Type-Options', 'nosniff', ...further]
  const fields = responder.fields(req, id) + fieldsOf(list)
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (cacheControl === undefined || status !== 200) {
    responder.send(req, res, status, fields + field('Cache-Control', 'no-store'), { bytes })
    return
  }
  const etag = contentETag(bytes)
  const kept = fields + fieldsOf(['Cache-Control', cacheControl, 'ETag', etag])
  const ifNoneMatch = req.headers['if-none-match']
  if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag)) responder.sendEmpty(res, 304, kept)
  else responder.send(req, res, 200, kept, { bytes }, isCompressible(contentType) ? etag : undefined)
}

const etags = new WeakMap<Buffer, string>()

/** A tag made from the content; remembered for bodies that are kept, such as those of the documentation. */
function contentETag(body: Buffer): string {
  let etag = etags.get(body)
  if (etag === undefined) {
    etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    etags.set(body, etag)
  }
  return etag
}

function isCompressible(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript)|image\/svg)/.test(contentType)
}
