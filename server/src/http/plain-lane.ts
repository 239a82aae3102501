import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import findMyWay, { type HTTPVersion } from 'find-my-way'
import type { UrlMaker } from './answer-request.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import type { KnownUrls } from './known-urls.ts'
import { type Patience, PlainConnection } from './plain-connection.ts'
import { isPlainUrl, ownText } from './plain-request.ts'
import { lastFields } from './plain-response.ts'
import { requestIdOf } from './request-id.ts'

/**
 * A way past Node's HTTP server for plain requests to the endpoints. Everything else, and every connection on which
 * anything else has come, is left to the server.
 */
export interface PlainLane {
  /** Adds an endpoint's path. */
  add(path: string, urlMaker: UrlMaker): void
  /** Takes over the connections of a server before they come to it. */
  open(server: Server): void
  /** Ends connections that wait for a request, and the others after their answers. */
  close(): void
}

export interface PlainLaneOptions extends Patience {
  readonly urls: KnownUrls
  readonly longestParameter: number
  /** Whether connections are to be let go of. */
  readonly isDraining: () => boolean
}

export function createPlainLane({ urls, longestParameter, isDraining, ...patience }: PlainLaneOptions): PlainLane {
  const router = findMyWay<HTTPVersion.V1>({ maxParamLength: longestParameter })
  const connections = new Map<Socket, PlainConnection>()

  function answer(request: ApiRequest, response: ApiResponse): boolean {
    const url = request.url as string
    const known = urls.get(url) ?? (isPlainUrl(url) ? find(ownText(url)) : undefined)
    if (known === undefined) return false
    known.answer(known, request, response, requestIdOf(request))
    return true
  }

  function find(url: string) {
    const found = router.find('GET', url)
    return found === null ? undefined : (found.store as UrlMaker)(url, found.params as Record<string, string>)
  }

  return {
    add: (path, urlMaker) => router.on('GET', path, () => {}, urlMaker),
    open(server) {
      const toNode = server.listeners('connection') as ((socket: Socket) => void)[]
      server.removeAllListeners('connection')
      const answering = {
        answer,
        lastFields: lastFields(patience.keepAliveMs / 1000),
        isClosing: () => isDraining() || !server.listening,
        handOver(socket: Socket) {
          connections.delete(socket)
          for (const listener of toNode) listener.call(server, socket)
        },
      }
      server.on('connection', (socket: Socket) => {
        connections.set(socket, new PlainConnection(socket, answering, patience))
        socket.once('close', () => connections.delete(socket))
      })
    },
    close() {
      for (const connection of connections.values()) connection.close()
    },
  }
}
