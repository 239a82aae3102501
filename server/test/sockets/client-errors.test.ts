import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMeter } from '../../src/accounts/keys/meter.ts'
import { createApp } from '../../src/http/app.ts'
import { toApiError } from '../../src/http/response/error-response.ts'
import { systemClock } from '../../src/lib/clock.ts'

describe('on a real socket', () => {
  const app = createApp({
    engine: {
      version: () => 0,
      contentHash: () => '1',
      names: () => {
        throw new Error('not asked for')
      },
      attributions: () => [],
      hasShow: () => false,
      execute: () => undefined,
      findShowId: () => undefined,
      resolveStreamToken: (since) => since,
      streamChanges: (_query, token) => ({ changes: [], token, hasMore: false }),
      feedChanges: () => [],
      openExport: () => undefined,
    },
    keys: { find: () => undefined },
    meter: createMeter({ total: () => 0, add: async () => [] }, { clock: systemClock }),
    clock: systemClock,
    settings: { marketplace: 'Market', keyPrefix: 'mq-key-', countries: 'array' },
    logger: false,
  })
  let port: number
  beforeAll(async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as { port: number }).port
  })
  afterAll(() => app.close())

  const exchange = (request: string) =>
    new Promise<{ status: number; headers: string; body: Record<string, unknown> }>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      let text = ''
      socket.on('data', (data) => (text += data))
      socket.on('error', reject)
      socket.on('close', () => {
        const [headers = '', body = ''] = text.split('\r\n\r\n')
        expect(Number(/content-length: (\d+)/i.exec(headers)?.[1])).toBe(Buffer.byteLength(body))
        resolve({ status: Number(headers.split(' ')[1]), headers, body: JSON.parse(body) })
      })
    })

  test.each([
    ['rubbish', 'NONSENSE\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', 'BREW /v4/genres HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400, 'malformed_request'],
    ['no host', 'GET /genres HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['endless headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['an endless URL', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414, 'uri_too_long'],
    ['a long URL', `GET /${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 414, 'uri_too_long'],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ])('%s is answered in the same shape', async (_what, request, status, code) => {
    const answer = await exchange(request)
    expect(answer.status).toBe(status)
    expect(Object.keys(answer.body)).toEqual(['message'])
    expect(answer.headers).toMatch(new RegExp(`^x-error-code: ${code}$`, 'im'))
    expect(answer.headers).toMatch(/^x-request-id: /im)
    expect(answer.headers).toMatch(/^connection: close/im)
  })

  test.each([
    ['rubbish', 'NONSENSE\r\nAccept: application/problem+json\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', 'BREW / HTTP/1.1\r\naccept:application/problem+json\r\n\r\n', 400, 'malformed_request'],
    [
      'endless headers',
      `GET / HTTP/1.1\r\nHost: a\r\nAccept: application/problem+json\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'CONNECT',
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nAccept: application/problem+json\r\n\r\n',
      405,
      'method_not_allowed',
    ],
    [
      'no host',
      'GET /v4/genres HTTP/1.1\r\nAccept: application/problem+json\r\nConnection: close\r\n\r\n',
      400,
      'malformed_request',
    ],
  ])('%s gets problem details if it accepts them', async (_what, request, status, code) => {
    const { headers, body } = await exchange(request)
    expect(body).toMatchObject({ type: `/docs/errors#${code}`, status, code })
    expect(headers).toMatch(/^content-type: application\/problem\+json$/im)
    expect(headers).toMatch(new RegExp(`^x-request-id: ${body.requestId}$`, 'im'))
  })

  test('a CONNECT or a malformed request that the client resets ends no process', async () => {
    const closed: Promise<unknown>[] = []
    app.server.on('connection', (socket) => closed.push(new Promise((resolve) => socket.once('close', resolve))))
    for (const request of ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'NONSENSE\r\n\r\n']) {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      await new Promise((resolve) => socket.once('data', resolve))
      socket.resetAndDestroy()
    }
    await Promise.all(closed)
    expect(closed).toHaveLength(2)
    expect((await exchange('GET /genres HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400)
  })

  test('an expectation does not hold a request up', async () => {
    const answer = await exchange('GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n')
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
  })
})

test('a request that does not arrive in time has an error of its own', () => {
  expect(toApiError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, 'connection').code).toBe('request_timeout')
})

test('a client that closes the connection within a body causes no internal error, which would be logged', () => {
  expect(toApiError({ code: 'ECONNRESET' }, 'platform').code).toBe('malformed_request')
  expect(toApiError({ code: 'ECONNRESET' }, 'api').code).toBe('internal')
})
