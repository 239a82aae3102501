import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port that no other program can take until it is released. */
interface ReservedPort {
  readonly port: number
  release(): Promise<void>
}

/** Takes a free port of an address by listening on it. Connections are closed at once. */
export async function reservePort(host: string): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy())
  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    release: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
