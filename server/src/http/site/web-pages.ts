import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Attribution } from '../../model/source.ts'
import { createFirstViewRenderer, type RenderedView, type RenderFirstView } from './first-view.ts'
import type { Page } from './page.ts'
import { countryNames, guessViewer, resolveViewer, type WebViewer } from './viewer.ts'

/** The pages for people: the built site of the package `marquee-web`. */
export interface WebPages {
  /** The paths that answer with the site's HTML; a `*` at the end stands for anything. */
  readonly paths: readonly string[]
  /** A visit to one of these paths. */
  visit(path: string, req: Pick<IncomingMessage, 'url' | 'headers'>, rest: string): WebVisit
  /** A visit to a path that leads nowhere. Its page says so. */
  notFoundVisit(req: Pick<IncomingMessage, 'url' | 'headers'>): WebVisit
  /**
   * The HTML. With all answers that the page asks for first, it shows them by itself. The site's script makes that alive,
   * or shows what belongs to the path. A view that cannot be rendered is reported, and left to the script.
   */
  html(visit: WebVisit, answers: readonly PrefetchedResponse[], onError: (error: unknown) => void): Promise<Page>
  /** A file that the HTML refers to, by its name below `/assets/`. */
  asset(name: string): Page | undefined
}

/** Somebody opens a page. */
export interface WebVisit {
  /** The path that the site has for it, maybe with a `*`; undefined where it has none. */
  readonly pattern: string | undefined
  /** The path that is visited. */
  readonly path: string
  readonly viewer: WebViewer
  /** Where and who the viewer would be by the browser's languages alone. */
  readonly guess: WebViewer
  /** What the page will ask the API for before all else. */
  readonly requests: readonly string[]
}

/** An answer of the API that is sent along with a page. */
export interface PrefetchedResponse {
  readonly request: string
  readonly json: string
}

/** What the pages should know of the catalog without asking. */
export interface CatalogFacts {
  /** Whether the catalog is the demo, whose availability is invented. */
  readonly isDemo: boolean
  readonly countries: readonly string[]
  /** What the sources want to be said wherever their data is shown. */
  readonly attributions: readonly Attribution[]
}

/**
 * Scripts and styles come from this service only, and none stands in the page itself. Images come from wherever the
 * catalog says, as long as the way there is safe.
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
  // Where there is no encryption, browsers say in no other way that a request comes from a page of ours.
  'Referrer-Policy',
  'same-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Vary',
  'Accept-Language',
]

/** Names of files hold a hash of their content, so what is under a name never changes. */
const IMMUTABLE_CACHE_CONTROL = 'public, max-age=31536000, immutable'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** What the build says of the site. */
interface SiteDescription {
  readonly paths: readonly string[]
  readonly languages: readonly string[]
  /** The file with the texts that most pages need, by language. */
  readonly texts: Readonly<Record<string, string>>
  /** Files that a page shows its first view with, beside those of all pages. */
  readonly files: Readonly<Record<string, { readonly scripts: readonly string[]; readonly styles: readonly string[] }>>
  /** What pages ask for first; `{country}`, `{language}` and `{rest}` stand for what the visit says. */
  readonly requests: Readonly<Record<string, readonly string[]>>
}

/* The places of the HTML where something of the visit goes. */
const LANGUAGE = '<html lang="en">'
const FACTS = '<meta name="marquee-catalog" content="">'
const TITLE = '<title>Marquee</title>'
const VIEW = '<div id="app"></div>'
const ANSWERS = '<!-- answers -->'

/** What a path ends in if it goes into a request as it is; of others the page takes care. */
const SIMPLE_REST = /^[\w-]+(?:\/[\w-]+)?$/

/** Stands for every path that leads nowhere: the page is the same for all. */
const NOT_FOUND_PATH = '/nowhere'

/** Pages without answers that are kept ready. */
const MAX_CACHED_PAGES = 100

/** Opens the built site. Its files are few and small, so they are kept in memory. */
export function openWebPages(
  factsOf: () => CatalogFacts,
  renderFirstView: RenderFirstView = createFirstViewRenderer(),
): WebPages {
  const folder = join(dirname(createRequire(import.meta.url).resolve('marquee-web/package.json')), 'dist')
  const template = readFileSync(join(folder, 'index.html'), 'utf8')
  const site = JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8')) as SiteDescription
  const assets = new Map(readdirSync(join(folder, 'assets')).map((name) => [name, readAsset(folder, name)]))
  const kept = new Map<string, Page>()

  /** The HTML of a page for a language and what is to be known, without answers. */
  function plainPage(pattern: string | undefined, language: string, facts: string): Page {
    const { scripts = [], styles = [] } = site.files[pattern ?? ''] ?? {}
    const key = `${scripts} ${language} ${facts}`
    let page = kept.get(key)
    if (page === undefined) {
      if (kept.size >= MAX_CACHED_PAGES) kept.clear()
      const links = [
        ...[site.texts[language], ...scripts].map((file) => `<link rel="modulepreload" href="${file}">`),
        ...styles.map((file) => `<link rel="stylesheet" crossorigin href="${file}">`),
      ]
      const html = template
        .replace(LANGUAGE, `<html lang="${language}">`)
        .replace(FACTS, () => [FACTS.replace('""', () => `"${escapeAttribute(facts)}"`), ...links].join('\n    '))
      page = createHtmlPage(html)
      kept.set(key, page)
    }
    return page
  }

  function visitorOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>) {
    const choices = { countries: factsOf().countries, languages: site.languages }
    const guess = guessViewer(headers['accept-language'], choices)
    return { guess, viewer: resolveViewer(url, guess, choices) }
  }

  return {
    paths: site.paths,
    visit(path, req, rest) {
      const { guess, viewer } = visitorOf(req)
      const known: Readonly<Record<string, string>> = { ...viewer, rest }
      const asked = rest === '' || SIMPLE_REST.test(rest) ? site.requests[path] : undefined
      const requests = (asked ?? []).map((request) =>
        request.replace(/\{(\w+)\}/g, (_, name: string) => known[name] as string),
      )
      return { pattern: path, path: path.replace('*', rest), viewer, guess, requests }
    },
    notFoundVisit: (req) => ({ pattern: undefined, path: NOT_FOUND_PATH, requests: [], ...visitorOf(req) }),
    async html({ pattern, path, viewer, guess, requests }, answers, onError) {
      const { language } = viewer
      const { countries, ...rest } = factsOf()
      const facts = { ...rest, countries: countryNames(countries, language), language, guess }
      const page = plainPage(pattern, language, JSON.stringify(facts))
      if (answers.length === 0 && pattern !== undefined) return page
      const html = embedResponses(String(page.body), answers)
      if (answers.length < requests.length) return createHtmlPage(html)
      try {
        const view = await renderFirstView({ path, viewer, facts, answers })
        return createHtmlPage(embedView(html, view))
      } catch (error) {
        onError(error)
        return createHtmlPage(html)
      }
    },
    asset: (name) => assets.get(name),
  }
}

/** The HTML with answers in it. JSON has a less-than sign only within texts, where it can be written in another way. */
function embedResponses(html: string, answers: readonly PrefetchedResponse[]): string {
  const elements = answers.map(({ request, json }) => {
    const name = escapeAttribute(request)
    return `<script type="application/json" data-answers="${name}">${json.replaceAll('<', '\\u003c')}</script>\n`
  })
  return html.replace(ANSWERS, () => elements.join(''))
}

/** The HTML with what the page shows first in it. */
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
