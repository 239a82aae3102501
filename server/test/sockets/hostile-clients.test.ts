import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMeter } from '../../src/accounts/keys/meter.ts'
import { type App, createApp } from '../../src/http/app.ts'
import { AdmissionQueue } from '../../src/http/request/admission-queue.ts'
import { MAX_PIPELINED_REQUESTS } from '../../src/http/request/request-queue.ts'
import { systemClock } from '../../src/lib/clock.ts'

/** Larger than all buffers of the kernel together. */
const LARGE_BODY = Buffer.alloc(64 * 1024 * 1024, 0x20)

const MAX_CONNECTIONS = 5

/** How long requests may take to arrive, and responses to be taken. */
interface Patience {
  readonly writeTimeoutMs: number
  readonly requestTimeoutMs: number
}

/** No test takes so long, on whatever machine. */
const PATIENT: Patience = { writeTimeoutMs: 600_000, requestTimeoutMs: 600_000 }
const IMPATIENT: Patience = { writeTimeoutMs: 1_000, requestTimeoutMs: 1_000 }

describe.each(['on', 'off'] as const)('with the fast path %s', (fastPath) => {
  let app: App
  let port: number
  /** The same, but it does not wait for clients for long. */
  let impatient: App
  let impatientPort: number
  let executed = 0
  /** What a request takes by the clock of the admission queue. */
  let costMs = 0
  let now = 0
  const sockets = new Set<Socket>()

  const createTestApp = (patience = PATIENT, admission = new AdmissionQueue(() => now)) =>
    createApp({
      engine: {
        version: () => 1,
        contentHash: () => '1',
        names: () => ({}) as never,
        attributions: () => [],
        hasShow: () => false,
        execute: () => {
          executed++
          now += costMs
          if (costMs > 0) return { body: { bytes: Buffer.from('{}') }, validUntil: Number.POSITIVE_INFINITY }
          return { body: { bytes: LARGE_BODY }, validUntil: Number.POSITIVE_INFINITY }
        },
        findShowId: () => undefined,
        resolveStreamToken: (since) => since,
        streamChanges: (_query, token) => ({ changes: [], token, hasMore: false }),
        feedChanges: () => [],
        openExport: () => undefined,
      },
      keys: {
        find: () => ({ id: 'k', source: 'direct', plan: { name: 'unlimited' }, quotaOwner: 'k' }) as never,
      },
      meter: createMeter({ total: () => 0, add: async () => [] }, { clock: systemClock }),
      clock: systemClock,
      settings: { marketplace: 'Market', keyPrefix: 'mq-key-', countries: 'array', fastPath },
      logger: false,
      ...patience,
      admission,
      connectionLimit: { maxPerNetwork: MAX_CONNECTIONS, isTrustedProxy: (address) => address === '127.0.0.2' },
    })

  beforeAll(async () => {
    app = createTestApp()
    port = await listen(app)
    impatient = createTestApp(IMPATIENT)
    impatientPort = await listen(impatient)
    for (const { server } of [app, impatient]) {
      server.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
    }
  })
  afterAll(() => Promise.all([app.close(), impatient.close()]))

  /** Sends bytes and returns all that comes back until the connection is closed. */
  function exchange(bytes: string, localAddress = '127.0.0.1'): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = ''
      const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(bytes, 'latin1'))
      socket.on('data', (data) => (text += data.toString('latin1')))
      // A connection that is refused may be reset once it was answered.
      socket.on('error', (error: NodeJS.ErrnoException) => error.code !== 'ECONNRESET' && reject(error))
      socket.on('close', () => resolve(text))
    })
  }

  it('answers a few pipelined requests, then an error, and ends the connection', async () => {
    let parsed = 0
    const count = () => {
      parsed++
    }
    app.server.on('request', count)
    const text = await exchange('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000))
    app.server.off('request', count)
    // Node's server alone parses all of a packet before it can be stopped.
    if (fastPath === 'on') expect(parsed).toBe(MAX_PIPELINED_REQUESTS + 1)
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    expect(statuses).toEqual([...Array.from({ length: MAX_PIPELINED_REQUESTS }, () => 200), 503])
    expect(text).toMatch(/^connection: close/im)
    expect(text).toMatch(/^x-error-code: overloaded/im)
  })

  it('answers any number of requests on a connection that waits for each answer', async () => {
    const socket = connect(port, '127.0.0.1')
    for (let i = 0; i < 3 * MAX_PIPELINED_REQUESTS; i++) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
      const data = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
      expect(data.toString()).toMatch(/^HTTP\/1\.1 200/)
    }
    socket.destroy()
  })

  it('answers the good requests of a packet before the malformed one that follows them', async () => {
    const good = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
    for (const bad of [
      'BREW / HTTP/1.1\r\n\r\n',
      '\x00\xff',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\nbad header\r\n\r\n',
    ]) {
      for (const count of [0, 1, 3, 7]) {
        const text = await exchange(good.repeat(count) + bad)
        const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
        expect([bad, statuses]).toEqual([bad, [...Array<number>(count).fill(200), 400]])
        expect(text).toMatch(/^x-error-code: malformed_request/im)
      }
    }
  })

  it('starts no pipelined request before the response to the last is taken, and none after the client is gone', async () => {
    const before = executed
    const request = 'GET /v4/genres HTTP/1.1\r\nHost: a\r\nX-API-Key: k\r\n\r\n'
    const client = connect(port, '127.0.0.1', () => client.write(request.repeat(MAX_PIPELINED_REQUESTS)))
    client.on('error', () => {})
    client.pause()
    const server = await new Promise<Socket>((resolve) => app.server.once('connection', resolve))
    const closed = new Promise((resolve) => server.once('close', resolve))
    await expect.poll(() => executed).toBe(before + 1)
    client.destroy()
    await closed
    await new Promise(setImmediate)
    expect(executed).toBe(before + 1)
  })

  it.each([
    ['head', 'GET /v4/genres HTTP/1.1\r\nHost: a\r\nX-Half: '],
    ['body', 'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n'],
  ])('ends a connection whose %s arrives byte by byte', async (_, start) => {
    const socket = connect(impatientPort, '127.0.0.1', () => socket.write(start))
    const dripping = setInterval(() => socket.write('x'), 30)
    socket.on('error', () => {})
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(dripping)
    expect(socket.bytesWritten).toBeLessThan(10_000)
  })

  it('rejects requests when it cannot keep up, with 503, and answers probes before them', async () => {
    let accepted = 0
    const onConnection = () => accepted++
    app.server.on('connection', onConnection)
    const count = 80
    const answers: string[] = []
    const clients = await Promise.all(
      Array.from(
        { length: count + 1 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }, () => resolve(socket))
          }),
      ),
    )
    await expect.poll(() => accepted).toBe(count + 1)
    costMs = 30
    const answered = clients.map((socket, i) => {
      const path = i < count ? '/v4/genres' : '/healthz'
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: k\r\n\r\n`)
      return new Promise<void>((resolve) => {
        socket.once('data', (data) => {
          answers.push(`${path} ${data.toString('latin1')}`)
          socket.destroy()
          resolve()
        })
      })
    })
    await Promise.all(answered)
    costMs = 0
    app.server.off('connection', onConnection)
    // The probe was sent last.
    expect(answers.findIndex((text) => text.startsWith('/healthz HTTP/1.1 200 '))).toBeLessThan(count / 2)
    const overloaded = answers.filter((text) => text.includes(' 503 '))
    expect(overloaded.length).toBeGreaterThan(20)
    for (const text of overloaded) expect(text).toMatch(/\r\nRetry-After: 1\r\n/i)
    expect(answers.filter((text) => text.includes('genres HTTP/1.1 200 '))).toHaveLength(count - overloaded.length)
  })

  it('lets no probe wait for admission', async () => {
    const queue = new AdmissionQueue()
    queue.isOpen = () => false
    queue.enqueue = ({ reject }) => reject()
    const overloaded = createTestApp(PATIENT, queue)
    const address = await overloaded.listen({ port: 0, host: '127.0.0.1' })
    const statusOf = async (path: string) => (await fetch(address + path, { headers: { 'x-api-key': 'k' } })).status
    expect(await statusOf('/v4/genres')).toBe(503)
    expect(await statusOf('/healthz?from=a-probe')).toBe(200)
    await overloaded.close()
  })

  it('refuses connections beyond the limit of an address, and takes new ones when others have closed', async () => {
    await expect.poll(() => sockets.size).toBe(0)
    const open = (localAddress: string) => connect({ port, host: '127.0.0.1', localAddress })
    const held = Array.from({ length: MAX_CONNECTIONS }, () => open('127.0.0.1'))
    await expect.poll(() => sockets.size).toBe(MAX_CONNECTIONS)
    const refused = await exchange('')
    expect(refused).toMatch(/^HTTP\/1\.1 503 /)
    expect(refused).toMatch(/^retry-after: 1\r$/im)
    expect(refused).toMatch(/^x-error-code: overloaded\r$/im)
    const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    // Another address, and a proxy with any number of connections.
    expect(await exchange(request, '127.0.0.3')).toMatch(/^HTTP\/1\.1 200 /)
    const proxied = Array.from({ length: 2 * MAX_CONNECTIONS }, () => exchange(request, '127.0.0.2'))
    for (const text of await Promise.all(proxied)) expect(text).toMatch(/^HTTP\/1\.1 200 /)
    held.pop()?.destroy()
    await expect.poll(() => exchange(request)).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of held) socket.destroy()
    await expect.poll(() => sockets.size).toBe(0)
  })

  it.each([
    ['a simple request', 'GET /v4/genres HTTP/1.1\r\nHost: a\r\nX-API-Key: k\r\n\r\n'],
    ['a request that goes to Node', 'GET /v4/genres HTTP/1.1\r\nHost: a\r\nX-API-Key: k\r\nTE: trailers\r\n\r\n'],
  ])('closes the connection of a client that reads nothing, after %s', async (_, request) => {
    const before = executed
    const client = connect(impatientPort, '127.0.0.1', () => client.write(request))
    client.on('error', () => {})
    client.pause()
    const server = await new Promise<Socket>((resolve) => impatient.server.once('connection', resolve))
    await new Promise((resolve) => server.once('close', resolve))
    expect(executed).toBe(before + 1)
    expect(sockets.has(server)).toBe(false)
    client.destroy()
  })
})

/** Starts an app; returns its port. */
async function listen(app: App): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}
