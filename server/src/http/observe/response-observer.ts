import type { ResolvedKey } from '../../accounts/keys/key-store.ts'
import type { RequestBuffer } from '../../accounts/usage/request-history.ts'
import type { UsageRecorder } from '../../accounts/usage/usage-recorder.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SpanSink } from '../../lib/spans.ts'
import type { ErrorCode } from '../exchange/error-codes.ts'

/** Observes the responses of the API. It is called in every request, so the arguments are passed without an object. */
export interface ResponseObserver {
  /** Called after every response was handed to the connection; `key` is undefined without a valid key. */
  onResponse(
    endpoint: string,
    status: number,
    ms: number,
    key: ResolvedKey | undefined,
    origin: string | undefined,
    url: string,
    requestId: string,
  ): void
  /** Called after `onResponse` for an error response. */
  onError(error: ObservedError): void
}

/** An error response. */
interface ObservedError {
  readonly endpoint: string
  readonly status: number
  readonly code: ErrorCode
  readonly at: number
  readonly key: ResolvedKey | undefined
  /** The table of the catalog that is damaged, if that is the reason. */
  readonly damagedTable?: string | undefined
}

/** An observer that calls two others. */
export function combineObservers(first: ResponseObserver, second: ResponseObserver): ResponseObserver {
  return {
    onResponse(endpoint, status, ms, key, origin, url, requestId) {
      first.onResponse(endpoint, status, ms, key, origin, url, requestId)
      second.onResponse(endpoint, status, ms, key, origin, url, requestId)
    },
    onError(error) {
      first.onError(error)
      second.onError(error)
    },
  }
}

/** Makes a span of each response, after it was sent. No span holds anything about keys or callers. */
export function createTraceObserver(sink: SpanSink): ResponseObserver {
  return {
    onResponse(endpoint, status, ms) {
      const endMs = Date.now()
      const attributes = { 'http.route': endpoint, 'http.response.status_code': status }
      sink.start(endpoint, 'server', endMs - ms, undefined).end(endMs, attributes, status >= 500)
    },
    onError() {},
  }
}

/** Records the usage of valid keys. */
export function createUsageObserver(recorder: UsageRecorder): ResponseObserver {
  return {
    onResponse(endpoint, status, ms, key, origin) {
      if (key !== undefined) recorder.record(key.id, endpoint, status, ms, origin)
    },
    onError({ key, at, endpoint, status, code }) {
      if (key !== undefined) recorder.recordFailure(key.id, { at, endpoint, status, code })
    },
  }
}

/** Collects the requests of accounts, for the log on their dashboard. */
export function createRequestObserver(buffer: Pick<RequestBuffer, 'record'>, clock: Clock): ResponseObserver {
  return {
    onResponse(_endpoint, status, ms, key, _origin, url, requestId) {
      if (key?.accountId === undefined) return
      buffer.record(key.accountId, {
        at: clock(),
        url,
        status,
        ms: Math.round(ms * 100) / 100,
        requestId,
        keyId: key.id,
      })
    },
    onError() {},
  }
}
