import type { Problem } from './api-types.ts'

/** Base class of all errors of requests. */
export abstract class MarqueeError extends Error {
  /** The requested URL. It never holds the key. */
  readonly url: string

  constructor(message: string, url: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.url = url
  }
}

/** The service could not be reached, or did not respond in time. `cause` has the reason, if it is known. */
export class ConnectionError extends MarqueeError {
  override readonly name = 'ConnectionError'
  /** Whether the timeout ended the call. */
  readonly timedOut: boolean

  constructor(message: string, url: string, timedOut: boolean, cause?: unknown) {
    super(message, url, cause)
    this.timedOut = timedOut
  }
}

/** Status and headers of a response. */
export interface ResponseInfo {
  readonly url: string
  readonly status: number
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined
}

/** Base class of the errors with a response. */
abstract class ResponseError extends MarqueeError {
  /** The HTTP status; 0 where a browser hides it. */
  readonly status: number
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined

  constructor(message: string, { url, status, requestId, retryAfter }: ResponseInfo, cause?: unknown) {
    super(message, url, cause)
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** What an error response says. */
export interface ErrorFacts {
  readonly message: string
  readonly code?: Problem['code'] | undefined
  readonly type?: string | undefined
  readonly parameter?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly base?: string | undefined
  readonly header?: string | undefined
}

/** An error response of the service. */
export class ServiceError extends ResponseError {
  override readonly name = 'ServiceError'
  /** Error code: `invalid_parameter`, `not_found`, `quota_exceeded` … Empty if the response has none. */
  readonly code: Problem['code']
  /** Address of the error in the documentation of the service; it may be relative to that of the service. */
  readonly type: string | undefined
  /** The invalid parameter, in the spelling of the API. */
  readonly parameter: string | undefined
  /** The right base URL of a key that was sent to the wrong one. */
  readonly base: string | undefined
  /** The right header of a key that was sent in the wrong one. */
  readonly header: string | undefined

  constructor(facts: ErrorFacts, info: ResponseInfo) {
    super(facts.message, {
      ...info,
      requestId: info.requestId ?? facts.requestId,
      retryAfter: info.retryAfter ?? facts.retryAfter,
    })
    this.code = facts.code ?? ''
    this.type = facts.type
    this.parameter = facts.parameter
    this.base = facts.base
    this.header = facts.header
  }
}

/** The response breaks the contract: no JSON, JSON of another shape, or a response of another server. */
export class ContractError extends ResponseError {
  override readonly name = 'ContractError'
}
