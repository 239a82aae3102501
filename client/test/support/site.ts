import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A web site that serves the files of a folder. */
export interface Site {
  readonly origin: string
  close(): void
}

/** Serves a folder on a free port of the loopback. */
export async function serveFolder(folder: string): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url as string, 'http://127.0.0.1')
    response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html')
    createReadStream(join(folder, pathname))
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
