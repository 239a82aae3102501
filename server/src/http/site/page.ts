import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SourceAttribution } from '../../model/source.ts'
import type { RequestLog } from '../observe/request-log.ts'
import { checkRequest } from '../request/exchange.ts'
import { matchesETag } from '../response/etag.ts'
import { formatHeader, formatHeaders } from '../response/headers.ts'
import { JSON_TYPE, pathNotFoundError, type Responder } from '../response/responder.ts'

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
export function createPageHandler(responder: Responder, log: RequestLog, find: (path: string) => Page | undefined) {
  return function handle(request: FastifyRequest, reply: FastifyReply): void {
    const req = request.raw
    const res = reply.raw
    log.logOnFinish(req, res, request.id)
    try {
      checkRequest(req)
      const page = find((request.params as { '*'?: string })['*'] ?? '')
      if (page === undefined) throw pathNotFoundError()
      sendPage(responder, req, res, request.id, page)
    } catch (error) {
      responder.sendError(req, res, request.id, error)
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
  const fields = responder.baseHeaders(req, id) + formatHeaders(list)
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (cacheControl === undefined || status !== 200) {
    responder.send(req, res, status, fields + formatHeader('Cache-Control', 'no-store'), { bytes })
    return
  }
  const etag = contentETag(bytes)
  const kept = fields + formatHeaders(['Cache-Control', cacheControl, 'ETag', etag])
  const ifNoneMatch = req.headers['if-none-match']
  if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag)) responder.sendHeaders(res, 304, kept)
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

/** What sources of the catalog want to be shown, for programs: pages that show data of theirs have to show it too. */
export function attributionsPage(attributions: readonly SourceAttribution[]): Page {
  return { contentType: JSON_TYPE, body: JSON.stringify(attributions), cacheControl: 'public, max-age=300' }
}

/** Resources that the composition root adds to the app: artwork, web pages. They need no key. */
export interface Site {
  /** Where they are: `/artwork/`. What follows is handed to `serve`. */
  readonly prefix: string
  /** A day, and fresh for a week while the service is asked again, unless said otherwise. */
  readonly cacheControl?: string
  /** The resource at a path below the prefix, or undefined where there is none. */
  serve(path: string): { readonly contentType: string; readonly body: string | Buffer } | undefined
}

/** How long resources of sites are kept by browsers and proxies. */
export const SITE_CACHE_CONTROL = 'public, max-age=86400, stale-while-revalidate=604800'
