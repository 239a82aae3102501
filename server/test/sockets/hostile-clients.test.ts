import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMeter } from '../../src/accounts/metering/meter.ts'
import { type App, createApp } from '../../src/http/app.ts'
import { MAX_PIPELINED_REQUESTS } from '../../src/http/request/pipelining-limit.ts'
import { systemClock } from '../../src/lib/clock.ts'

/** Larger than all buffers of the kernel together. */
const LARGE_BODY = Buffer.alloc(64 * 1024 * 1024, 0x20)

describe.each(['on', 'off'] as const)('with the fast path %s', (fastPath) => {
  let app: App
  let port: number
  let executed = 0
  const sockets = new Set<Socket>()

  beforeAll(async () => {
    app = createApp({
      engine: {
        version: () => 1,
        contentHash: () => '1',
        names: () => ({}) as never,
        attributions: () => [],
        execute: () => {
          executed++
          return { body: { bytes: LARGE_BODY }, validUntil: Number.POSITIVE_INFINITY }
        },
        openExport: () => undefined,
      },
      keys: {
        find: () => ({ id: 'k', source: 'direct', plan: { name: 'unlimited' }, quotaOwner: 'k' }) as never,
      },
      meter: createMeter({ total: () => 0, add: async () => [] }, { clock: systemClock }),
      clock: systemClock,
      settings: { marketplace: 'Market', keyPrefix: 'mq-key-', countries: 'array', fastPath },
      logger: false,
      writeTimeoutMs: 150,
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as { port: number }).port
    app.server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  })
  afterAll(() => app.close())

  /** Sends bytes and returns all that comes back until the connection is closed. */
  function exchange(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (data) => (text += data.toString('latin1')))
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
    })
  }

  it('answers a few pipelined requests, then an error, and ends the connection', async () => {
    const text = await exchange('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000))
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

  it.each([
    ['a simple request', 'GET /v4/genres HTTP/1.1\r\nHost: a\r\nX-API-Key: k\r\n\r\n'],
    ['a request that goes to Node', 'GET /v4/genres HTTP/1.1\r\nHost: a\r\nX-API-Key: k\r\nTE: trailers\r\n\r\n'],
  ])('closes the connection of a client that reads nothing, after %s', async (_, request) => {
    const before = executed
    const client = connect(port, '127.0.0.1', () => client.write(request))
    client.on('error', () => {})
    client.pause()
    const server = await new Promise<Socket>((resolve) => app.server.once('connection', resolve))
    await new Promise((resolve) => server.once('close', resolve))
    expect(executed).toBe(before + 1)
    expect(sockets.has(server)).toBe(false)
    client.destroy()
  })
})
