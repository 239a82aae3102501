import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { encodeUnpooled } from '../../lib/bytes.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import type { Attribution } from '../../model/source-ranks.ts'
import { extractQueryString } from '../request/parameter-parser.ts'
import {
  type AnswerRequest,
  createFirstViewRenderer,
  type FirstViewRenderer,
  type PrefetchedResponse,
} from './first-view.ts'
import { escapeAttribute, type Page, renderPageHead, requestOrigin } from './page.ts'
import {
  countryNameCache,
  countryNames,
  createPreferencesCookie,
  guessViewer,
  type Preferences,
  readPreferences,
  readTimeZone,
  resolveViewer,
  savePreferences,
  type WebViewer,
} from './viewer.ts'

/** The web pages: the built site of the package `marquee-web`. */
export interface WebPages {
  /** The paths that serve the site's HTML; a `*` at the end is a wildcard. */
  readonly paths: readonly string[]
  /** A page view of one of these paths; `rest` is what the wildcard matched. */
  visit(path: string, req: Pick<IncomingMessage, 'url' | 'headers'>, rest: string): WebVisit
  /** A page view of a path that does not exist. */
  notFoundVisit(req: Pick<IncomingMessage, 'url' | 'headers'>): WebVisit
  /**
   * The HTML. If all requests of the page succeed, it contains the view rendered on the server, which the site's script
   * hydrates. If rendering fails, the error is reported and the script renders in the browser.
   */
  html(visit: WebVisit, answer: AnswerRequest, onError: (error: unknown) => void): Promise<Page>
  /** The headers of the redirect after the settings form was sent; undefined for all other requests. */
  saveSettings(req: Pick<IncomingMessage, 'url' | 'headers'>): readonly string[] | undefined
  /** A file of the site by its name below `/assets/`. */
  asset(name: string): Page | undefined
  caches(): readonly MeteredCache[]
}

/** One page view. */
interface WebVisit {
  /** The matching path of the site, with its wildcard; undefined for a path that does not exist. */
  readonly pattern: string | undefined
  /** The path of the URL, and its query string. */
  readonly path: string
  readonly search: string
  readonly viewer: WebViewer
  /** The viewer by `Accept-Language` alone. */
  readonly guess: WebViewer
  readonly timeZone: string | undefined
  /** The address of the service as the visitor knows it. */
  readonly origin: string
  /** Undefined for a viewer who has neither set nor skipped them. */
  readonly preferences: Preferences | undefined
  /** Whether the server renders it. */
  readonly isRendered: boolean
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
  'Accept-Language, Cookie',
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
  /** The pages that are rendered here, with the files that each needs beside those of all pages. */
  readonly files: Readonly<Record<string, { readonly scripts: readonly string[]; readonly styles: readonly string[] }>>
}

/* Placeholders in index.html. */
const LANGUAGE = '<html lang="en">'
const FACTS = '<meta name="marquee-catalog" content="">'
const TITLE = '<title>Marquee</title>'
const DESCRIPTION = '<meta name="description" content="Which movies and series can be watched where.">'
const VIEW = '<div id="app"></div>'
const ANSWERS = '<!-- answers -->'

const [VIEW_START, VIEW_END] = ['<div id="app">', '</div>']

/** The placeholders, and what a page says that needs a script. */
const PLACEHOLDERS = new RegExp(`(<noscript>.*?</noscript>\\s*|${[TITLE, DESCRIPTION, VIEW, ANSWERS].join('|')})`, 's')

/** An id that needs no encoding in a request, and a slug; the page itself handles others. */
const SIMPLE_REST = /^(?:(?:movie|tv)\/\d+|[\w-]+)(?:\/[\w%.~-]*)?$/

/** Stands for every path that does not exist, so that the cache has one view for all. */
const NOT_FOUND_PATH = '/nowhere'

/** Longer responses are not embedded, since they would delay the page: its script fetches them before it hydrates the HTML. */
const MAX_EMBEDDED_CHARS = 256 * 1024

/** Memory for pages without embedded responses: about a hundred. */
const MAX_CACHE_BYTES = 4 * 1024 * 1024

/** Opens the built site. */
export function openWebPages(
  readFacts: () => CatalogFacts,
  publicUrl?: string,
  firstViews: FirstViewRenderer = createFirstViewRenderer(),
): WebPages {
  const { template, site, assets } = readSite()
  const preferencesCookie = createPreferencesCookie(publicUrl?.startsWith('https:') === true)
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  const templates = new VersionedCache<string, PageTemplate>({
    name: 'page_templates',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ page }, key) => 2 * page.body.length + 2 * key.length,
  })

  /** The HTML of a page without embedded responses. */
  function pageTemplate(pattern: string | undefined, language: string, facts: string, theme?: string): PageTemplate {
    const { scripts = [], styles = [] } = site.files[pattern ?? ''] ?? {}
    const key = `${scripts} ${language} ${facts}`
    return templates.getOrCompute(key, undefined, () => {
      const links = [
        ...[site.texts[language], ...scripts].map((file) => `<link rel="modulepreload" href="${file}">`),
        ...styles.map((file) => `<link rel="stylesheet" crossorigin href="${file}">`),
      ]
      const html = template
        .replace(LANGUAGE, `<html lang="${language}"${theme === undefined ? '' : ` data-theme="${theme}"`}>`)
        .replace(FACTS, () => [FACTS.replace('""', () => `"${escapeAttribute(facts)}"`), ...links].join('\n    '))
      return { page: createHtmlPage(encodeUnpooled(html)), parts: html.split(PLACEHOLDERS).map(parseTemplatePart) }
    })
  }

  function resolveVisitor({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>) {
    const choices = { countries: readFacts().countries, languages: site.languages }
    const preferences = readPreferences(preferencesCookie, { headers }, site.languages)
    const { country, language } = preferences ?? {}
    // What the viewer has chosen replaces the guess.
    const guess = {
      ...guessViewer(headers['accept-language'], choices),
      ...(country !== undefined && { country }),
      ...(language !== undefined && { language }),
    }
    const origin = requestOrigin(headers, publicUrl)
    const timeZone = readTimeZone({ headers })
    return {
      guess,
      viewer: resolveViewer(url, guess, choices),
      preferences,
      timeZone,
      search: extractQueryString(url),
      origin,
    }
  }

  return {
    paths: site.paths,
    visit(path, req, rest) {
      const isRendered = site.files[path] !== undefined && (rest === '' || SIMPLE_REST.test(rest))
      return { pattern: path, path: path.replace('*', rest), isRendered, ...resolveVisitor(req) }
    },
    notFoundVisit: (req) => ({
      ...resolveVisitor(req),
      pattern: undefined,
      path: NOT_FOUND_PATH,
      search: '',
      isRendered: true,
    }),
    async html({ pattern, path, search, viewer, guess, preferences, timeZone, origin, isRendered }, answer, onError) {
      const { language } = viewer
      const { countries, isDemo, attributions } = readFacts()
      const names = countryNames(countries, language)
      const facts = { isDemo, attributions, language, guess, preferences, timeZone, origin }
      // The list of countries is the longest part, and is the same on all pages.
      const factsJson = `${JSON.stringify(facts).slice(0, -1)},"countries":${names.json}}`
      const { page, parts } = pageTemplate(pattern, language, factsJson, preferences?.theme)
      if (!isRendered) return page
      let embedded: Embedded = {}
      try {
        const view = { path, search, viewer, facts: { ...facts, countries: names.list }, factsJson }
        const loaded = await firstViews.load(view, answer)
        // Rendering and what follows are parts of their own, between which other requests are answered.
        await nextTurn()
        embedded = embeddedResponses(loaded.responses)
        const rendered = loaded.render((head) => renderPageHead(head, { origin, viewer, languages: site.languages }))
        if (rendered === undefined)
          return loaded.responses.length === 0 ? page : createHtmlPage(fillTemplate(parts, embedded))
        await nextTurn()
        return createHtmlPage(
          fillTemplate(parts, {
            ...embedded,
            [TITLE]: [`<title>${escapeAttribute(rendered.title)}</title>`],
            [DESCRIPTION]: [rendered.head],
            [VIEW]: [VIEW_START, rendered.html, VIEW_END],
          }),
        )
      } catch (error) {
        onError(error)
        return createHtmlPage(fillTemplate(parts, embedded))
      }
    },
    saveSettings: (req) => savePreferences(preferencesCookie, req, site.languages, publicOrigin),
    asset: (name) => assets.get(name),
    caches: () => [templates, countryNameCache, ...firstViews.caches()],
  }
}

/** What takes the place of the placeholders of a template; those without a value stay as they are. */
type Embedded = Partial<
  Record<typeof TITLE | typeof DESCRIPTION | typeof VIEW | typeof ANSWERS, readonly (string | Buffer)[]>
>

/** A page before anything is embedded, and its parts: placeholders, and what is between them. */
interface PageTemplate {
  readonly page: Page
  readonly parts: readonly TemplatePart[]
}

interface TemplatePart {
  readonly bytes: Buffer
  readonly placeholder: keyof Embedded | undefined
  /** Whether it is for pages that are not rendered here. */
  readonly isForScripts: boolean
}

function parseTemplatePart(text: string): TemplatePart {
  const placeholder = ([TITLE, DESCRIPTION, VIEW, ANSWERS] as const).find((one) => one === text)
  return { bytes: encodeUnpooled(text), placeholder, isForScripts: text.startsWith('<noscript>') }
}

/** Fills in a template. Each part is encoded by itself: a single string of them would be as wide as its widest letter. */
function fillTemplate(parts: readonly TemplatePart[], embedded: Embedded): Buffer {
  const filled = parts.flatMap(({ bytes, placeholder, isForScripts }) => {
    if (isForScripts && embedded[VIEW] !== undefined) return []
    const texts = placeholder && embedded[placeholder]
    return texts === undefined ? bytes : texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text))
  })
  return Buffer.concat(filled)
}

/** Responses as JSON. `<` only occurs inside JSON strings, where `\\u003c` means the same. */
function embeddedResponses(responses: readonly PrefetchedResponse[]): Embedded {
  const short = responses.filter(({ json }) => json.length <= MAX_EMBEDDED_CHARS)
  if (short.length === 0) return {}
  const elements = short.flatMap(({ request, json }) => {
    const name = escapeAttribute(request)
    const text = json.replaceAll('<', '\\u003c')
    return [`<script type="application/json" data-answers="${name}">`, text, '</script>\n']
  })
  return { [ANSWERS]: elements }
}

function createHtmlPage(body: Buffer): Page {
  return { contentType: 'text/html; charset=utf-8', body, cacheControl: 'private, no-cache', headers: HTML_HEADERS }
}

/** The files of the built site. */
interface SiteFiles {
  /** `index.html` with its placeholders. */
  readonly template: string
  readonly site: SiteDescription
  /** The files in `assets`, by name. */
  readonly assets: ReadonlyMap<string, Page>
}

let siteFiles: SiteFiles | undefined

/** Reads the files of the built site once. They are few and small, so all of them stay in memory. */
function readSite(): SiteFiles {
  siteFiles ??= readSiteFrom(join(dirname(createRequire(import.meta.url).resolve('marquee-web/package.json')), 'dist'))
  return siteFiles
}

function readSiteFrom(folder: string): SiteFiles {
  return {
    template: readFileSync(join(folder, 'index.html'), 'utf8'),
    site: JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8')) as SiteDescription,
    assets: new Map(readdirSync(join(folder, 'assets')).map((name) => [name, readAsset(folder, name)])),
  }
}

function readAsset(folder: string, name: string): Page {
  const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
  return { contentType, body: readFileSync(join(folder, 'assets', name)), cacheControl: IMMUTABLE_CACHE_CONTROL }
}
