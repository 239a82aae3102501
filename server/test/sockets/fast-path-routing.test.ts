import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

let service: TestService
let port: number
/** How many requests reached the router. */
let routed: number

beforeAll(async () => {
  service = await TestService.open(temporaryFolder(afterAll), { compatibility: 'original' })
  service.app.addHook('onRequest', (_request, _reply, done) => {
    routed++
    done()
  })
  await service.import(aSnapshot(aMovie({ id: '1', title: 'First' }), aMovie({ id: '2', title: 'Second' })))
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  port = (service.app.server.address() as AddressInfo).port
})
afterAll(() => service.close())
beforeEach(() => {
  routed = 0
})

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<Reply> {
  const sent = request({ port, path, method, headers }).end()
  const [answer] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks).toString('latin1') }
}

/** The same request through the router: injected requests never take the fast path. */
async function askRouter(url: string, headers: Record<string, string>): Promise<Reply> {
  const { statusCode, headers: given, rawPayload } = await service.app.inject({ url, headers })
  return { status: statusCode, headers: given as IncomingHttpHeaders, body: rawPayload.toString('latin1') }
}

/** What must be the same on both paths: all but counters, date and connection headers. */
function comparable({ status, headers, body }: Reply): object {
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...rest } = headers
  const counted = {
    'x-quota-used': undefined,
    'x-ratelimit-api-request-remaining': undefined,
    ratelimit: String(rest.ratelimit).replace(/r=\d+/, 'r='),
  }
  return { status, headers: { ...rest, ...counted }, names: Object.keys(rest), body }
}

const FILTER = '/shows/search/filters?country=us'

describe('a simple request', () => {
  test.each([
    ['a show', '/shows/1?country=us', {}],
    ['a show by a path of two parts', '/shows/movie%2F1', {}],
    ['a show that is not there', '/shows/999', {}],
    ['a page', FILTER, {}],
    ['a page in gzip', FILTER, { 'accept-encoding': 'gzip' }],
    ['a page in brotli', FILTER, { 'accept-encoding': 'br' }],
    ['changes', '/changes?country=us&change_type=new&item_type=show', {}],
    ['genres', '/genres', { origin: 'https://a.example' }],
    ['ignored parameters', '/genres?x=1', {}],
    ['strict handling', '/genres', { prefer: 'handling=strict' }],
    ['strict handling of an unknown parameter', '/genres?x=1', { prefer: 'handling=strict' }],
    ['an error as problem details', '/shows/999', { accept: 'application/problem+json' }],
    ['a catalog that is not there', `${FILTER}&catalogs=nobody`, {}],
    ['strict handling of a catalog', `${FILTER}&catalogs=nobody`, { prefer: 'handling=strict' }],
    ['a star', '/genres', { 'if-none-match': '*' }],
    ['a wrong key', '/genres', { 'x-api-key': 'mq-key-wrong' }],
    ['no key', '/genres', { 'x-api-key': '' }],
  ])('gets the same response as through the router: %s', async (_name, path, extra) => {
    for (const base of ['/v4', '']) {
      const key = base === '' ? { 'x-market-api-key': service.marketplaceKey } : { 'x-api-key': service.directKey }
      const headers: Record<string, string> = { host: `127.0.0.1:${port}`, 'x-request-id': 'same', ...key, ...extra }
      await ask(base + path, { ...key, host: headers.host as string })
      routed = 0
      const fast = await ask(base + path, headers)
      expect(routed).toBe(0)
      expect(comparable(fast)).toEqual(comparable(await askRouter(base + path, headers)))
      expect(routed).toBe(1)
    }
  })

  test('has the same tag on both paths, and 304 for it', async () => {
    const url = '/v4/shows/1?country=us'
    const key = { 'x-api-key': service.directKey }
    const { headers } = await ask(url, key)
    const conditional = { ...key, 'x-request-id': 'same', 'if-none-match': String(headers.etag) }
    const fast = await ask(url, conditional)
    expect([fast.status, fast.headers.etag, fast.body]).toEqual([304, headers.etag, ''])
    expect(comparable(fast)).toEqual(comparable(await askRouter(url, conditional)))
  })

  test('sees a new version of the catalog at once', async () => {
    const key = { 'x-api-key': service.directKey }
    const url = '/v4/shows/1?country=us'
    const before = await ask(url, key)
    await service.import(aSnapshot(aMovie({ id: '1', title: 'Renamed' }), aMovie({ id: '2', title: 'Second' })))
    const after = await ask(url, { ...key, 'if-none-match': String(before.headers.etag) })
    expect(after.status).toBe(200)
    expect(JSON.parse(after.body)).toMatchObject({ title: 'Renamed' })
  })
})

test('methods other than GET go to Node’s server', async () => {
  const key = { 'x-api-key': service.directKey }
  let seen = 0
  service.app.server.on('request', () => seen++)
  expect((await ask('/v4/genres', key)).status).toBe(200)
  expect(seen).toBe(0)
  expect((await ask('/v4/genres', key, 'HEAD')).status).toBe(200)
  expect((await ask('/v4/genres', key, 'OPTIONS')).status).toBe(204)
  expect((await ask('/v4/genres', key, 'POST')).status).toBe(405)
  expect(seen).toBe(3)
})

test('a closing server sends Connection: close', async () => {
  const other = await TestService.open(temporaryFolder(afterAll))
  await other.import(aSnapshot(aMovie({ id: '1' })))
  await other.app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((other.app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk))
  const head = `GET /v4/genres HTTP/1.1\r\nHost: a\r\nX-API-Key: ${other.directKey}\r\n`
  socket.write(`${head}\r\n`)
  await expect.poll(() => received).toContain('Keep-Alive')
  // An incomplete request keeps its connection open while the server closes.
  socket.write(head)
  await new Promise((resolve) => setTimeout(resolve, 50))
  received = ''
  const closed = other.close()
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.write('\r\n')
  await expect.poll(() => received).toContain('Connection: close')
  expect(received).toContain('200 OK')
  await closed
})
