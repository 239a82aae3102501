import { expect, it } from 'vitest'
import { type CatalogFacts, openWebPages } from './web-pages.ts'

const FACTS: CatalogFacts = { isDemo: true, countries: ['us'], attributions: [] }

function htmlOf(facts: CatalogFacts): string {
  return String(openWebPages(() => facts).html().body)
}

it('tells the page what kind of catalog it shows', () => {
  expect(htmlOf(FACTS)).toContain('content="{&quot;isDemo&quot;:true,&quot;countries&quot;:[&quot;us&quot;],')
})

it('lets no source break out of the attribute that holds the facts', () => {
  const html = htmlOf({ ...FACTS, attributions: [{ text: '"><script>alert(1)</script>$&' }] })
  expect(html).not.toContain('<script>alert')
  expect(html).toContain('\\&quot;>&lt;script>alert(1)&lt;/script>$&amp;')
})

it('makes the page anew only when the facts have changed', () => {
  let facts = FACTS
  const pages = openWebPages(() => facts)
  const first = pages.html()
  facts = { ...FACTS }
  expect(pages.html()).toBe(first)
  facts = { ...FACTS, isDemo: false }
  expect(pages.html()).not.toBe(first)
})

it('forbids everything that does not come from the service, images over HTTPS aside', () => {
  const { headers = [] } = openWebPages(() => FACTS).html()
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
