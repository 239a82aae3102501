import type { Server } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'

/** How long idle connections may stay open once draining has begun. */
const DRAIN_MS = 1_500
const POLL_MS = 20

/**
 * Closes the keep-alive connections of a server without losing a request. A client may send its next request at the very
 * moment at which the server closes the connection, so the server announces the end first: the next response on each
 * connection carries `Connection: close`. Connections that stay idle are closed after a while.
 */
export class Drain {
  /** Whether draining has begun. */
  isOn = false
  private readonly sockets = new Set<Socket>()
  private readonly servers: Server[] = []

  /** Tracks the connections of a server. */
  watch(server: Server): void {
    this.servers.push(server)
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
    server.prependListener('request', (_request, response) => {
      if (this.isOn) response.shouldKeepAlive = false
    })
  }

  /** Stops accepting connections, which other workers then get, and resolves when none is left, or only idle ones. */
  async finish(): Promise<void> {
    this.isOn = true
    // `close` of an HTTP server would also close idle connections at once, so call that of the TCP server.
    for (const server of this.servers) Listener.prototype.close.call(server)
    const deadline = performance.now() + DRAIN_MS
    while (this.sockets.size > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}
