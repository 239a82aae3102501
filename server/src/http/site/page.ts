import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SourceAttribution } from '../../model/source-ranks.ts'
import { pathNotFoundError } from '../exchange/errors.ts'
import { checkRequest } from '../exchange/exchange.ts'
import { formatHeader, formatHeaders, JSON_TYPE, matchesETag } from '../exchange/headers.ts'
import type { RequestLog } from '../exchange/request-log.ts'
import type { Responder } from '../response/responder.ts'
import type { WebViewer } from './viewer.ts'

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

/** What a rendered page says of itself; see `PageHead` in the package `marquee-web`. */
export interface PageHead {
  readonly title: string
  readonly description?: string
  readonly canonical?: string
  readonly image?: string
  readonly imageText?: string
  readonly type?: string
  readonly openGraph?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly feeds?: readonly { readonly type: string; readonly title: string; readonly href: string }[]
  readonly structuredData?: object
}

/** Where a page is seen: the address of the service, the viewer, and the languages of the pages. */
interface PageContext {
  readonly origin: string
  readonly viewer: WebViewer
  readonly languages: readonly string[]
}

/** Where the path of an address begins in structured data, after its name. Inside a string the quotes would be escaped. */
const ADDRESS_START = /"(?:@id|url|urlTemplate|image|item)":"(?=\/)/g

const CARD_WIDTH = '1200'
const CARD_HEIGHT = '630'

/** The elements of `<head>` for search engines and for cards of shared links. */
export function renderPageHead(head: PageHead, { origin, viewer, languages }: PageContext): string {
  const { title, description, canonical, image, imageText = title, type = 'website' } = head
  const { openGraph = {}, feeds = [], structuredData } = head
  const tags: string[] = []
  const meta = (attribute: 'name' | 'property', name: string, content: string | undefined) => {
    if (content !== undefined && content !== '')
      tags.push(`<meta ${attribute}="${name}" content="${escapeAttribute(content)}">`)
  }
  meta('name', 'description', description)
  if (canonical === undefined) meta('name', 'robots', 'noindex')
  else {
    const start = escapeAttribute(
      `${origin}${canonical}${canonical.includes('?') ? '&' : '?'}country=${viewer.country}&lang=`,
    )
    tags.push(`<link rel="canonical" href="${start}${viewer.language}">`)
    for (const language of languages)
      tags.push(`<link rel="alternate" hreflang="${language}" href="${start}${language}">`)
    tags.push(`<link rel="alternate" hreflang="x-default" href="${escapeAttribute(origin + canonical)}">`)
    tags.push(`<meta property="og:url" content="${start}${viewer.language}">`)
  }
  for (const feed of feeds) {
    const name = escapeAttribute(feed.title)
    tags.push(`<link rel="alternate" type="${feed.type}" title="${name}" href="${escapeAttribute(feed.href)}">`)
  }
  meta('property', 'og:site_name', 'Marquee')
  meta('property', 'og:type', type)
  meta('property', 'og:title', title)
  meta('property', 'og:description', description)
  meta('property', 'og:locale', `${viewer.language}_${viewer.country.toUpperCase()}`)
  for (const [name, values] of Object.entries(openGraph)) {
    for (const value of [values].flat()) meta('property', name, value)
  }
  if (image !== undefined) {
    meta('property', 'og:image', origin + image)
    meta('property', 'og:image:type', 'image/png')
    meta('property', 'og:image:width', CARD_WIDTH)
    meta('property', 'og:image:height', CARD_HEIGHT)
    meta('property', 'og:image:alt', imageText)
    meta('name', 'twitter:card', 'summary_large_image')
  }
  if (structuredData !== undefined)
    tags.push(`<script type="application/ld+json">${renderStructuredData(structuredData, origin)}</script>`)
  return tags.join('\n    ')
}

/** JSON whose addresses are absolute. `<` only occurs inside strings, where `\\u003c` means the same. */
function renderStructuredData(data: object, origin: string): string {
  const start = JSON.stringify(origin).slice(1, -1)
  // A replacer of `JSON.stringify` would be called for every value, which takes several times as long.
  return JSON.stringify(data)
    .replaceAll(ADDRESS_START, (name) => name + start)
    .replaceAll('<', '\\u003c')
}

const SPECIAL = /[&"<]/

/** Escapes text for an attribute in double quotes, and for `<title>`. */
export function escapeAttribute(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** A host name or address with a port. Others do not get into links. */
const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i

/** The address of the service as the visitor knows it: the configured one, or that of the request. Empty if it is odd. */
export function requestOrigin(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  publicUrl?: string,
): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const { host, 'x-forwarded-proto': protocol } = headers
  if (typeof host !== 'string' || !HOST.test(host)) return ''
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`
}
