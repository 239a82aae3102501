import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Attribution } from '../model/attribution.ts'
import type { Page } from './page.ts'

/** The pages for people: the built site of the package `marquee-web`. */
export interface WebPages {
  /** The paths that answer with the site's HTML; a `*` at the end stands for anything. */
  readonly paths: readonly string[]
  /** The HTML. It is the same for all of them: the site's script shows what belongs to the path. */
  html(): Page
  /** A file that the HTML refers to, by its name below `/assets/`. */
  asset(name: string): Page | undefined
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
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
]

/** Names of files hold a hash of their content, so what is under a name never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Where the HTML holds the facts about the catalog. */
const FACTS = '<meta name="marquee-catalog" content="">'

/** Opens the built site. Its files are few and small, so they are kept in memory. */
export function openWebPages(factsOf: () => CatalogFacts): WebPages {
  const folder = join(dirname(createRequire(import.meta.url).resolve('marquee-web/package.json')), 'dist')
  const template = readFileSync(join(folder, 'index.html'), 'utf8')
  const paths = JSON.parse(readFileSync(join(folder, 'paths.json'), 'utf8')) as string[]
  const assets = new Map(readdirSync(join(folder, 'assets')).map((name) => [name, readAsset(folder, name)]))
  let facts = ''
  let page = htmlPage(template)
  return {
    paths,
    html() {
      const latest = JSON.stringify(factsOf())
      if (latest !== facts) {
        facts = latest
        page = htmlPage(template.replace(FACTS, () => FACTS.replace('""', () => `"${escapeAttribute(latest)}"`)))
      }
      return page
    },
    asset: (name) => assets.get(name),
  }
}

function htmlPage(html: string): Page {
  return {
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from(html),
    cacheControl: 'no-cache',
    headers: HTML_HEADERS,
  }
}

function readAsset(folder: string, name: string): Page {
  const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream'
  return { contentType, body: readFileSync(join(folder, 'assets', name)), cacheControl: FOR_EVER }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
