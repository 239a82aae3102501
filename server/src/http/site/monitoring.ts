import type { RouteHandlerMethod } from 'fastify'
import type { QueryEngine } from '../../render/query-engine.ts'
import { ApiError } from '../exchange/errors.ts'
import { checkRequest } from '../exchange/exchange.ts'
import { formatHeaders, JSON_TYPE } from '../exchange/headers.ts'
import type { RequestLog } from '../exchange/request-log.ts'
import { checkBearerToken } from '../request/client.ts'
import type { Responder } from '../response/responder.ts'
import type { Page } from './page.ts'

/** The replication state of a node, as `/readyz` prints it. */
export interface LedgerHealth {
  /** Whether the last contact with the ledger succeeded. A node without its ledger serves what it has. */
  readonly connected: boolean
  /** The last commit that this node has applied, and the last one that it knows of. */
  readonly commit: number
  readonly lastCommit: number
  /** Time since the node learnt of a commit that it has not applied, and its limit for a ready node. */
  readonly lagSeconds: number
  readonly maxLagSeconds: number
}

/** The state of all processes of a node, as one of them knows it. */
export interface NodeReadiness {
  /** Why the node is not ready; undefined if all its workers are. */
  readonly problem?: string
  /** How much of the catalog was copied from PostgreSQL, while it is being copied. */
  readonly copiedPercent?: number
}

/** Liveness: the process responds. */
export function healthPage(): Page {
  return { contentType: JSON_TYPE, body: '{"status":"ok"}' }
}

/** Readiness: all workers of the node serve the current catalog, and it is not too far behind its ledger. */
export function readinessPage(
  engine: Pick<QueryEngine, 'version'>,
  health?: LedgerHealth,
  { problem, copiedPercent }: NodeReadiness = {},
): Page {
  const version = engine.version()
  if (version === 0 && copiedPercent !== undefined) {
    throw notReadyError(`The service is copying the catalog, ${copiedPercent} %.`)
  }
  if (problem !== undefined) throw notReadyError(problem)
  if (version === 0) throw notReadyError('The service holds no catalog yet; import a feed.')
  const { maxLagSeconds = 0, ...ledger } = health ?? { lagSeconds: 0 }
  if (ledger.lagSeconds > maxLagSeconds) {
    throw notReadyError(`The catalog has been behind its ledger for ${ledger.lagSeconds} seconds.`)
  }
  const body = { status: 'ready', catalogVersion: version, ...(health !== undefined && { ledger }) }
  return { contentType: JSON_TYPE, body: JSON.stringify(body) }
}

function notReadyError(message: string): ApiError {
  return new ApiError('unavailable', message, { retryAfter: 5 })
}

/** The media type of Prometheus's text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const METRICS_HEADERS = formatHeaders(['Content-Type', METRICS_TYPE, 'Cache-Control', 'no-store'])

/** The handler of `/metrics`, in the text format of Prometheus. With a token, requests must carry it. */
export function createMetricsHandler(
  responder: Responder,
  log: RequestLog,
  read: () => Promise<string>,
  token?: string,
): RouteHandlerMethod {
  return async function handle(request, reply) {
    const { raw: req, id } = request
    log.logOnFinish(req, reply.raw, id)
    reply.hijack()
    try {
      checkRequest(req)
      if (token !== undefined) checkBearerToken(req.headers.authorization, token)
      // Without CORS headers: scripts of other origins have no business with the metrics.
      const headers = `X-Request-Id: ${id}\r\n${METRICS_HEADERS}`
      responder.send(req, reply.raw, 200, headers, { bytes: Buffer.from(await read()) })
    } catch (error) {
      responder.sendError(req, reply.raw, id, error)
    }
  }
}
