import type { Catalog } from '../../catalog/catalog.ts'
import { loadShowPath } from '../../http/site/first-view.ts'
import type { Site } from '../../http/site/page.ts'

/** Documents of one file. A sitemap may have 50,000 addresses and 50 MB; smaller files are made and fetched sooner. */
const DOCS_PER_FILE = 10_000

/** Documents between two turns of the event loop, so that no request waits for a file. */
const DOCS_PER_TURN = 500

/** Pages that are not about a show. */
const PAGES = ['/', '/browse', '/new', '/leaving', '/upcoming', '/top']

const CACHE_CONTROL = 'public, max-age=3600'

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** The part of the catalog that addresses are made of. */
type ShowFacts = Pick<Catalog, 'nextDoc' | 'facts'>

/** What crawlers read: `/robots.txt`, `/sitemap.xml` as an index, and its files with the addresses of all shows. */
export function createCrawlerFiles(catalog: ShowFacts): readonly Site[] {
  return [
    {
      prefix: '/robots.txt',
      isExact: true,
      cacheControl: CACHE_CONTROL,
      serve: (_path, origin) => ({ contentType: 'text/plain; charset=utf-8', body: robotsText(origin) }),
    },
    {
      prefix: '/sitemap.xml',
      isExact: true,
      cacheControl: CACHE_CONTROL,
      serve: (_path, origin) => xml(sitemapIndex(Math.ceil(catalog.nextDoc() / DOCS_PER_FILE), origin)),
    },
    {
      prefix: '/sitemaps/',
      cacheControl: CACHE_CONTROL,
      serve(path, origin) {
        if (path === 'pages.xml') return xml(urlSet(PAGES.map((page) => origin + page)))
        const file = Number(/^shows-(\d{1,6})\.xml$/.exec(path)?.[1])
        if (Number.isNaN(file) || file * DOCS_PER_FILE >= catalog.nextDoc()) return undefined
        return showAddresses(catalog, file, origin).then((addresses) => xml(urlSet(addresses)))
      },
    },
  ]
}

/** Pages for people who are signed in, and the API itself, are nothing to search for. */
function robotsText(origin: string): string {
  const closed = ['/v4/', '/platform/', '/dashboard', '/operator', '/sign-in', '/sign-up', '/watch/']
  return `User-agent: *\n${closed.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${origin}/sitemap.xml\n`
}

function sitemapIndex(files: number, origin: string): string {
  const names = ['pages.xml', ...Array.from({ length: files }, (_, file) => `shows-${file}.xml`)]
  const entries = names.map((name) => `<sitemap><loc>${escapeText(`${origin}/sitemaps/${name}`)}</loc></sitemap>\n`)
  return `<sitemapindex xmlns="${NAMESPACE}">\n${entries.join('')}</sitemapindex>\n`
}

function urlSet(addresses: readonly string[]): string {
  const entries = addresses.map((address) => `<url><loc>${escapeText(address)}</loc></url>\n`)
  return `<urlset xmlns="${NAMESPACE}">\n${entries.join('')}</urlset>\n`
}

/** The addresses of the shows of one file, read in slices. Deleted and merged shows have none. */
async function showAddresses(catalog: ShowFacts, file: number, origin: string): Promise<string[]> {
  const showPath = await loadShowPath()
  const addresses: string[] = []
  const end = Math.min((file + 1) * DOCS_PER_FILE, catalog.nextDoc())
  for (let doc = file * DOCS_PER_FILE; doc < end; doc++) {
    if (doc % DOCS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    const facts = catalog.facts(doc)
    if (facts === undefined || facts.deleted || facts.mergedInto !== undefined) continue
    addresses.push(origin + showPath(facts))
  }
  return addresses
}

function xml(content: string) {
  return { contentType: 'application/xml; charset=utf-8', body: `<?xml version="1.0" encoding="UTF-8"?>\n${content}` }
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** The web app manifest: lets a phone put the site on its home screen. */
export const MANIFEST_SITE: Site = {
  prefix: '/manifest.webmanifest',
  isExact: true,
  serve: () => ({ contentType: 'application/manifest+json', body: MANIFEST }),
}

const MANIFEST = JSON.stringify({
  name: 'Marquee',
  short_name: 'Marquee',
  description: 'Which movies and series can be watched where.',
  start_url: '/',
  scope: '/',
  display: 'minimal-ui',
  background_color: '#faf8f4',
  theme_color: '#b4410e',
  icons: [192, 512].map((size) => ({
    src: `/icons/${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
})
