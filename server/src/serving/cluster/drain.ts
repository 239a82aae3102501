import type { Server } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'

/** How long connections that are not used may stay once the process is to stop. */
const DRAIN_MS = 1_500
const POLL_MS = 20

/**
 * Ends the connections of a server without a request getting lost. A client that keeps a connection open may send its
 * next request at the very moment at which the connection is closed, so each is told with an answer that it is the last
 * one. Connections that are silent for the whole time are closed after it.
 */
export class Drain {
  /** Whether connections are let go of by now. */
  isOn = false
  private readonly sockets = new Set<Socket>()
  private readonly servers: Server[] = []

  /** Watches over the connections of a server. */
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

  /**
   * Takes no more connections, lets go of each with the next answer on it, and resolves when there are none, or none that
   * is in use. `noneOnTheWay` resolves when whoever hands connections over knows that no more are taken: until then some
   * may be on their way, which must be sent back.
   */
  async finish(noneOnTheWay: () => Promise<unknown>): Promise<void> {
    this.isOn = true
    // The `close` of an HTTP server would also end, without a word, the connections that are idle at this instant.
    for (const server of this.servers) Listener.prototype.close.call(server)
    await noneOnTheWay()
    const deadline = performance.now() + DRAIN_MS
    while (this.sockets.size > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}
