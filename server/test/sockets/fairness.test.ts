import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const FLOOD = 30

describe.each(['on', 'off'] as const)('with the fast path %s', (fastPath) => {
  let service: TestService
  let port: number

  beforeAll(async () => {
    service = await TestService.open(temporaryFolder(afterAll), { fastPath })
    await service.import(aSnapshot(aMovie({ id: '1', title: 'First' })))
    await service.app.listen({ port: 0, host: '127.0.0.1' })
    port = (service.app.server.address() as AddressInfo).port
  })
  afterAll(() => service.close())

  /** Sends a request and resolves with the start of the response. */
  function send(request: string, sockets: Socket[] = []): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      sockets.push(socket)
      socket.once('data', (data) => resolve(data.toString('latin1')))
      socket.on('error', reject)
    })
  }

  it.each([
    ['pages', 'GET /browse HTTP/1.1\r\nHost: a\r\n\r\n', 200],
    ['requests without a key', 'GET /v4/genres HTTP/1.1\r\nHost: a\r\n\r\n', 401],
  ])('a request with a key overtakes a flood of %s, and each of the flood is answered', async (_, request, status) => {
    const sockets: Socket[] = []
    let answered = 0
    const flood = Array.from({ length: FLOOD }, async () => {
      const text = await send(request, sockets)
      answered++
      expect(text).toContain(`HTTP/1.1 ${status} `)
    })
    await Promise.race(flood)
    const text = await send(`GET /v4/genres HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.directKey}\r\n\r\n`, sockets)
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    if (status === 200) expect(answered).toBeLessThan(FLOOD)
    await Promise.all(flood)
    for (const socket of sockets) socket.destroy()
  })

  it('answers requests that follow each other on a connection while the network is busy', async () => {
    const sockets: Socket[] = []
    const flood = Array.from({ length: 10 }, () => send('GET /browse HTTP/1.1\r\nHost: a\r\n\r\n', sockets))
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    // The second arrives while the first waits; the third is one for Node's server.
    for (const path of ['/v4/genres', '/v4/countries', '/healthz']) {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
      await new Promise(setImmediate)
    }
    await expect
      .poll(() => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status))
      .toEqual(['401', '401', '200'])
    await Promise.all(flood)
    for (const one of [socket, ...sockets]) one.destroy()
  })
})
