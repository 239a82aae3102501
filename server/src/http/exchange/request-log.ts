import type { Logger } from 'pino'
import { DamagedCatalogError } from '../../catalog/storage/environment.ts'
import type { ApiError } from './errors.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'

/** The log of the HTTP side. */
export interface RequestLog {
  /** Logs the request when its response is finished, at level debug. */
  logOnFinish(request: ApiRequest, response: ApiResponse, id: string): void
  /** Logs an exception that the response does not show. */
  logError(request: ApiRequest, id: string, error: unknown): void
  /**
   * Logs an error response with a status of 500 or more: the cause of an internal error, the code of another one. Damage of
   * the catalog is named without a stack trace. Rejections of one code are logged once a second. Refused pages are logged,
   * too: behind a proxy that changes `Host` they are the operator's to mend.
   */
  logErrorResponse(request: ApiRequest, id: string, error: ApiError): void
}

/** How long further rejections of the same code are only counted. */
const REJECTION_LOG_MS = 1_000

/** A log on a pino logger, or none. It never logs headers and masks API keys in URLs. */
export function createRequestLog(logger: Logger | false, keyPrefix: string): RequestLog {
  if (logger === false) return { logOnFinish: () => {}, logError: () => {}, logErrorResponse: () => {} }
  const secrets = new RegExp(`${escapeRegExp(keyPrefix)}[A-Za-z0-9]+|(?<![a-z0-9])[a-z0-9]{50}(?![a-z0-9])`, 'g')
  const mask = (text: string | undefined) => (text === undefined ? undefined : maskSecrets(text, secrets))
  const describe = (request: ApiRequest, id: string) => ({
    requestId: mask(id),
    method: request.method,
    url: mask(request.url),
  })
  const warn = logger.warn.bind(logger)
  const logsRequests = logger.isLevelEnabled('debug')

  const logError = (request: ApiRequest, id: string, error: unknown) =>
    logger.error({ event: 'request_failed', ...describe(request, id), err: error }, 'request failed')

  const rejections = new Map<string, { loggedAt: number; unlogged: number }>()
  /** Logs one rejection of each code in a second: in an overload there are thousands. */
  function logRejection(request: ApiRequest, id: string, code: string): void {
    const now = performance.now()
    const last = rejections.get(code)
    if (last !== undefined && now - last.loggedAt < REJECTION_LOG_MS) {
      last.unlogged++
      return
    }
    const unlogged = last?.unlogged || undefined
    rejections.set(code, { loggedAt: now, unlogged: 0 })
    const context = { event: 'request_rejected', ...describe(request, id), code, unlogged }
    warn(context, 'request rejected')
  }

  return {
    logOnFinish(request, response, id) {
      if (!logsRequests) return
      const start = performance.now()
      response.once('finish', () => {
        const ms = Math.round((performance.now() - start) * 1000) / 1000
        logger.debug({ event: 'request', ...describe(request, id), status: response.statusCode, ms }, 'request')
      })
    },
    logError,
    logErrorResponse(request, id, error) {
      if (error.cause instanceof DamagedCatalogError) {
        const { table, message } = error.cause
        logger.error({ event: 'catalog_damaged', ...describe(request, id), table }, message)
      } else if (error.code === 'internal') logError(request, id, error.cause)
      else if (error.code === 'cross_site_request') {
        logger.warn({ event: 'page_refused', ...describe(request, id), reason: mask(error.message) }, 'page refused')
      } else if (error.status >= 500) logRejection(request, id, error.code)
    },
  }
}

/** Longer URLs are cut in the log. */
const MAX_LOGGED_LENGTH = 2_000

/** Masks secrets in a text, also percent-encoded ones: then the whole query is masked. */
function maskSecrets(text: string, secrets: RegExp): string {
  const cut = text.length > MAX_LOGGED_LENGTH ? `${text.slice(0, MAX_LOGGED_LENGTH)}…` : text
  const masked = cut.replace(secrets, '***')
  if (!masked.includes('%')) return masked
  // A percent sign that is itself encoded, however often, is one percent sign.
  const decoded = masked
    .replace(/%(?:25)+/g, '%')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoded.replace(secrets, '***') === decoded ? masked : `${masked.split(/[?%]/, 1)[0]}***`
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')
}
