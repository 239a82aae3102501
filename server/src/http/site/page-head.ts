import type { WebViewer } from './viewer.ts'

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

/** Names of structured data whose values are addresses. */
const ADDRESS_NAMES = new Set(['@id', 'url', 'urlTemplate', 'image', 'item'])

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
    const address = (language: string) => origin + pageAddress(canonical, { ...viewer, language })
    tags.push(`<link rel="canonical" href="${escapeAttribute(address(viewer.language))}">`)
    for (const language of languages)
      tags.push(`<link rel="alternate" hreflang="${language}" href="${escapeAttribute(address(language))}">`)
    tags.push(`<link rel="alternate" hreflang="x-default" href="${escapeAttribute(origin + canonical)}">`)
    meta('property', 'og:url', address(viewer.language))
  }
  for (const feed of feeds) {
    const [kind, name, href] = [feed.type, feed.title, feed.href].map(escapeAttribute)
    tags.push(`<link rel="alternate" type="${kind}" title="${name}" href="${href}">`)
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

/** Adds the viewer to a path that may have parameters. The codes are letters, so nothing is encoded. */
function pageAddress(path: string, { country, language }: WebViewer): string {
  return `${path}${path.includes('?') ? '&' : '?'}country=${country}&lang=${language}`
}

/** JSON whose addresses are absolute. `<` only occurs inside strings, where `\\u003c` means the same. */
function renderStructuredData(data: object, origin: string): string {
  const complete = (name: string, value: unknown) =>
    typeof value === 'string' && value.startsWith('/') && ADDRESS_NAMES.has(name) ? origin + value : value
  return JSON.stringify(data, complete).replaceAll('<', '\\u003c')
}

/** Escapes text for an attribute in double quotes, and for `<title>`. */
export function escapeAttribute(text: string): string {
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
