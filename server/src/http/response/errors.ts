type ErrorTable = Record<string, { readonly status: number; readonly meaning: string }>

/** Every error of the API: code, status and meaning. The OpenAPI document prints them. */
export const API_ERRORS = {
  invalid_parameter: { status: 400, meaning: 'A parameter has a value that cannot be used.' },
  missing_parameter: { status: 400, meaning: 'A required parameter is missing.' },
  unknown_parameter: { status: 400, meaning: 'Strict handling was asked for, and a parameter is not known.' },
  invalid_cursor: { status: 400, meaning: 'The cursor cannot be read, or belongs to another order.' },
  malformed_request: { status: 400, meaning: 'The request line, a header or the path is not valid HTTP.' },
  missing_key: { status: 401, meaning: 'No API key was sent.' },
  invalid_key: { status: 401, meaning: 'The API key is not known.' },
  wrong_key_source: { status: 401, meaning: 'The key is good, but not on this base address or in this header.' },
  key_revoked: { status: 403, meaning: 'The API key was revoked.' },
  origin_not_allowed: { status: 403, meaning: 'The key may not be used from this web origin.' },
  not_found: { status: 404, meaning: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, but takes only GET, HEAD and OPTIONS.' },
  request_timeout: { status: 408, meaning: 'The request did not arrive completely in time.' },
  uri_too_long: { status: 414, meaning: 'The URL is longer than 8 KiB.' },
  quota_exceeded: { status: 429, meaning: "The plan's quota for this period is used up." },
  rate_limited: { status: 429, meaning: 'More requests in this second than the plan allows.' },
  headers_too_large: { status: 431, meaning: 'The headers of the request are too large.' },
  internal: { status: 500, meaning: 'Something went wrong inside the service.' },
  unavailable: { status: 503, meaning: 'The service holds no catalog yet.' },
  overloaded: { status: 503, meaning: 'The service has more work than it can do at the moment.' },
} as const satisfies ErrorTable

/** Further errors of the developer platform. */
const PLATFORM_ERRORS = {
  invalid_body: { status: 400, meaning: 'The body of the request cannot be used.' },
  not_signed_in: { status: 401, meaning: 'This needs a session.' },
  sign_in_failed: { status: 401, meaning: 'Address and password do not lead to an account.' },
  invalid_secret: { status: 401, meaning: "The marketplace's secret is missing or wrong." },
  cross_site_request: { status: 403, meaning: 'The request came from another site, or without its CSRF token.' },
  wrong_password: { status: 403, meaning: 'The current password is not right.' },
  sign_up_closed: { status: 403, meaning: 'Nobody can sign up.' },
  invitation_needed: { status: 403, meaning: 'Signing up takes an invitation that fits the address.' },
  not_allowed: { status: 403, meaning: 'The account may not do this.' },
  conflict: { status: 409, meaning: 'What is asked for does not go with what is there.' },
  body_too_large: { status: 413, meaning: 'The body of the request is too large.' },
  unsupported_media_type: { status: 415, meaning: 'The body of the request is not JSON.' },
  too_many_attempts: { status: 429, meaning: 'Too many attempts to sign in or up, or changes of keys.' },
} as const satisfies ErrorTable

/** All errors of the service. */
export const ERRORS = { ...API_ERRORS, ...PLATFORM_ERRORS } as const

export type ErrorCode = keyof typeof ERRORS

/** What an error carries beside its code and message. */
interface ErrorDetails {
  /** The parameter at fault. */
  readonly parameter?: string
  /** Further members of the body, after the fixed ones. */
  readonly extras?: Readonly<Record<string, unknown>>
  /** Seconds after which a retry is worthwhile: sent in the header `Retry-After` and in the body. */
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

  /** Headers of the response: name, value, name, value. */
  get headers(): readonly string[] {
    const { headers = [], retryAfter } = this.details
    return retryAfter === undefined ? headers : [...headers, 'Retry-After', String(retryAfter)]
  }

  /** The body of the response, keys in the order of the contract. */
  body(): Buffer {
    const { parameter, extras, retryAfter } = this.details
    const members = {
      message: this.message,
      code: this.code,
      ...(parameter === undefined ? {} : { parameter }),
      ...extras,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    }
    return Buffer.from(JSON.stringify(members))
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
