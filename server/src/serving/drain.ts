import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long connections that are not used may stay once the process is to stop. */
const DRAIN_MS = 1_500
const LOOK_AGAIN_MS = 20

/** Ends the connections of a server without a request getting lost. */
export interface Drain {
  /** Lets go of each connection with the next answer on it, and resolves when there are none, or none that is in use. */
  finish(): Promise<void>
}

/**
 * Watches over the connections of a server. A client that keeps a connection open may send its next request at the very
 * moment at which the connection is closed, so each is told with an answer that it is the last one. Connections that are
 * silent for the whole time are closed after it.
 */
export function drainOf(server: Server): Drain {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    async finish() {
      server.prependListener('request', (_request, response) => {
        response.shouldKeepAlive = false
      })
      const deadline = performance.now() + DRAIN_MS
      while (sockets.size > 0 && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
      }
    },
  }
}
