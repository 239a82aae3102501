import type { Logger } from 'pino'
import type { ApiRequest, ApiResponse } from '../request/exchange.ts'

/** What the HTTP side writes to the log. */
export interface RequestLog {
  /** Logs the request when it is answered, if such lines are wanted at all. */
  logOnFinish(request: ApiRequest, response: ApiResponse, id: string): void
  /** Logs a failure of the service itself, with all that is needed to find its cause. */
  logError(request: ApiRequest, id: string, error: unknown): void
  /** Logs that a request was turned away because of the state that the service is in. */
  logRejection(request: ApiRequest, id: string, code: string): void
}

/** A log on a pino logger, or one that says nothing. Headers are never logged, and keys are cut out of URLs. */
export function createRequestLog(logger: Logger | false, keyPrefix: string): RequestLog {
  if (logger === false) return { logOnFinish: () => {}, logError: () => {}, logRejection: () => {} }
  const secrets = new RegExp(`${escapeRegExp(keyPrefix)}[A-Za-z0-9]+|(?<![a-z0-9])[a-z0-9]{50}(?![a-z0-9])`, 'g')
  const clean = (text: string | undefined) => text?.replace(secrets, '***')
  const about = (request: ApiRequest, id: string) => ({
    requestId: clean(id),
    method: request.method,
    url: clean(request.url),
  })
  const watching = logger.isLevelEnabled('debug')
  return {
    logOnFinish(request, response, id) {
      if (!watching) return
      const start = performance.now()
      response.once('finish', () => {
        const ms = Math.round((performance.now() - start) * 1000) / 1000
        logger.debug({ ...about(request, id), status: response.statusCode, ms }, 'request')
      })
    },
    logError(request, id, error) {
      logger.error({ ...about(request, id), err: error }, 'request failed')
    },
    logRejection(request, id, code) {
      logger.warn({ ...about(request, id), code }, 'request turned away')
    },
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')
}
