import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browser.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { aRunningService } from './running-service.ts'

const ANN = { email: 'ann@example.com', password: 'correct horse battery' }

/** Hostile to every format: markup, separators of calendars, line breaks, letters of several bytes, a control character. */
const TITLE = 'Tom & "Jerry" <3; a, b\\c ] ]> — 映画 é\u0001'
const OVERVIEW = `First line,\nsecond; line. ${'日本語のとても長い説明 '.repeat(20)}`.trim()

describe('the feeds for people', async () => {
  const service = await aRunningService(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })))
  service.now += 600
  await service.import(
    aDelta(
      aMovie({ id: '3', title: TITLE, overview: OVERVIEW, genres: ['comedy'] }),
      aMovie({
        id: '4',
        streamingOptions: {
          us: [
            anOption({ expiresOn: NOW + 5 * DAY }),
            anOption({ type: 'buy', price: { amount: '9.99', currency: 'USD' } }),
          ],
        },
      }),
      aMovie({ id: '1', streamingOptions: {} }),
    ),
  )
  const get = (path: string, headers: Record<string, string> = {}) =>
    service.raw(path, { host: 'tv.example', ...headers })
  const atom = async (query: string) => {
    const answer = await get(`/feeds/changes.atom?${query}`)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
    return parseAtomFeed(answer.text)
  }
  const calendar = async (path: string) => {
    const answer = await get(path)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    for (const line of answer.text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    const parsed = new ICAL.Component(ICAL.parse(answer.text))
    return parsed.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
  }

  it('Atom has the changes of the last days, newest first, with what the format needs', async () => {
    const feed = await atom('country=us')
    expect(feed).toMatchObject({
      title: { value: 'Marquee: Changes (US)' },
      id: expect.stringContaining('http://tv.example/feeds/'),
    })
    const titles = feed.entries?.map(({ title }) => title?.value) ?? []
    expect(titles.slice(0, 3).sort()).toEqual([
      'New on Netflix: Movie 4 (2001)',
      'New on Netflix: Tom & "Jerry" <3; a, b\\c ] ]> — 映画 é (2001)',
      'No longer on Netflix: Movie 1 (2001)',
    ])
    expect(titles).toContainEqual(expect.stringMatching(/^New on Netflix: Series 2, season 1 \(\d{4}\)$/))
    const [first] = feed.entries ?? []
    expect(first?.id).toMatch(/^tag:tv\.example,2026:us\/\w+\/\d+\/0\/netflix\/\d+$/)
    expect(first?.updated).toBe(new Date(service.now * 1000).toISOString().replace('.000Z', 'Z'))
    expect(new Set(feed.entries?.map(({ id }) => id)).size).toBe(feed.entries?.length)
    expect(feed.links?.map(({ rel }) => rel)).toEqual(['self', 'alternate'])
    const tom = feed.entries?.find(({ title }) => title?.value?.includes('Tom'))
    expect(tom?.summary?.value).toBe(`subscription. ${OVERVIEW}`)
  })

  it('JSON Feed has the same entries', async () => {
    const answer = await get('/feeds/changes.json?country=us')
    expect(answer.headers['content-type']).toBe('application/feed+json; charset=utf-8')
    const feed = parseJsonFeed(JSON.parse(answer.text))
    const entries = (await atom('country=us')).entries ?? []
    expect(feed.items?.map(({ id }) => id)).toEqual(entries.map(({ id }) => id))
    expect(JSON.parse(answer.text)).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      feed_url: 'http://tv.example/feeds/changes.json?country=us',
    })
    expect(feed.items?.every(({ url }) => url?.startsWith('http://tv.example/show/'))).toBe(true)
  })

  it('filters by service, genre, type, kind of change and show', async () => {
    const count = async (query: string) => (await atom(`country=us&${query}`)).entries?.length ?? 0
    expect(await count('genres=comedy&show_type=movie')).toBe(1)
    expect(await count('genres=comedy,drama&show_type=movie')).toBe(4)
    expect(await count('show=tt0000004')).toBe(1)
    expect(await count('show=4&change_type=removed')).toBe(0)
    expect(await count('change_type=removed')).toBe(1)
    expect(await count('catalogs=prime')).toBe(0)
    expect(await count('catalogs=netflix.buy')).toBe(1)
  })

  it('the calendar of what leaves has the instants at which it does', async () => {
    const [event, ...others] = await calendar('/feeds/leaving.ics?country=us')
    expect(others).toEqual([])
    expect(event?.summary).toBe('Leaves Netflix: Movie 4 (2001)')
    expect(event?.startDate.toJSDate().getTime()).toBe((NOW + 5 * DAY) * 1000)
    expect(event?.uid).toBe(`us/expiring/4/0/netflix/${NOW + 5 * DAY}@tv.example`)
  })

  it('the calendar of what is new holds every text, and speaks the language of the pages', async () => {
    const events = await calendar('/feeds/new.ics?country=us')
    const tom = events.find(({ summary }) => summary.includes('Tom'))
    expect(tom?.summary).toBe(`New on Netflix: ${TITLE.replace('\u0001', ' ')} (2001)`)
    expect(tom?.description).toBe(`subscription. ${OVERVIEW}`)
    const french = await calendar('/feeds/new.ics?country=us&show=4&output_language=fr')
    expect(french.map(({ summary }) => summary)).toEqual(['Nouveau sur Netflix: Movie 4 (2001)'])
  })

  it('are linked from the pages of changes and of every show, in the head and visibly', async () => {
    const page = async (path: string) => (await get(`${path}?country=us`, { accept: 'text/html' })).text
    const [show, leaving] = [await page('/show/4'), await page('/leaving')]
    const feed = '/feeds/changes.atom?country=us&amp;show=4&amp;output_language=en'
    expect(show).toContain(`<link rel="alternate" type="application/atom+xml" title="Feed" href="${feed}">`)
    expect(show).toContain(`<a href="${feed}"`)
    expect(show).toContain('<a href="/feeds/leaving.ics?country=us&amp;show=4&amp;output_language=en"')
    expect(leaving).toMatch(/<link rel="alternate" type="text\/calendar" [^>]*href="\/feeds\/leaving\.ics\?country=us/)
    expect(leaving).toContain('<a href="/feeds/leaving.ics?country=us')
    expect(await page('/new')).toContain('<a href="/feeds/new.ics?country=us')
  })

  it('may be kept by readers, and is not sent again while it is the same', async () => {
    const { headers } = await get('/feeds/leaving.ics?country=us')
    expect(headers['cache-control']).toBe('public, max-age=900')
    const again = await get('/feeds/leaving.ics?country=us', { 'if-none-match': headers.etag ?? '' })
    expect(again.status).toBe(304)
  })

  it.each([
    ['country=xx', 400, 'country'],
    ['', 400, 'country'],
    ['country=us&genre=drama', 400, 'genre'],
    ['country=us&show=nonsense', 400, 'show'],
    ['country=us&show=999', 404, 'show'],
  ])('%s is %d', async (query, status, parameter) => {
    const answer = await get(`/feeds/changes.json?${query}`)
    expect([answer.status, answer.error.parameter]).toEqual([status, parameter])
  })

  it('are limited by network, as the pages are', async () => {
    const limited = await aRunningService(aSnapshot(aMovie({ id: '1' })), { visitorQuota: 2 } as object)
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await limited.raw('/feeds/changes.json?country=us')).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('saved filters have signed addresses that end when they are revoked', async () => {
    const browser = new Browser(service)
    await browser.send('POST', '/sign-up', ANN)
    const refused = await browser.send('POST', '/feeds', { name: 'mine', country: 'us', catalogs: ['nonsense'] })
    expect([refused.status, refused.body.parameter]).toEqual([400, 'catalogs'])
    const { status, body } = await browser.send('POST', '/feeds', {
      name: 'Comedies',
      country: 'us',
      genres: ['comedy'],
      showType: 'movie',
    })
    expect([status, body.filter]).toEqual([201, { country: 'us', genres: 'comedy', show_type: 'movie' }])
    expect((await browser.send('GET', '/feeds')).body.feeds).toEqual([body])
    const path = body.paths['changes.atom']
    expect(parseAtomFeed((await get(path)).text).entries).toHaveLength(1)
    expect((await get(path)).headers['cache-control']).toBe('private, max-age=900')
    expect((await get(path.replace(/\.[^/]{43}\//, `.${'A'.repeat(43)}/`))).status).toBe(404)
    const other = new Browser(service)
    await other.send('POST', '/sign-up', { ...ANN, email: 'eve@example.com' })
    expect((await other.send('DELETE', `/feeds/${body.id}`)).status).toBe(404)
    expect((await browser.send('DELETE', `/feeds/${body.id}`)).status).toBe(204)
    expect((await get(path)).status).toBe(404)
  })
})
