import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoService, startDemoService } from '../../support/demo-service.ts'
import { requiredProgram } from '../../support/required-program.ts'

/*
 * A page of another origin in a real browser, with the requests that snippets of the marketplace make.
 */
const program = requiredProgram(['chromium', 'chromium-browser', 'google-chrome'], 'apt install chromium')

/** What a script in the page saw of a response. */
interface Seen {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Record<string, unknown>
}

describe.skipIf(program === undefined)('a page of another origin', () => {
  let service: DemoService
  let site: Server
  let browser: Browser
  let page: Page
  let origin: string
  const keys: Record<string, string> = {}

  beforeAll(async () => {
    service = await startDemoService({ MARQUEE_COMPATIBILITY: 'original' })
    site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'site=1; SameSite=Lax' })
      response.end('<!doctype html><title>Another site</title>')
    })
    await once(site.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    keys.marketplace = await service.createKey('--source', 'marketplace')
    keys.direct = await service.createKey()
    keys.bound = await service.createKey('--origin', origin)
    browser = await chromium.launch({ executablePath: program as string, args: ['--no-sandbox'] })
    page = await browser.newPage()
    await page.goto(origin)
  })
  afterAll(async () => {
    await browser?.close()
    site?.closeAllConnections()
    site?.close()
  })

  /** Sends a request from the page; a browser that refuses it makes `fetch` throw. */
  function ask(path: string, headers: Record<string, string>, credentials: 'include' | 'omit' = 'omit'): Promise<Seen> {
    return page.evaluate(
      async ({ url, headers, credentials }) => {
        const response = await fetch(url, { headers, credentials })
        const body = (await response.json()) as Seen['body']
        return { status: response.status, headers: Object.fromEntries(response.headers), body }
      },
      { url: service.address + path, headers, credentials },
    )
  }

  it('asks as the snippets of the marketplace do, with the host header, and reads the quota', async () => {
    const { status, headers, body } = await ask('/shows/tt0068646?country=us', {
      'x-rapidapi-key': keys.marketplace as string,
      'x-rapidapi-host': 'streaming-availability.p.rapidapi.com',
    })
    expect([status, body.title]).toEqual([200, 'The Godfather'])
    expect(headers).toMatchObject({
      'x-ratelimit-api-request-limit': expect.stringMatching(/^\d+$/),
      'x-ratelimit-api-request-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-api-request-reset': expect.stringMatching(/^\d+$/),
      'x-quota-used': expect.stringMatching(/^\d+$/),
      'x-request-id': expect.stringMatching(/./),
      etag: expect.stringMatching(/./),
    })
  })

  it('may send Cache-Control, Pragma and any other header', async () => {
    const more = { 'cache-control': 'no-cache', pragma: 'no-cache', 'x-anything': '1', authorization: 'Bearer x' }
    const { status } = await ask('/v4/genres', { 'x-api-key': keys.direct as string, ...more })
    expect(status).toBe(200)
  })

  it('reads errors: message, code and parameter, or problem details', async () => {
    const key = { 'x-api-key': keys.direct as string }
    const plain = await ask('/v4/shows/search/filters?country=uk', key)
    expect([plain.status, Object.keys(plain.body)]).toEqual([400, ['message']])
    expect(plain.headers).toMatchObject({ 'x-error-code': 'invalid_parameter', 'x-error-parameter': 'country' })
    const problem = await ask('/v4/shows/search/filters', { ...key, accept: 'application/problem+json' })
    expect(problem.body).toMatchObject({ code: 'missing_parameter', requestId: problem.headers['x-request-id'] })
  })

  it('is told the present path of an old one', async () => {
    const headers = { 'x-rapidapi-key': keys.marketplace as string, 'x-rapidapi-host': 'x' }
    const { status, body } = await ask('/search/title?title=x&country=us', headers)
    expect([status, body.message]).toEqual([404, expect.stringContaining('/shows/search/title')])
  })

  it("may use credentials: 'include' with a key that is bound to its origin, and with no other", async () => {
    const { status, headers } = await ask('/v4/genres', { 'x-api-key': keys.bound as string }, 'include')
    expect([status, headers['x-request-id']]).toEqual([200, expect.stringMatching(/./)])
    const missing = await ask('/v4/shows/none', { 'x-api-key': keys.bound as string }, 'include')
    expect([missing.status, missing.headers['x-error-code']]).toEqual([404, 'not_found'])
    await expect(ask('/v4/genres', { 'x-api-key': keys.direct as string }, 'include')).rejects.toThrow(
      'Failed to fetch',
    )
  })

  it('leads from the type of an error to its place in the documentation', async () => {
    const { body } = await ask('/v4/nowhere', { accept: 'application/problem+json' })
    const docs = await browser.newPage()
    await docs.goto(new URL(String(body.type), service.address).href)
    await docs.locator('#not_found:target').waitFor()
    // The script that takes over the page keeps the place.
    await docs.waitForURL(/[?&]lang=/)
    expect(new URL(docs.url()).hash).toBe('#not_found')
    expect(await docs.locator('#not_found').evaluate((row) => row.getBoundingClientRect().top)).toBeLessThan(720)
    expect(await docs.locator('tr[id]').count()).toBeGreaterThan(30)
    await docs.close()
  })
})
