import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a server does with the n-th connection on which a request came (from 0), down to the bytes. */
export type Behaviour = (socket: Socket, n: number) => void

/** A server that speaks in bytes, and so can misbehave in any way. */
export interface FaultServer {
  readonly baseUrl: string
  /** How many requests came. */
  requests(): number
  /** Resolves when the client has let go of all connections on which it had asked for something. */
  released(): Promise<void>
}

/** Starts the server; it ends with the test. */
export async function startFaultServer(behave: Behaviour): Promise<FaultServer> {
  let requests = 0
  const open = new Set<Socket>()
  // Node's fetch opens a spare connection in the place of one that was cancelled; it says nothing on it.
  const used = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      used.delete(socket)
      server.emit('released')
    })
    // A request without a body arrives in one piece on the loopback.
    socket.on('data', () => {
      used.add(socket)
      behave(socket, requests++)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`,
    requests: () => requests,
    released: async () => {
      while (used.size > 0) await once(server, 'released')
    },
  }
}

/** An answer in bytes, after which the connection is closed. */
export function answer(status: number, body: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({ 'content-length': Buffer.byteLength(body), connection: 'close', ...headers })
  return [`HTTP/1.1 ${status} X`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n')
}
