import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const PAGE = '/?country=us&lang=en'

describe('the pages for people', async () => {
  const service = await aRunningService(aSnapshot(aMovie({ id: '1', title: 'The <b>Movie</b>' })))
  const open = (url: string, headers: Record<string, string> = {}) => service.raw(url, headers)
  const cookieOf = ({ headers }: { headers: Record<string, string> }) => headers['set-cookie']?.split(';')[0]
  const answersIn = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<script type="application\/json" data-answers="([^"]*)">(.*?)<\/script>/gs)].map(
        ([, request = '', json = '']) => [request.replaceAll('&amp;', '&'), JSON.parse(json)],
      ),
    )

  it('set a visitor token, and renew it after half of its life', async () => {
    const first = await open('/browse')
    expect(first.headers['set-cookie']).toMatch(/^marquee_pass=[\w.-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/)
    const cookie = cookieOf(first) as string
    expect((await open('/browse', { cookie })).headers['set-cookie']).toBeUndefined()
    expect((await open('/browse', { cookie: `${cookie}x` })).headers['set-cookie']).toBeDefined()
    const page = { 'sec-fetch-site': 'same-origin', cookie }
    expect((await open('/v4/genres', page)).status).toBe(200)
    service.now += 1_801
    expect((await open('/v4/genres', page)).status).toBe(200)
    expect(cookieOf(await open('/browse', { cookie }))).not.toBe(cookie)
  })

  it('embed the responses that they need first, exactly as the API sends them', async () => {
    const { text, headers } = await open(PAGE)
    const answers = answersIn(text)
    const requests = Object.keys(answers)
    expect(requests).toHaveLength(3)
    for (const request of requests)
      expect(answers[request]).toEqual((await service.get(request.slice('/v4'.length))).body)
    expect(text).not.toContain('<b>')
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache' })
    expect(String(headers.vary)).toContain('Accept-Language')
    const show = await open('/show/1?country=us&lang=fr')
    const embedded = Object.keys(answersIn(show.text)).map((request) => request.replace(/(?<=fields=).*/, '…'))
    expect(embedded).toEqual([
      '/v4/shows/1?country=us&series_granularity=show&output_language=fr',
      '/v4/shows/1?series_granularity=show&fields=…',
      '/v4/shows/1/history?country=us&series_granularity=show&output_language=fr',
    ])
  })

  it('draw the history of a show without a script', async () => {
    const page = async () => (await open('/show/1?country=us&lang=en')).text.replace(/<script.*?<\/script>/gs, '')
    const bars = (html: string) => [...html.matchAll(/<rect class="history-span" x="(\d+)" width="(\d+)"/g)].length
    expect(bars(await page())).toBe(1)
    const options = (services: string[]) => ({ us: services.map((service) => anOption({ service })) })
    const movie = { id: '1', title: 'The <b>Movie</b>' }
    await service.import(aSnapshot(aMovie({ ...movie, streamingOptions: options(['mubi']) })), { force: true })
    service.now += DAY
    await service.import(aSnapshot(aMovie({ ...movie, streamingOptions: options(['netflix']) })), { force: true })
    const html = await page()
    expect(bars(html)).toBe(3)
    expect(html).toMatch(/<h2>Availability over time<\/h2>/)
    expect(html.match(/since [A-Z]/g)).toHaveLength(1)
    service.now -= DAY
  })

  it('list other countries and the episodes of a season without a script', async () => {
    const rent = { type: 'rent', service: 'prime', link: 'https://prime.test/9' }
    const price = (amount: string, currency: string) => ({ ...rent, price: { amount, currency } })
    const streamingOptions = {
      us: [anOption()],
      tr: [anOption({ service: 'mubi', link: 'https://mubi.test/9' })],
      gb: [anOption(price('2.49', 'GBP'))],
    }
    await service.import(aDelta(aSeries({ id: '9', streamingOptions })))
    const read = async (query: string) => {
      const { text } = await open(`/show/9?country=us&lang=en${query}`, { 'x-forwarded-for': '10.0.0.9' })
      return text.replace(/<script.*?<\/script>/gs, '')
    }
    const rows = (html: string) =>
      [...(/<table.*?<\/table>/s.exec(html.split('id="countries"')[1] ?? '')?.[0] ?? '').matchAll(/<tr.*?<\/tr>/gs)]
        .slice(1)
        .map(([row]) =>
          row
            .replace(/<svg.*?<\/svg>/gs, '')
            .replace(/<[^>]*>/g, ' ')
            .replace(/\s+/g, ' ')
            .trim(),
        )
    const page = await read('')
    expect(rows(page)).toEqual(['Türkiye Mubi Subscription', 'United States (chosen) Netflix Subscription'])
    // The filters of the table are buttons of a form that leads back to it.
    const form = /<form[^>]*action="(\/show\/9[^"]*#countries)".*?<\/form>/s.exec(page)?.[0] ?? ''
    expect([...form.matchAll(/<button[^>]*name="offers"[^>]*value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'flat',
      'rent',
      'all',
    ])
    expect(form).toMatch(/<input type="hidden" name="country" value="us"/)
    expect(rows(await read('&offers=rent'))).toEqual(['United Kingdom Prime Rent £2.49'])
    // A folded season has a link to the page with its episodes.
    expect(page).not.toContain('class="episode"')
    expect(page).toMatch(/<a href="\/show\/9\?season=2&amp;country=us&amp;lang=en#season-2">2 episodes<\/a>/)
    const unfolded = await read('&season=2')
    expect(unfolded.match(/class="episode"/g)).toHaveLength(2)
    expect(unfolded).toMatch(/<details[^>]*id="season-2"[^>]* open/)
  })

  it('show a series without a script whose episodes are too many to be embedded, or to be rendered at once', async () => {
    const episode = (number: number) => ({
      ...{ itemType: 'episode', title: `Part ${number}`, overview: 'long '.repeat(300), airYear: 2010 },
      streamingOptions: { us: [anOption({ link: `https://netflix.test/8/${number}` })] },
    })
    const episodes = Array.from({ length: 600 }, (_, i) => episode(i + 1))
    const [season] = aSeries().seasons as object[]
    await service.import(aDelta(aSeries({ id: '8', title: 'Endless', seasons: [{ ...season, episodes }] })))
    const { status, text } = await open('/show/8?country=us&lang=en', { 'x-forwarded-for': '10.0.0.8' })
    expect([status, text.length < 256 * 1024]).toEqual([200, true])
    expect(text).toContain('<h1 dir="auto">Endless</h1>')
    expect(text).toMatch(/<a href="\/show\/8\?season=1&amp;[^"]*#season-1">600 episodes<\/a>/)
    // The script asks for the episodes itself, and has the rest.
    expect(Object.keys(answersIn(text)).map((request) => request.replace(/(?<=fields=).*/, '…'))).toEqual([
      '/v4/shows/8?country=us&series_granularity=show&output_language=en',
      '/v4/shows/8?series_granularity=show&fields=…',
      '/v4/shows/8/history?country=us&series_granularity=show&output_language=en',
    ])
    const unfolded = await open('/show/8?country=us&lang=en&season=1', { 'x-forwarded-for': '10.0.0.8' })
    expect(unfolded.text.match(/class="episode"/g)).toHaveLength(600)
  })

  it('leave out what the API rejects', async () => {
    expect(answersIn((await open('/show/none?country=us&lang=en')).text)).toEqual({})
    expect(Object.keys(answersIn((await open('/?country=zz&lang=en')).text))).toEqual([])
  })

  it('are counted for the visitor, and embed nothing beyond the rate limit', async () => {
    service.now += 10
    const counts: number[] = []
    for (let visits = 0; visits < 30; visits++) {
      const { status, text } = await open(PAGE)
      expect(status).toBe(200)
      counts.push(Object.keys(answersIn(text)).length)
    }
    // Fifty requests a second are three for each of 16 visits, and two more.
    expect(counts.slice(0, 16)).toEqual(Array(16).fill(3))
    expect(counts.at(-1)).toBe(0)
    // What exists does not depend on what the visitor may still request.
    const [known, unknown] = [await open('/show/1?country=us'), await open('/show/none?country=us')]
    expect([known.status, unknown.status, answersIn(known.text)]).toEqual([200, 404, {}])
    for (const path of ['/show/2/slug', '/show/movie/5', '/show/tt0000005'])
      expect((await open(`${path}?country=us`)).status).toBe(404)
    service.now += 10
  })

  it.each(['/show/count', '/show/search/title', '/show/top', '/show/..%2fgenres', '/show/1/a/b'])(
    'are not found at %s, which names no show',
    async (path) => {
      const { status, text } = await open(path)
      expect(status).toBe(404)
      expect(text).toContain('<title>There is no such page')
    },
  )

  it('are the same as long as the catalog is, and others after that', async () => {
    const first = await open(PAGE)
    const etag = first.headers.etag as string
    expect((await open(PAGE, { 'if-none-match': etag })).status).toBe(304)
    await service.import(aDelta(aMovie({ id: '2', title: 'Another' })))
    const later = await open(PAGE, { 'if-none-match': etag })
    expect(later.status).toBe(200)
    expect(later.text).toContain('Another')
  })
})
