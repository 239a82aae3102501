import { ERRORS, type ErrorCode } from './error-codes.ts'

/** What an error carries beside its code and message. */
interface ErrorDetails {
  /** The parameter at fault. */
  readonly parameter?: string
  /** Further members of problem details, after the fixed ones. */
  readonly extras?: Readonly<Record<string, unknown>>
  /** Seconds after which a retry is worthwhile: sent in the header `Retry-After` and in problem details. */
  readonly retryAfter?: number | undefined
  /** Headers of the response: name, value, name, value. */
  readonly headers?: readonly string[]
  /** The exception behind an internal error, for the log. */
  readonly cause?: unknown
}

/** An error as the service responds with it. Handlers throw it; `toApiError` makes one of any other exception. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.details = details
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** The error of a path that does not exist. */
export function pathNotFoundError(): ApiError {
  return new ApiError('not_found', 'There is nothing at this path; /docs lists what there is.')
}

/** A value as error messages quote it: cut after 80 characters. */
export function quoteValue(value: string): string {
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
}
