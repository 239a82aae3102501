import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Settings, toReachableHost } from '../../config.ts'
import { ApiError } from '../../http/exchange/errors.ts'
import { checkBearerToken } from '../../http/request/bearer-token.ts'
import { METRICS_TYPE } from '../../http/site/monitoring.ts'
import { UserError } from '../../lib/user-error.ts'

/** Scrapers are few; more connections than this are refused. */
const MAX_CONNECTIONS = 64
const TIMEOUT_MS = 10_000

/** The listener of `MARQUEE_METRICS_PORT`. */
export interface MetricsServer {
  /** `http://host:port`. */
  readonly address: string
  stop(): Promise<void>
}

/**
 * Serves `/metrics` in the primary on a port of its own, so that it can stay on a private network and answers while the
 * workers are busy.
 */
export async function startMetricsServer(
  port: number,
  { metricsHost: host, metricsToken }: Pick<Settings, 'metricsHost' | 'metricsToken'>,
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer((req, res) => void respond(req, res))
  server.maxConnections = MAX_CONNECTIONS
  server.requestTimeout = TIMEOUT_MS
  server.timeout = TIMEOUT_MS
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    throw new UserError(
      `MARQUEE_METRICS_PORT is ${port} and MARQUEE_METRICS_HOST is ${host}, and listening there failed: ` +
        `${(error as Error).message}; set another port or address`,
    )
  }
  const address = server.address() as AddressInfo
  return { address: `http://${toReachableHost(address.address)}:${address.port}`, stop: () => stop(server) }

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      if (req.method !== 'GET' && req.method !== 'HEAD')
        throw new ApiError('method_not_allowed', 'This path takes only GET, HEAD.', { headers: ['Allow', 'GET, HEAD'] })
      if (req.url?.split('?', 1)[0] !== '/metrics') throw new ApiError('not_found', 'There is only /metrics here.')
      if (metricsToken !== undefined) checkBearerToken(req.headers.authorization, metricsToken)
      const body = await read()
      res.writeHead(200, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' }).end(body)
    } catch (error) {
      const { status, message, details } = error instanceof ApiError ? error : unavailable()
      res
        .writeHead(status, ['Content-Type', 'text/plain; charset=utf-8', ...(details.headers ?? [])])
        .end(`${message}\n`)
    }
  }
}

/** Gathering can fail while a worker starts or stops. */
function unavailable(): ApiError {
  return new ApiError('unavailable', 'The metrics could not be gathered; try again.', { headers: ['Retry-After', '1'] })
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
