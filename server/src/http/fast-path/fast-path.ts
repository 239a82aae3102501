import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import findMyWay, { type HTTPVersion } from 'find-my-way'
import type { MeteredCache } from '../../lib/cache.ts'
import type { ResolveRoute } from '../api/endpoint-handler.ts'
import type { CachedRoute, RouteCache } from '../api/route-cache.ts'
import { type ApiRequest, type ApiResponse, resolveRequestId } from '../exchange/exchange.ts'
import type { AdmissionQueue } from '../request/admission-queue.ts'
import type { FairQueue } from '../request/request-queue.ts'
import { FastPathConnection, type FastPathHandler, type Timeouts } from './connection.ts'
import { copyString, headerNameMeter, isSimpleUrl } from './request-parser.ts'
import { createFinalHeaders, InternalResponse } from './response.ts'

/**
 * Serves simple requests to the API's endpoints directly on the socket, without Node's HTTP server. Every other request,
 * and the rest of its connection, goes to that server. README.md in this folder has the details.
 */
interface FastPath {
  /** Adds the path of an endpoint. */
  addRoute(path: string, resolveRoute: ResolveRoute): void
  /** Answers a request of this process to itself; undefined if the URL is not a simple one of an endpoint. */
  answer(request: ApiRequest): Promise<{ readonly statusCode: number; readonly body: string }> | undefined
  /** Intercepts the new connections of a server. */
  attach(server: Server): void
  /** Closes idle connections at once and the others after their response. */
  close(): void
  caches(): readonly MeteredCache[]
}

interface FastPathOptions extends Timeouts {
  readonly routes: RouteCache
  readonly maxParameterLength: number
  /** Whether this process is about to stop, so that clients should close their connections. */
  readonly isDraining: () => boolean
  readonly admission: AdmissionQueue | undefined
  readonly fairQueue: FairQueue
  readonly isProbe: (request: ApiRequest) => boolean
  readonly rejectOverload: (request: ApiRequest, response: ApiResponse) => void
}

export function createFastPath(options: FastPathOptions): FastPath {
  const { routes, maxParameterLength, isDraining, admission, fairQueue, isProbe, rejectOverload, ...timeouts } = options
  const router = findMyWay<HTTPVersion.V1>({ maxParamLength: maxParameterLength })
  const connections = new Map<Socket, FastPathConnection>()

  function handle(request: ApiRequest, response: ApiResponse): boolean {
    const url = request.url as string
    const route = routes.get(url) ?? (isSimpleUrl(url) ? findRoute(copyString(url)) : undefined)
    if (route === undefined) return false
    route.handle(route, request, response, resolveRequestId(request))
    return true
  }

  function findRoute(url: string): CachedRoute | undefined {
    // The router would parse the query string, too.
    const end = url.indexOf('?')
    const found = router.find('GET', end < 0 ? url : url.slice(0, end))
    return found === null ? undefined : (found.store as ResolveRoute)(url, found.params as Record<string, string>)
  }

  return {
    addRoute: (path, resolveRoute) => router.on('GET', path, () => {}, resolveRoute),
    answer(request) {
      const response = new InternalResponse()
      return handle(request, response) ? response.sent() : undefined
    },
    attach(server) {
      const nodeListeners = server.listeners('connection') as ((socket: Socket) => void)[]
      server.removeAllListeners('connection')
      const handler: FastPathHandler = {
        handle,
        admission,
        fairQueue,
        isProbe,
        rejectOverload,
        finalHeaders: createFinalHeaders(timeouts.keepAliveMs / 1000),
        isClosing: () => isDraining() || !server.listening,
        handToNode(socket) {
          connections.delete(socket)
          for (const listener of nodeListeners) listener.call(server, socket)
        },
      }
      server.on('connection', (socket: Socket) => {
        connections.set(socket, new FastPathConnection(socket, handler, timeouts))
        socket.once('close', () => connections.delete(socket))
      })
    },
    close() {
      for (const connection of connections.values()) connection.close()
    },
    caches: () => [headerNameMeter],
  }
}
