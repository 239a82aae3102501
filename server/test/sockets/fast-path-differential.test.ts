import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

let service: TestService
/** A key that is limited to an origin. */
let originKey: string
/** The service with the fast path, and the same handlers behind a plain Node server. */
let ports: { fast: number; node: number }
let nodeServer: Server
/** How many requests reached the router. */
let routed: number

beforeAll(async () => {
  service = await TestService.open(temporaryFolder(afterAll))
  service.app.addHook('onRequest', (_request, _reply, done) => {
    routed++
    done()
  })
  const shows = Array.from({ length: 30 }, (_, i) => aMovie({ id: String(i + 1), title: `Show ${i}` }))
  await service.import(aSnapshot(...shows))
  originKey = (await service.aKey('unlimited', { origins: ['https://a.example'] })).key
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  nodeServer = createServer(
    { requireHostHeader: false },
    (req, res) => void service.app.server.emit('request', req, res),
  )
  nodeServer.keepAliveTimeout = service.app.server.keepAliveTimeout
  nodeServer.on('clientError', (error, socket) => service.app.server.emit('clientError', error, socket))
  await once(nodeServer.listen(0, '127.0.0.1'), 'listening')
  const portOf = (address: unknown) => (address as AddressInfo).port
  ports = { fast: portOf(service.app.server.address()), node: portOf(nodeServer.address()) }
})
afterAll(async () => {
  nodeServer.closeAllConnections()
  nodeServer.close()
  await service.close()
})
beforeEach(() => {
  routed = 0
})

/** Sends whole requests, each after the response to the one before, and collects the responses. */
const converse = (port: number, requests: readonly string[]) => exchange(port, requests, requests.length, true)

/** Sends chunks one after the other, and collects the responses until all are there or the connection is closed. */
async function exchange(port: number, pieces: readonly string[], responses: number, inTurn = false): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  const closed = once(socket, 'close').catch(() => {})
  const whole = (count: number) =>
    expect.poll(() => countResponses(received), { interval: 5 }).toBeGreaterThanOrEqual(count)
  await once(socket, 'connect')
  for (const piece of pieces) {
    const before = countResponses(received)
    socket.write(Buffer.from(piece, 'latin1'))
    // Without a pause the kernel would join the chunks.
    if (inTurn) await Promise.race([whole(before + 1), closed])
    else await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.race([whole(responses), closed])
  socket.destroy()
  return received
}

/** The number of complete responses, by their Content-Length. */
function countResponses(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; count++) {
    const end = text.indexOf('\r\n\r\n', at)
    if (end < 0) return count
    at = end + 4 + Number(/content-length: (\d+)/i.exec(text.slice(at, end))?.[1] ?? 0)
    if (at > text.length) return count
  }
  return count
}

/** Masks what may differ between two responses to the same request. */
function comparable(text: string): string {
  return text
    .replaceAll(/X-Request-Id: \S+/g, 'X-Request-Id')
    .replaceAll(/"requestId":"[^"]+"/g, '"requestId"')
    .replaceAll(/Date: [^\r]+/g, 'Date')
    .replaceAll(/X-Quota-Used: \d+/g, 'X-Quota-Used')
    .replaceAll(/r=\d+/g, 'r=')
}

const PROBLEM = 'Accept: application/json, application/problem+json\r\n'
const PREFLIGHT =
  'Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: x-rapidapi-host\r\n'
const FILTERS = '/v4/shows/search/filters?country=us'
const key = () => `X-API-Key: ${service.directKey}\r\n`
const boundKey = (origin = 'https://a.example') => `X-API-Key: ${originKey}\r\nOrigin: ${origin}\r\n`
const get = (path = '/v4/genres', fields = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${key()}${fields}\r\n`

describe('gets the same bytes as from Node’s server:', () => {
  test.each<[name: string, request: () => string, options?: { responses?: number; isSimple?: boolean }]>([
    ['a simple request', () => get(), { isSimple: true }],
    ['a page', () => get('/v4/shows/search/filters?country=us'), { isSimple: true }],
    ['a show in gzip', () => get('/v4/shows/1', 'Accept-Encoding: gzip\r\n'), { isSimple: true }],
    ['a show that is not there', () => get('/v4/shows/99999'), { isSimple: true }],
    ['ignored parameters', () => get('/v4/genres?x=1'), { isSimple: true }],
    ['a wrong parameter', () => get('/v4/shows/1?country=zz'), { isSimple: true }],
    ['a wrong parameter as problem details', () => get('/v4/shows/1?country=zz', PROBLEM), { isSimple: true }],
    [
      'an error with an origin',
      () => get('/v4/shows/9?x=1', `${PROBLEM}Origin: https://a.example\r\n`),
      { isSimple: true },
    ],
    ['a success that would accept problem details', () => get('/v4/shows/1', PROBLEM), { isSimple: true }],
    ['a catalog that is not there', () => get(`${FILTERS}&catalogs=nobody,netflx`), { isSimple: true }],
    [
      'spaces and empty entries of a list',
      () => get(`${FILTERS}&catalogs=netflix,%20,,prime&genres=,`),
      { isSimple: true },
    ],
    [
      'strict handling of a catalog',
      () => get(`${FILTERS}&catalogs=nobody`, 'Prefer: handling=strict\r\n'),
      { isSimple: true },
    ],
    ['a country by another code', () => get('/v4/countries/uk', PROBLEM), { isSimple: true }],
    ['a key that is bound to an origin', () => get('/v4/genres', '').replace(key(), boundKey()), { isSimple: true }],
    [
      'a bound key elsewhere',
      () => get('/v4/genres', '').replace(key(), boundKey('https://b.example')),
      { isSimple: true },
    ],
    ['an old path', () => get('/v4/search/title?title=x', PROBLEM)],
    ['an old path without a version', () => get('/get?imdb_id=tt1')],
    ['an old version', () => get('/v2/get/basic')],
    ['an unknown path as problem details', () => get('/v4/nowhere', PROBLEM)],
    ['another method as problem details', () => get('/v4/genres', PROBLEM).replace('GET', 'POST')],
    ['a preflight', () => get('/v4/genres', PREFLIGHT).replace('GET', 'OPTIONS')],
    ['a preflight of an unknown path', () => get('/search/title', PREFLIGHT).replace('GET', 'OPTIONS')],
    ['a malformed request that accepts problem details', () => `NONSENSE\r\n${PROBLEM}\r\n`],
    ['no key', () => 'GET /v4/genres HTTP/1.1\r\nHost: a\r\n\r\n', { isSimple: true }],
    ['spaces around a value', () => get('/v4/genres', 'Accept:   a b  \r\n'), { isSimple: true }],
    ['tabs around a value', () => get('/v4/genres', 'Accept: \t a b \t\r\n')],
    ['a field without a value', () => get('/v4/genres', 'Accept:\r\n'), { isSimple: true }],
    ['names in any case', () => `GET /v4/genres HTTP/1.1\r\nhOST: a\r\n${key().toUpperCase()}\r\n`, { isSimple: true }],
    ['a field named __proto__', () => get('/v4/genres', '__proto__: x\r\n')],
    ['a path that is nowhere', () => get('/v4/nowhere')],
    ['a page of the service', () => get('/healthz')],
    ['a path that is no UTF-8', () => get('/v4/shows/%ff')],
    ['another method', () => get().replace('GET', 'POST')],
    ['HTTP/1.0', () => get().replace('HTTP/1.1', 'HTTP/1.0')],
    ['no host', () => `GET /v4/genres HTTP/1.1\r\n${key()}\r\n`],
    ['two hosts', () => get('/v4/genres', 'Host: b\r\n')],
    ['a repeated field', () => get('/v4/genres', 'Accept: a\r\nAccept: b\r\n')],
    ['a whole address', () => get('http://a/v4/genres')],
    ['Connection: close', () => get('/v4/genres', 'Connection: close\r\n')],
    ['Connection: keep-alive', () => get('/v4/genres', 'Connection: keep-alive\r\n'), { isSimple: true }],
    ['a body that is announced', () => `${get('/v4/genres', 'Content-Length: 3\r\n')}abc`],
    ['a body in chunks', () => `${get('/v4/genres', 'Transfer-Encoding: chunked\r\n')}0\r\n\r\n`],
    ['an expectation', () => get('/v4/genres', 'Expect: 100-continue\r\n')],
    ['an upgrade', () => get('/v4/genres', 'Connection: upgrade\r\nUpgrade: h2c\r\n')],
    ['a folded field', () => get('/v4/genres', 'Accept: a\r\n b\r\n')],
    ['a space before the colon', () => get('/v4/genres', 'Accept : a\r\n')],
    ['a field without a name', () => get('/v4/genres', ': a\r\n')],
    ['a field without a colon', () => get('/v4/genres', 'Accept\r\n')],
    ['bytes beyond ASCII in a value', () => get('/v4/genres', 'Accept: \xe9\r\n')],
    ['a control character in a value', () => get('/v4/genres', 'Accept: \x01\r\n')],
    ['bytes beyond ASCII in the path', () => get('/v4/shows/\xe9')],
    ['a fragment', () => get('/v4/genres#x')],
    ['a line feed nodeServer', () => get('/v4/genres', 'Accept: a\nAccept: b\r\n')],
    ['a carriage return nodeServer', () => get('/v4/genres', 'Accept: a\rAccept: b\r\n')],
    ['line feeds nodeServer', () => get().replaceAll('\r\n', '\n')],
    ['two spaces', () => get().replace('GET ', 'GET  ')],
    ['a line before it', () => `\r\n${get()}`],
    ['two at once', () => get() + get('/v4/shows/1'), { responses: 2 }],
    ['a good one, and nonsense', () => `${get()}nonsense\r\n\r\n`, { responses: 2 }],
  ])('%s', async (_name, request, { responses = 1, isSimple = false } = {}) => {
    const received = await exchange(ports.fast, [request()], responses)
    if (isSimple) expect(routed).toBe(0)
    expect(comparable(received)).toBe(comparable(await exchange(ports.node, [request()], responses)))
  })
})

describe('a connection', () => {
  test('gets the same in pieces, wherever it is cut', async () => {
    const request = get('/v4/shows/1')
    const whole = comparable(await exchange(ports.node, [request], 1))
    const lineEnd = request.indexOf('\r\n')
    for (const at of [1, 4, 20, lineEnd + 1, lineEnd + 2, request.length - 3, request.length - 1]) {
      const pieces = [request.slice(0, at), request.slice(at)]
      expect(comparable(await exchange(ports.fast, pieces, 1))).toBe(whole)
    }
  })

  test('gets the same line by line', async () => {
    const lines = get('/v4/shows/1').split(/(?<=\r\n)/)
    expect(lines).toHaveLength(4)
    const whole = comparable(await exchange(ports.node, [lines.join('')], 1))
    expect(comparable(await exchange(ports.fast, lines, 1))).toBe(whole)
  })

  test('stays on the fast path for one simple request after the other', async () => {
    const requests = Array.from({ length: 20 }, (_, i) => get(`/v4/shows/${i + 1}`, i % 3 === 0 ? 'Accept: a\r\n' : ''))
    const received = await converse(ports.fast, requests)
    expect(received.match(/HTTP\/1.1 200 OK/g)).toHaveLength(20)
    expect(routed).toBe(0)
  })

  test.each([
    ['another tag', 'W/"other"'],
    ['nothing', ''],
    ['a control character', '\x01'],
    ['a line feed', 'a\nX-API-Key: b'],
    ['one more field', 'W/"other"\r\nAccept: a'],
    ['one more field that is there already', 'W/"other"\r\nHost: b'],
    ['the end of the connection', 'W/"other"\r\nConnection: close'],
  ])('parses a changed last header although all before it is the same: %s', async (_name, value) => {
    const ask = (tag: string) => get('/v4/shows/1', `If-None-Match: ${tag}\r\n`)
    const pieces = [ask('W/"first"'), ask(value)]
    const received = comparable(await converse(ports.fast, pieces))
    expect(received).toBe(comparable(await converse(ports.node, pieces)))
  })

  test('gets Connection: close as soon as the last header asks for it', async () => {
    const pieces = [get('/v4/genres', 'Connection: keep-alive\r\n'), get('/v4/genres', 'Connection: close\r\n')]
    expect(await converse(ports.fast, pieces)).toMatch(/Connection: keep-alive[\s\S]*Connection: close/)
  })

  test('goes to Node’s server for good with the first request that is not simple', async () => {
    const received = await converse(ports.fast, [get(), get('/healthz'), get('/v4/shows/1')])
    expect(received.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3)
    expect(routed).toBe(2)
  })

  test('gets its responses in order while the first is still being compressed', async () => {
    const slow = get('/v4/shows/search/filters?country=us', 'Accept-Encoding: br\r\n')
    const received = await exchange(ports.fast, [slow, get('/v4/shows/2'), get('/v4/nowhere')], 3)
    expect(received.match(/HTTP\/1.1 \d+|Content-Encoding: br/g)).toEqual([
      'HTTP/1.1 200',
      'Content-Encoding: br',
      'HTTP/1.1 200',
      'HTTP/1.1 404',
    ])
  })

  test('gets its response after the client has half-closed it', async () => {
    const socket = connect({ port: ports.fast, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(get('/v4/shows/search/filters?country=us', 'Accept-Encoding: gzip\r\n'))
    let received = ''
    for await (const chunk of socket) received += chunk.toString('latin1')
    expect(countResponses(received)).toBe(1)
  })

  test('that the client resets in the middle of a response affects no other', async () => {
    for (let i = 0; i < 20; i++) {
      const socket = connect(ports.fast, '127.0.0.1')
      socket.write(get('/v4/shows/search/filters?country=us'))
      await once(socket, 'connect')
      socket.resetAndDestroy()
    }
    expect(await exchange(ports.fast, [get()], 1)).toContain('200 OK')
  })
})
