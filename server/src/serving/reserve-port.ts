import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port that nobody else gets until it is released. */
export interface ReservedPort {
  readonly port: number
  release(): Promise<void>
}

/** Has the system choose a free port of an address, and holds it. Nobody is answered there meanwhile. */
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
