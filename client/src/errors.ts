import type { ErrorBody } from './api-types.ts'

/** What every failure of a request has in common. `instanceof MarqueeError` catches them all. */
export abstract class MarqueeError extends Error {
  /** The address that was asked for. It never holds the key. */
  readonly url: string

  constructor(message: string, url: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.url = url
  }
}

/** The service could not be reached, or did not answer in time. `cause` says why, where that is known. */
export class ConnectionError extends MarqueeError {
  override readonly name = 'ConnectionError'
  /** Whether the timeout of the call was what ended it. */
  readonly timedOut: boolean

  constructor(message: string, url: string, timedOut: boolean, cause?: unknown) {
    super(message, url, cause)
    this.timedOut = timedOut
  }
}

/** What is known of an answer apart from its body. */
export interface AnswerFacts {
  readonly url: string
  readonly status: number
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined
  /** Seconds after which it is worth trying again. */
  readonly retryAfter: number | undefined
}

/** An answer came, but not the one that was hoped for. */
abstract class AnswerError extends MarqueeError {
  /** The HTTP status of the answer; 0 where a browser hides it. */
  readonly status: number
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined
  /** Seconds after which it is worth trying again. */
  readonly retryAfter: number | undefined

  constructor(message: string, { url, status, requestId, retryAfter }: AnswerFacts, cause?: unknown) {
    super(message, url, cause)
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** The service said no. */
export class ServiceError extends AnswerError {
  override readonly name = 'ServiceError'
  /** For programs: `invalid_parameter`, `not_found`, `quota_exceeded` … */
  readonly code: ErrorBody['code']
  /** The parameter at fault, as the API spells it. */
  readonly parameter: string | undefined
  /** Of a key that was sent to the wrong place: the base that it belongs to. */
  readonly base: string | undefined
  /** Of a key that was sent to the wrong place: the header that it belongs in. */
  readonly header: string | undefined

  constructor(body: ErrorBody, facts: AnswerFacts) {
    super(body.message, {
      ...facts,
      requestId: facts.requestId ?? body.requestId,
      retryAfter: facts.retryAfter ?? body.retryAfter,
    })
    this.code = body.code
    this.parameter = body.parameter
    this.base = body.base
    this.header = body.header
  }
}

/** The answer is not what the contract says: not JSON, of another shape, or from somebody else. */
export class ContractError extends AnswerError {
  override readonly name = 'ContractError'
}
