import { expect, it } from 'vitest'
import { type CatalogFacts, openWebPages, type SentAnswer } from './web-pages.ts'

const FACTS: CatalogFacts = { isDemo: true, countries: ['de', 'us'], attributions: [] }

function htmlOf(facts: CatalogFacts, url = '/', answers: readonly SentAnswer[] = []): string {
  const pages = openWebPages(() => facts)
  return String(pages.html(pages.visit('/', { url, headers: {} }, ''), answers).body)
}

it('tells the page what kind of catalog it shows, in the language of the visit', () => {
  expect(htmlOf(FACTS)).toContain('{&quot;code&quot;:&quot;de&quot;,&quot;name&quot;:&quot;Germany&quot;}')
  const turkish = htmlOf(FACTS, '/?lang=tr')
  expect(turkish).toContain('<html lang="tr">')
  expect(turkish).toContain('content="{&quot;isDemo&quot;:true,')
  // Countries stand in the order of their names.
  expect(turkish.indexOf('Almanya')).toBeLessThan(turkish.indexOf('Amerika'))
  expect(turkish).toMatch(/<link rel="modulepreload" href="\/assets\/texts-tr-[\w-]+\.js">/)
})

it('lets no source break out of the attribute that holds the facts', () => {
  const html = htmlOf({ ...FACTS, attributions: [{ text: '"><script>alert(1)</script>$&' }] })
  expect(html).not.toContain('<script>alert')
  expect(html).toContain('\\&quot;>&lt;script>alert(1)&lt;/script>$&amp;')
})

it('lets no answer break out of the element that holds it', () => {
  const title = '</script><script>alert(1)</script><!-- $& \u2028'
  const html = htmlOf(FACTS, '/', [{ request: '/v4/shows/1?country="us"', json: JSON.stringify({ title }) }])
  const [, request, json] = /<script type="application\/json" data-answers="([^"]*)">(.*?)<\/script>/s.exec(html) ?? []
  expect(request).toBe('/v4/shows/1?country=&quot;us&quot;')
  expect(JSON.parse(json as string)).toEqual({ title })
  expect(html).not.toContain('<script>alert')
})

it('knows what a page asks for first, unless its path is out of the ordinary', () => {
  const { visit } = openWebPages(() => FACTS)
  const asked = (path: string, url: string, rest = '') => visit(path, { url, headers: {} }, rest).requests
  expect(asked('/', '/?country=de&lang=fr')).toEqual([
    '/v4/countries/de?output_language=fr',
    '/v4/shows/search/filters?country=de&output_language=fr&order_by=popularity_1week',
  ])
  expect(asked('/show/*', '/show/tt1', 'tt1')).toEqual(['/v4/shows/tt1?country=us&output_language=en'])
  expect(asked('/show/*', '/show/movie/1', 'movie/1')).toHaveLength(1)
  for (const rest of ['../genres', 'a/b/c', 'a?b', 'a b', '..', 'é']) expect(asked('/show/*', '/', rest)).toEqual([])
  expect(asked('/browse', '/browse?genres=crime')).toEqual([])
})

it('makes the page anew only when the facts have changed', () => {
  let facts = FACTS
  const pages = openWebPages(() => facts)
  const visit = pages.visit('/', { url: '/', headers: {} }, '')
  const first = pages.html(visit, [])
  facts = { ...FACTS }
  expect(pages.html(visit, [])).toBe(first)
  facts = { ...FACTS, isDemo: false }
  expect(pages.html(visit, [])).not.toBe(first)
})

it('forbids everything that does not come from the service, images over HTTPS aside', () => {
  const pages = openWebPages(() => FACTS)
  const { headers = [] } = pages.html(pages.visit('/', { url: '/', headers: {} }, ''), [])
  const policy = headers[headers.indexOf('Content-Security-Policy') + 1] ?? ''
  expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:;/)
  expect(policy).not.toContain('unsafe')
})

it('has the files that the page names, for ever, and no others', () => {
  const pages = openWebPages(() => FACTS)
  const names = [...htmlOf(FACTS).matchAll(/"\/assets\/([^"]+)"/g)].map(([, name]) => name as string)
  expect(names.length).toBeGreaterThan(2)
  for (const name of names) expect(pages.asset(name)?.cacheControl).toBe('public, max-age=31536000, immutable')
  for (const name of ['../index.html', 'index.html', '', 'constructor']) expect(pages.asset(name)).toBeUndefined()
})
