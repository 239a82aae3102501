import type { RouteHandlerMethod } from 'fastify'
import type { QueryEngine } from '../../render/query-engine.ts'
import { checkRequest } from '../request/exchange.ts'
import { ApiError } from '../response/errors.ts'
import { formatHeaders } from '../response/headers.ts'
import { JSON_TYPE, type Responder } from '../response/responder.ts'
import type { Page } from '../site/page.ts'
import type { RequestLog } from './request-log.ts'

/** How a node stands to the ledger that it follows. */
export interface LedgerHealth {
  /** Whether the ledger answered when it was last asked. A node without its ledger goes on serving what it has. */
  readonly connected: boolean
  /** The last commit that this node holds, and the last one that it has heard of. */
  readonly commit: number
  readonly lastCommit: number
  /** For how long the node has known of commits that it does not hold, and how long it may. */
  readonly lagSeconds: number
  readonly maxLagSeconds: number
}

/** The process is alive. */
export function healthPage(): Page {
  return { contentType: JSON_TYPE, body: '{"status":"ok"}' }
}

/** The process can answer: there is a catalog, and it is not too far behind its ledger. */
export function readinessPage(answers: Pick<QueryEngine, 'version'>, health?: LedgerHealth): Page {
  const version = answers.version()
  if (version === 0) throw notReadyError('The service holds no catalog yet; import a feed.')
  const { maxLagSeconds = 0, ...ledger } = health ?? { lagSeconds: 0 }
  if (ledger.lagSeconds > maxLagSeconds) {
    throw notReadyError(`The catalog has been behind its ledger for ${ledger.lagSeconds} seconds.`)
  }
  const body = { status: 'ready', catalogVersion: version, ...(health !== undefined && { ledger }) }
  return { contentType: JSON_TYPE, body: JSON.stringify(body) }
}

function notReadyError(message: string): ApiError {
  return new ApiError('unavailable', message, { headers: ['Retry-After', '5'], extras: { retryAfter: 5 } })
}

const METRICS_HEADERS = formatHeaders([
  'Content-Type',
  'text/plain; version=0.0.4; charset=utf-8',
  'Cache-Control',
  'no-store',
])

/** The handler of the page that Prometheus reads. */
export function createMetricsHandler(
  responder: Responder,
  log: RequestLog,
  read: () => Promise<string>,
): RouteHandlerMethod {
  return async function handle(request, reply) {
    const { raw: req, id } = request
    log.logOnFinish(req, reply.raw, id)
    reply.hijack()
    try {
      checkRequest(req)
      const fields = responder.baseHeaders(req, id) + METRICS_HEADERS
      responder.send(req, reply.raw, 200, fields, { bytes: Buffer.from(await read()) })
    } catch (error) {
      responder.sendError(req, reply.raw, id, error)
    }
  }
}
