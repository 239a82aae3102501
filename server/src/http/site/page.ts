import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SourceAttribution } from '../../model/source.ts'
import { pathNotFoundError } from '../exchange/errors.ts'
import { checkRequest } from '../exchange/exchange.ts'
import { formatHeader, formatHeaders, JSON_TYPE } from '../exchange/headers.ts'
import type { RequestLog } from '../exchange/request-log.ts'
import { matchesETag } from '../response/etag.ts'
import type { Responder } from '../response/responder.ts'

/** A resource that is served without a key. */
export interface Page {
  readonly contentType: string
  readonly body: string | Buffer
  /** 200 by default. Other statuses are sent with `no-store`. */
  readonly status?: number
  /** `no-store` by default; a page with another value gets an entity tag. */
  readonly cacheControl?: string
  /** Further headers: name, value, name, value. */
  readonly headers?: readonly string[]
}

/** A page at a path, if there is one; a page that takes time to make is a promise. */
type FoundPage = Page | undefined | Promise<Page | undefined>

/** A turn of the event loop costs about a tenth of that. */
const MIN_TURN_MS = 1

let turnStart = 0

/** Lets other requests in between two parts of a page, unless that was done a moment ago. */
export async function pausePage(): Promise<void> {
  if (performance.now() - turnStart < MIN_TURN_MS) return
  await nextTurn()
  turnStart = performance.now()
}

/** Creates the handler of a page; `find` gets what the route's wildcard matched, and no page means 404. */
export function createPageHandler(
  responder: Responder,
  log: RequestLog,
  find: (path: string, req: IncomingMessage) => FoundPage,
) {
  return function handle(request: FastifyRequest, reply: FastifyReply): void {
    const req = request.raw
    const res = reply.raw
    log.logOnFinish(req, res, request.id)
    try {
      checkRequest(req)
      const page = find((request.params as { '*'?: string })['*'] ?? '', req)
      if (page instanceof Promise) page.then(send).catch(fail)
      else send(page)
    } catch (error) {
      fail(error)
    }

    function send(page: Page | undefined): void {
      if (page === undefined) throw pathNotFoundError()
      sendPage(responder, req, res, request.id, page)
    }

    function fail(error: unknown): void {
      responder.sendError(req, res, request.id, error)
    }
  }
}

/** Sends a page, or 304 if the client's tag matches. */
export function sendPage(
  responder: Responder,
  req: IncomingMessage,
  res: ServerResponse,
  id: string,
  { contentType, body: content, status = 200, cacheControl, headers: extraHeaders = [] }: Page,
): void {
  const list = ['Content-Type', contentType, 'X-Content-Type-Options', 'nosniff', ...extraHeaders]
  const headers = responder.baseHeaders(req, id) + formatHeaders(list)
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (cacheControl === undefined || status !== 200) {
    responder.send(req, res, status, headers + formatHeader('Cache-Control', 'no-store'), { bytes })
    return
  }
  const etag = contentETag(bytes)
  const cachedHeaders = headers + formatHeaders(['Cache-Control', cacheControl, 'ETag', etag])
  const ifNoneMatch = req.headers['if-none-match']
  if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag)) responder.sendHeaders(res, 304, cachedHeaders)
  else responder.send(req, res, 200, cachedHeaders, { bytes }, isCompressible(contentType) ? etag : undefined)
}

const etags = new WeakMap<Buffer, string>()

/** A tag from the content's hash, cached for as long as the body lives: assets and documents stay in memory. */
function contentETag(body: Buffer): string {
  let etag = etags.get(body)
  if (etag === undefined) {
    etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    etags.set(body, etag)
  }
  return etag
}

function isCompressible(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript|xml)|image\/svg)/.test(contentType)
}

/** `/attributions.json`: the texts that the catalog's sources require wherever their data is shown. */
export function attributionsPage(attributions: readonly SourceAttribution[]): Page {
  return { contentType: JSON_TYPE, body: JSON.stringify(attributions), cacheControl: 'public, max-age=300' }
}

/** Static resources below a prefix, such as artwork; the composition root adds them. */
export interface Site {
  /** For example `/artwork/`. `serve` gets the rest of the path. */
  readonly prefix: string
  /** Whether the prefix is the whole path of one resource. */
  readonly isExact?: boolean
  /** `SITE_CACHE_CONTROL` by default. */
  readonly cacheControl?: string
  /** Further headers of every resource: name, value, name, value. */
  readonly headers?: readonly string[]
  /** The resource at a path below the prefix, if it exists. `origin` is the address of the service, for links. */
  serve(path: string, origin: string): SiteResource | undefined | Promise<SiteResource | undefined>
}

/** A resource of a site. */
interface SiteResource {
  readonly contentType: string
  readonly body: string | Buffer
}

/** One day, then a week during which a stale copy is used while it is revalidated. */
export const SITE_CACHE_CONTROL = 'public, max-age=86400, stale-while-revalidate=604800'
