import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'

/* Canaries for undocumented behaviour of Node's HTTP server; see server/src/lib/runtime-hacks/README.md. */

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** Sends requests one after the other on one connection; returns all that comes back. */
async function converse(port: number, requests: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => (received += data))
  for (const [i, request] of requests.entries()) {
    socket.write(request)
    await expect.poll(() => received.split('HTTP/1.1').length - 1).toBeGreaterThan(i)
  }
  socket.destroy()
  return received
}

test('the connection listeners adopt a socket that was read from before, with its bytes unshifted', async () => {
  const server = createServer((_req, res) => res.end('node'))
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const first = (data: Buffer) => {
      if (data.toString().includes('/first')) {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nself')
        return
      }
      socket.pause()
      socket.off('data', first)
      socket.unshift(data)
      for (const listener of listeners) listener.call(server, socket)
      socket.resume()
    }
    socket.on('data', first)
  })
  const port = await listen(server)
  const received = await converse(port, [REQUEST.replace('/', '/first'), REQUEST, REQUEST])
  expect(received.match(/self|node/g)).toEqual(['self', 'node', 'node'])
})

test('a head ends with Date, Connection and Keep-Alive, in this order', async () => {
  const server = createServer((_req, res) => {
    res.writeHead(200, ['X-First', 'a', 'Content-Length', '2'])
    res.end('ok')
  })
  server.keepAliveTimeout = 72_000
  const received = await converse(await listen(server), [REQUEST])
  expect(received.replace(/Date: [^\r]+/, 'Date: D')).toBe(
    'HTTP/1.1 200 OK\r\nX-First: a\r\nContent-Length: 2\r\nDate: D\r\nConnection: keep-alive\r\nKeep-Alive: timeout=72\r\n\r\nok',
  )
})

test('_httpMessage of a socket is the response in progress', async () => {
  let socket: (Socket & { _httpMessage?: unknown }) | undefined
  let duringRequest: unknown
  const server = createServer((req, res) => {
    socket = req.socket
    duringRequest = socket._httpMessage === res
    res.end('ok')
  })
  await converse(await listen(server), [REQUEST])
  expect(duringRequest).toBe(true)
  await expect.poll(() => socket?._httpMessage ?? null).toBeNull()
})

test('shouldKeepAlive = false sends Connection: close', async () => {
  const server = createServer((_req, res) => {
    res.shouldKeepAlive = false
    res.end('ok')
  })
  expect(await converse(await listen(server), [REQUEST])).toContain('Connection: close')
})

test('the close of net.Server stops listening and leaves idle connections open', async () => {
  const server = createServer((_req, res) => res.end('ok'))
  const port = await listen(server)
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => (received += data))
  socket.write(REQUEST)
  await expect.poll(() => received).toContain('ok')
  NetServer.prototype.close.call(server)
  expect(server.listening).toBe(false)
  socket.write(REQUEST)
  await expect.poll(() => received.split('HTTP/1.1').length).toBe(3)
  socket.destroy()
})
