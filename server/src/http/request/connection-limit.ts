import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork } from './client.ts'

/** How many connections one client may have open. */
export interface ConnectionLimit {
  /** The most open connections of one client network to this process. */
  readonly maxPerNetwork: number
  /** Whether an address is that of a trusted proxy, which has the connections of many clients. */
  isTrustedProxy(address: string): boolean
}

/**
 * Bounds the open connections of a client network. A connection beyond the limit never reaches the server's own
 * listeners: `reject` answers and closes it.
 */
export function limitConnections(
  server: Server,
  { maxPerNetwork, isTrustedProxy }: ConnectionLimit,
  reject: (socket: Socket) => void,
): void {
  const open = new Map<string, number>()
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    if (!isTrustedProxy(remoteAddress)) {
      const network = clientNetwork(remoteAddress)
      const count = open.get(network) ?? 0
      if (count >= maxPerNetwork) {
        reject(socket)
        return
      }
      open.set(network, count + 1)
      socket.once('close', () => {
        const left = (open.get(network) ?? 1) - 1
        if (left === 0) open.delete(network)
        else open.set(network, left)
      })
    }
    for (const listener of listeners) listener.call(server, socket)
  })
}
