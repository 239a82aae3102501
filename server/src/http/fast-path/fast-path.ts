import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import findMyWay, { type HTTPVersion } from 'find-my-way'
import type { ResolveRoute } from '../api/endpoint-handler.ts'
import type { RouteCache } from '../api/route-cache.ts'
import { type ApiRequest, type ApiResponse, resolveRequestId } from '../request/exchange.ts'
import { FastPathConnection, type Timeouts } from './connection.ts'
import { copyString, isSimpleUrl } from './request-parser.ts'
import { createFinalHeaders } from './response.ts'

/**
 * A way past Node's HTTP server for plain requests to the endpoints. Everything else, and every connection on which
 * anything else has come, is left to the server.
 */
export interface FastPath {
  /** Adds an endpoint's path. */
  addRoute(path: string, urlMaker: ResolveRoute): void
  /** Takes over the connections of a server before they come to it. */
  attach(server: Server): void
  /** Ends connections that wait for a request, and the others after their answers. */
  close(): void
}

export interface FastPathOptions extends Timeouts {
  readonly routes: RouteCache
  readonly maxParameterLength: number
  /** Whether connections are to be let go of. */
  readonly isDraining: () => boolean
}

export function createFastPath({ routes, maxParameterLength, isDraining, ...patience }: FastPathOptions): FastPath {
  const router = findMyWay<HTTPVersion.V1>({ maxParamLength: maxParameterLength })
  const connections = new Map<Socket, FastPathConnection>()

  function answer(request: ApiRequest, response: ApiResponse): boolean {
    const url = request.url as string
    const known = routes.get(url) ?? (isSimpleUrl(url) ? find(copyString(url)) : undefined)
    if (known === undefined) return false
    known.handle(known, request, response, resolveRequestId(request))
    return true
  }

  function find(url: string) {
    const found = router.find('GET', url)
    return found === null ? undefined : (found.store as ResolveRoute)(url, found.params as Record<string, string>)
  }

  return {
    addRoute: (path, urlMaker) => router.on('GET', path, () => {}, urlMaker),
    attach(server) {
      const toNode = server.listeners('connection') as ((socket: Socket) => void)[]
      server.removeAllListeners('connection')
      const answering = {
        answer,
        lastFields: createFinalHeaders(patience.keepAliveMs / 1000),
        isClosing: () => isDraining() || !server.listening,
        handOver(socket: Socket) {
          connections.delete(socket)
          for (const listener of toNode) listener.call(server, socket)
        },
      }
      server.on('connection', (socket: Socket) => {
        connections.set(socket, new FastPathConnection(socket, answering, patience))
        socket.once('close', () => connections.delete(socket))
      })
    },
    close() {
      for (const connection of connections.values()) connection.close()
    },
  }
}
