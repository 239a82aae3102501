import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { SourceAttribution } from '../model/attribution.ts'
import type { Page } from './page.ts'
import { JSON_TYPE } from './responder.ts'

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

/** Nothing from other hosts and nothing inline; the interface embeds its icons as data. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const docsHtml = (footer: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Marquee API documentation</title>
<link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/assets/docs.css">
</head>
<body>
<header>
<h1>Marquee API</h1>
<p>Which movies and series can be watched on which streaming services in which countries, what changed, and what is
about to. To try a request, press <b>Authorize</b>, paste a key, and choose the server that the key belongs to:
<code>/v4</code> for direct keys, <code>/</code> for marketplace keys. The description itself is
<a href="/openapi.json">openapi.json</a>.</p>
</header>
<main id="documentation"><noscript>This page needs JavaScript; <a href="/openapi.json">openapi.json</a> does not.</noscript></main>
${footer}<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/initializer.js"></script>
</body>
</html>
`

const DOCS_CSS = `body { margin: 0; background: #fff; color: #1f2933; font: 16px/1.5 system-ui, sans-serif; }
body > header { max-width: 1420px; margin: 0 auto; padding: 24px 20px 0; box-sizing: border-box; }
body > header h1 { margin: 0 0 8px; font-size: 28px; }
body > header p { margin: 0; max-width: 72ch; }
body > footer { max-width: 1420px; margin: 0 auto; padding: 0 20px 32px; box-sizing: border-box; font-size: 14px; }
body > footer h2 { margin: 0 0 4px; font-size: 16px; }
body > footer p { margin: 0; }
.swagger-ui .information-container { display: none; }
`

const INITIALIZER = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#documentation',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
})
`

/** Files of the interface that the page uses, by type. */
const BUNDLED = { 'swagger-ui.css': CSS, 'swagger-ui-bundle.js': SCRIPT, 'favicon-32x32.png': 'image/png' }

const PAGE_HEADERS = ['Content-Security-Policy', CONTENT_SECURITY_POLICY, 'Referrer-Policy', 'no-referrer']

/** The documentation page, with what the sources of the catalog want to be shown. */
export function docsPage(attributions: readonly SourceAttribution[]): Page {
  return {
    contentType: HTML,
    body: docsHtml(footerOf(attributions)),
    cacheControl: 'public, max-age=300',
    headers: PAGE_HEADERS,
  }
}

/** The same for programs: web pages that show data of the catalog have to show this beside it. */
export function attributionsPage(attributions: readonly SourceAttribution[]): Page {
  return { contentType: JSON_TYPE, body: JSON.stringify(attributions), cacheControl: 'public, max-age=300' }
}

function footerOf(attributions: readonly SourceAttribution[]): string {
  const lines = attributions.flatMap(({ attribution }) =>
    attribution.map(({ text, link }) => {
      const said = escaped(text)
      return `<p>${link === undefined ? said : `<a href="${escaped(link)}" rel="noopener">${said}</a>`}</p>`
    }),
  )
  return lines.length === 0 ? '' : `<footer>\n<h2>Where the data comes from</h2>\n${lines.join('\n')}\n</footer>\n`
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (sign) => entities[sign] as string)
}

const assets = new Map<string, Page>([
  ['docs.css', asset(CSS, Buffer.from(DOCS_CSS))],
  ['initializer.js', asset(SCRIPT, Buffer.from(INITIALIZER))],
])

/** A file that the documentation page needs. Those of the interface are read when they are first asked for. */
export function docsAsset(name: string): Page | undefined {
  const known = assets.get(name)
  if (known !== undefined || !Object.hasOwn(BUNDLED, name)) return known
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const page = asset(BUNDLED[name as keyof typeof BUNDLED], readFileSync(join(folder, name)))
  assets.set(name, page)
  return page
}

function asset(contentType: string, body: Buffer): Page {
  return { contentType, body, cacheControl: 'public, max-age=86400', headers: PAGE_HEADERS }
}
