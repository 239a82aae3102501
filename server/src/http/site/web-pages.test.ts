import { expect, it } from 'vitest'
import type { PrefetchedResponse } from './first-view.ts'
import { type CatalogFacts, openWebPages } from './web-pages.ts'

const FACTS: CatalogFacts = { isDemo: true, countries: ['de', 'us'], attributions: [] }

function fail(error: unknown): never {
  throw error
}

/** Answers the requests of a page from a list, and no others. */
function answering(answers: readonly PrefetchedResponse[]): (request: string) => Promise<string | undefined> {
  return async (request) => answers.find((answer) => answer.request === request)?.json
}

const NOTHING = answering([])

async function htmlOf(facts: CatalogFacts, url = '/', answers: readonly PrefetchedResponse[] = []): Promise<string> {
  const pages = openWebPages(() => facts)
  return String((await pages.html(pages.visit('/', { url, headers: {} }, ''), answering(answers), fail)).body)
}

const SHOWS = '/v4/shows/search/filters?country=us&output_language=en&order_by=popularity_1week'
const COUNTRY = '/v4/countries/us?output_language=en'
const ANSWERS: readonly PrefetchedResponse[] = [
  { request: COUNTRY, json: JSON.stringify({ countryCode: 'us', name: 'United States', services: [] }) },
  { request: '/v4/genres?output_language=en', json: JSON.stringify([{ id: 'crime', name: 'Crime' }]) },
  { request: SHOWS, json: JSON.stringify({ shows: [], hasMore: false }) },
]

it('embeds the facts of the catalog in the language of the visit', async () => {
  expect(await htmlOf(FACTS)).toContain('{&quot;code&quot;:&quot;de&quot;,&quot;name&quot;:&quot;Germany&quot;}')
  const turkish = await htmlOf(FACTS, '/?lang=tr')
  expect(turkish).toContain('<html lang="tr">')
  expect(turkish).toContain('content="{&quot;isDemo&quot;:true,')
  // Countries stand in the order of their names.
  expect(turkish.indexOf('Almanya')).toBeLessThan(turkish.indexOf('Amerika'))
  expect(turkish).toMatch(/<link rel="modulepreload" href="\/assets\/texts-tr-[\w-]+\.js">/)
})

it('lets the event loop turn between the parts of a page', async () => {
  // The first page loads modules, which takes turns of its own.
  await htmlOf(FACTS, '/', ANSWERS)
  let turns = 0
  let isCounting = true
  const count = () => {
    turns++
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  expect(await htmlOf(FACTS, '/', ANSWERS)).toContain('<main')
  isCounting = false
  expect(turns).toBeGreaterThanOrEqual(2)
})

it('escapes the attribute that holds the facts', async () => {
  const html = await htmlOf({ ...FACTS, attributions: [{ text: '"><script>alert(1)</script>$&' }] })
  expect(html).not.toContain('<script>alert')
  expect(html).toContain('\\&quot;>&lt;script>alert(1)&lt;/script>$&amp;')
})

it('escapes the element that holds a response', async () => {
  const title = '</script><script>alert(1)</script><!-- $& \u2028'
  const html = await htmlOf(FACTS, '/', [{ request: SHOWS, json: JSON.stringify({ title }) }])
  const [, request, json] = /<script type="application\/json" data-answers="([^"]*)">(.*?)<\/script>/s.exec(html) ?? []
  expect(request).toBe(SHOWS.replaceAll('&', '&amp;'))
  expect(JSON.parse(json as string)).toEqual({ title })
  expect(html).not.toContain('<script>alert')
})

it('requests what a page needs first, unless its path needs encoding', async () => {
  const pages = openWebPages(() => FACTS)
  const asked = async (path: string, url: string, rest = '') => {
    const requests: string[] = []
    const answer = async (request: string) => {
      requests.push(request)
      return /countries/.test(request)
        ? '{"countryCode":"us","services":[]}'
        : /genres/.test(request)
          ? '[]'
          : undefined
    }
    await pages.html(pages.visit(path, { url, headers: {} }, rest), answer, fail)
    return requests
  }
  expect(await asked('/', '/?country=de&lang=fr')).toEqual([
    '/v4/countries/de?output_language=fr',
    '/v4/genres?output_language=fr',
    '/v4/shows/search/filters?country=de&output_language=fr&order_by=popularity_1week',
  ])
  const show = ['/v4/shows/tt1?country=us&series_granularity=show&output_language=en']
  expect(await asked('/show/*', '/show/tt1', 'tt1')).toEqual(show)
  expect(await asked('/show/*', '/show/tt1/a-title', 'tt1/a-title')).toEqual(show)
  expect(await asked('/show/*', '/show/movie/1', 'movie/1')).toHaveLength(1)
  for (const rest of ['../genres', 'a/b/c', 'a?b', 'a b', '..', 'é'])
    expect(await asked('/show/*', '/', rest)).toEqual([])
  expect(await asked('/browse', '/browse?genres=crime&rating_min=60')).toEqual([
    '/v4/countries/us?output_language=en',
    '/v4/genres?output_language=en',
    '/v4/shows/search/filters?country=us&output_language=en&rating_min=60&order_by=popularity_1week',
    expect.stringContaining(
      '/v4/shows/count?country=us&output_language=en&rating_min=60&currency=USD&facets=services%2C',
    ),
  ])
  const [, , , counts] = await asked('/browse', '/browse?quality_min=hd')
  const steps = new URLSearchParams(counts?.split('?')[1]).get('steps') ?? ''
  expect(steps.replace(/leaving_before:\d+/g, 'leaving_before:…').split(',')).toEqual([
    ...['runtime_max:90', 'runtime_max:120', 'runtime_max:150', 'quality_min:hd', 'quality_min:uhd'],
    ...['leaving_before:…', 'leaving_before:…', 'price_max:3', 'price_max:5', 'price_max:10'],
  ])
  expect(await asked('/search', '/search?title=a%26b')).toEqual([
    '/v4/shows/search/title?title=a%26b&country=us&output_language=en',
  ])
  expect(await asked('/leaving', '/leaving?show_type=movie')).toHaveLength(2)
})

it('rebuilds the page only when the facts have changed', async () => {
  let facts = FACTS
  const pages = openWebPages(() => facts)
  const visit = pages.visit('/', { url: '/', headers: {} }, '')
  const first = await pages.html(visit, NOTHING, fail)
  facts = { ...FACTS }
  expect(await pages.html(visit, NOTHING, fail)).toBe(first)
  facts = { ...FACTS, isDemo: false }
  expect(await pages.html(visit, NOTHING, fail)).not.toBe(first)
})

it('forbids everything that does not come from the service, images over HTTPS aside', async () => {
  const pages = openWebPages(() => FACTS)
  const { headers = [] } = await pages.html(pages.visit('/', { url: '/', headers: {} }, ''), NOTHING, fail)
  const policy = headers[headers.indexOf('Content-Security-Policy') + 1] ?? ''
  expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:;/)
  expect(policy).not.toContain('unsafe')
})

it('serves the files that the page names as immutable, and no others', async () => {
  const pages = openWebPages(() => FACTS)
  const names = [...(await htmlOf(FACTS)).matchAll(/"\/assets\/([^"]+)"/g)].map(([, name]) => name as string)
  expect(names.length).toBeGreaterThan(2)
  for (const name of names) expect(pages.asset(name)?.cacheControl).toBe('public, max-age=31536000, immutable')
  for (const name of ['../index.html', 'index.html', '', 'constructor']) expect(pages.asset(name)).toBeUndefined()
})

it('renders the first view on the server once all its responses are there', async () => {
  const whole = await htmlOf(FACTS, '/', ANSWERS)
  expect(whole).toContain('<h2>Popular this week</h2>')
  expect(whole).toMatch(/<title>[^<]+ · Marquee<\/title>/)
  // The policy forbids styles in HTML.
  expect(whole).not.toMatch(/<[^>]* style=/)
  expect(await htmlOf(FACTS, '/', ANSWERS.slice(1))).toContain('<div id="app"></div>')
})

it('leaves a view that cannot be rendered to the script, and reports the error', async () => {
  const errors: unknown[] = []
  const pages = openWebPages(() => FACTS)
  const broken = ANSWERS.map(({ request }) => ({ request, json: '{' }))
  const visit = pages.visit('/', { url: '/', headers: {} }, '')
  const page = await pages.html(visit, answering(broken), (error) => errors.push(error))
  expect(String(page.body)).toContain('<div id="app"></div>')
  expect(String(page.body)).toContain(`data-answers="${COUNTRY}"`)
  expect(errors).toHaveLength(1)
})

it('keeps concurrently rendered views apart', async () => {
  const pages = openWebPages(() => FACTS)
  const render = async (lang: string) => {
    const visit = pages.visit('/', { url: `/?country=us&lang=${lang}`, headers: {} }, '')
    const answer = async (request: string) =>
      ANSWERS.find((known) => known.request === request.replace(/(output_language)=\w\w/, '$1=en'))?.json
    return String((await pages.html(visit, answer, fail)).body)
  }
  const [turkish = '', english = '', again] = await Promise.all([render('tr'), render('en'), render('tr')])
  expect(turkish).toContain('<h2>Bu hafta popüler</h2>')
  expect(english).toContain('<h2>Popular this week</h2>')
  const [, title] = /<title>(.*) · Marquee<\/title>/.exec(turkish) as RegExpExecArray
  expect(english).not.toContain(title)
  expect(again).toBe(turkish)
})
