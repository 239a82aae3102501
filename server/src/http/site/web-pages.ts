import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { type MeteredCache, VersionedCache } from '../../lib/versioned-cache.ts'
import type { Attribution } from '../../model/source.ts'
import {
  createFirstViewRenderer,
  type FirstViewRenderer,
  type PrefetchedResponse,
  type RenderedView,
} from './first-view.ts'
import type { Page } from './page.ts'
import { countryNameCache, countryNames, guessViewer, resolveViewer, type WebViewer } from './viewer.ts'

/** The web pages: the built site of the package `marquee-web`. */
export interface WebPages {
  /** The paths that serve the site's HTML; a `*` at the end is a wildcard. */
  readonly paths: readonly string[]
  /** A page view of one of these paths; `rest` is what the wildcard matched. */
  visit(path: string, req: Pick<IncomingMessage, 'url' | 'headers'>, rest: string): WebVisit
  /** A page view of a path that does not exist. */
  notFoundVisit(req: Pick<IncomingMessage, 'url' | 'headers'>): WebVisit
  /**
   * The HTML. If all requests of the visit have responses, it contains the view rendered on the server, which the site's
   * script hydrates. If rendering fails, the error is reported and the script renders in the browser.
   */
  html(visit: WebVisit, responses: readonly PrefetchedResponse[], onError: (error: unknown) => void): Promise<Page>
  /** A file of the site by its name below `/assets/`. */
  asset(name: string): Page | undefined
  caches(): readonly MeteredCache[]
}

/** One page view. */
interface WebVisit {
  /** The matching path of the site, with its wildcard; undefined for a path that does not exist. */
  readonly pattern: string | undefined
  /** The path of the URL. */
  readonly path: string
  readonly viewer: WebViewer
  /** The viewer by `Accept-Language` alone. */
  readonly guess: WebViewer
  /** The API requests that the page makes first. */
  readonly requests: readonly string[]
}

/** What the pages know of the catalog without a request. */
export interface CatalogFacts {
  /** Whether the catalog is the demo, whose availability is invented. */
  readonly isDemo: boolean
  readonly countries: readonly string[]
  /** The texts that the sources require wherever their data is shown. */
  readonly attributions: readonly Attribution[]
}

/**
 * Scripts and styles come from this service only, never inline. Images come from wherever the catalog says, over
 * HTTPS.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const HTML_HEADERS = [
  'Content-Security-Policy',
  CONTENT_SECURITY_POLICY,
  // Without TLS the referrer is the only sign that a request comes from a page of this host.
  'Referrer-Policy',
  'same-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Vary',
  'Accept-Language',
]

/** File names contain a hash of the content, so a file never changes. */
const IMMUTABLE_CACHE_CONTROL = 'public, max-age=31536000, immutable'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** `site.json`, written by the build of the site. */
interface SiteDescription {
  readonly paths: readonly string[]
  readonly languages: readonly string[]
  /** The file with the translated texts, by language. */
  readonly texts: Readonly<Record<string, string>>
  /** Files that a page needs beside those of all pages. */
  readonly files: Readonly<Record<string, { readonly scripts: readonly string[]; readonly styles: readonly string[] }>>
  /** The first requests of the pages that are rendered here, with the placeholders `{country}`, `{language}` and `{rest}`. */
  readonly requests: Readonly<Record<string, readonly string[]>>
}

/* Placeholders in index.html. */
const LANGUAGE = '<html lang="en">'
const FACTS = '<meta name="marquee-catalog" content="">'
const TITLE = '<title>Marquee</title>'
const VIEW = '<div id="app"></div>'
const ANSWERS = '<!-- answers -->'

/** A rest of a path that needs no encoding in a request; the page itself handles others. */
const SIMPLE_REST = /^[\w-]+(?:\/[\w-]+)?$/

/** Stands for every path that does not exist, so that the cache has one view for all. */
const NOT_FOUND_PATH = '/nowhere'

/** Memory for pages without embedded responses: about a hundred. */
const MAX_CACHE_BYTES = 4 * 1024 * 1024

/** Opens the built site. Its files are few and small, so all of them stay in memory. */
export function openWebPages(
  readFacts: () => CatalogFacts,
  firstViews: FirstViewRenderer = createFirstViewRenderer(),
): WebPages {
  const folder = join(dirname(createRequire(import.meta.url).resolve('marquee-web/package.json')), 'dist')
  const template = readFileSync(join(folder, 'index.html'), 'utf8')
  const site = JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8')) as SiteDescription
  const assets = new Map(readdirSync(join(folder, 'assets')).map((name) => [name, readAsset(folder, name)]))
  const templates = new VersionedCache<string, Page>({
    name: 'page_templates',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ body }, key) => body.length + 2 * key.length,
  })

  /** The HTML of a page without embedded responses. */
  function pageTemplate(pattern: string | undefined, language: string, facts: string): Page {
    const { scripts = [], styles = [] } = site.files[pattern ?? ''] ?? {}
    const key = `${scripts} ${language} ${facts}`
    return templates.getOrCompute(key, undefined, () => {
      const links = [
        ...[site.texts[language], ...scripts].map((file) => `<link rel="modulepreload" href="${file}">`),
        ...styles.map((file) => `<link rel="stylesheet" crossorigin href="${file}">`),
      ]
      const html = template
        .replace(LANGUAGE, `<html lang="${language}">`)
        .replace(FACTS, () => [FACTS.replace('""', () => `"${escapeAttribute(facts)}"`), ...links].join('\n    '))
      return createHtmlPage(html)
    })
  }

  function resolveVisitor({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>) {
    const choices = { countries: readFacts().countries, languages: site.languages }
    const guess = guessViewer(headers['accept-language'], choices)
    return { guess, viewer: resolveViewer(url, guess, choices) }
  }

  return {
    paths: site.paths,
    visit(path, req, rest) {
      const { guess, viewer } = resolveVisitor(req)
      const values: Readonly<Record<string, string>> = { ...viewer, rest }
      const requestTemplates = rest === '' || SIMPLE_REST.test(rest) ? site.requests[path] : undefined
      const requests = (requestTemplates ?? []).map((request) =>
        request.replace(/\{(\w+)\}/g, (_, name: string) => values[name] as string),
      )
      return { pattern: path, path: path.replace('*', rest), viewer, guess, requests }
    },
    notFoundVisit: (req) => ({ pattern: undefined, path: NOT_FOUND_PATH, requests: [], ...resolveVisitor(req) }),
    async html({ pattern, path, viewer, guess, requests }, responses, onError) {
      const { language } = viewer
      const { countries, ...rest } = readFacts()
      const facts = { ...rest, countries: countryNames(countries, language), language, guess }
      const page = pageTemplate(pattern, language, JSON.stringify(facts))
      const isRendered = pattern === undefined || site.requests[pattern] !== undefined
      const isComplete = isRendered && responses.length >= requests.length
      if (!isComplete && responses.length === 0) return page
      const html = embedResponses(String(page.body), responses)
      if (!isComplete) return createHtmlPage(html)
      try {
        const view = await firstViews.render({ path, viewer, facts, responses })
        return createHtmlPage(embedView(html, view))
      } catch (error) {
        onError(error)
        return createHtmlPage(html)
      }
    },
    asset: (name) => assets.get(name),
    caches: () => [templates, countryNameCache, ...firstViews.caches()],
  }
}

/** Embeds responses as JSON. `<` only occurs inside JSON strings, where `\\u003c` means the same. */
function embedResponses(html: string, responses: readonly PrefetchedResponse[]): string {
  const elements = responses.map(({ request, json }) => {
    const name = escapeAttribute(request)
    return `<script type="application/json" data-answers="${name}">${json.replaceAll('<', '\\u003c')}</script>\n`
  })
  return html.replace(ANSWERS, () => elements.join(''))
}

/** Embeds the view that was rendered on the server. */
function embedView(html: string, { title, html: view }: RenderedView): string {
  return html
    .replace(TITLE, () => `<title>${escapeAttribute(title)}</title>`)
    .replace(VIEW, () => VIEW.replace('><', () => `>${view}<`))
}

function createHtmlPage(html: string): Page {
  const body = Buffer.from(html)
  return { contentType: 'text/html; charset=utf-8', body, cacheControl: 'private, no-cache', headers: HTML_HEADERS }
}

function readAsset(folder: string, name: string): Page {
  const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
  return { contentType, body: readFileSync(join(folder, 'assets', name)), cacheControl: IMMUTABLE_CACHE_CONTROL }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
