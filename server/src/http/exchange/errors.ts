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

/** One kind of error. */
interface ErrorKind {
  readonly status: number
  /** A short summary, the same for every occurrence. */
  readonly title: string
  /** What it means and what to do, for the documentation, in Markdown. */
  readonly meaning: string
  readonly remedy: string
}

type ErrorTable = Readonly<Record<string, ErrorKind>>

/** Every error of the API, by code. The documentation and the OpenAPI document print them. */
export const API_ERRORS = {
  invalid_parameter: {
    status: 400,
    title: 'A parameter has a value that cannot be used.',
    meaning:
      'A parameter has an invalid value: malformed, out of range, unknown to the catalog, in conflict with another one, repeated with different values, or not percent-encoded UTF-8.',
    remedy: 'The message says what is valid.',
  },
  missing_parameter: {
    status: 400,
    title: 'A required parameter is missing.',
    meaning: 'A required parameter is missing. An empty value counts as missing.',
    remedy: 'Add it.',
  },
  unknown_parameter: {
    status: 400,
    title: 'Strict handling was asked for, and a parameter is not known.',
    meaning: 'The request has `Prefer: handling=strict`, and the endpoint has no such parameter.',
    remedy:
      'Correct the name; the message suggests one that is near. Without strict handling the parameter is ignored, and the header `X-Ignored-Parameters` names it.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor cannot be read, or belongs to another order.',
    meaning: 'The cursor is malformed, or belongs to another order.',
    remedy:
      'Send `nextCursor` of the previous page, URL-encoded, with all other parameters unchanged; or start again without a cursor.',
  },
  malformed_request: {
    status: 400,
    title: 'The request line, a header or the path is not valid HTTP.',
    meaning: 'The request line, a header or the path is not valid HTTP.',
    remedy: 'Fix the client; often something is not percent-encoded.',
  },
  missing_key: {
    status: 401,
    title: 'No API key was sent.',
    meaning: 'No API key was sent.',
    remedy: 'Send one in the header that the message names.',
  },
  invalid_key: {
    status: 401,
    title: 'The API key is not known.',
    meaning: 'The API key is unknown.',
    remedy: 'Check that it was copied completely.',
  },
  wrong_key_source: {
    status: 401,
    title: 'The key is good, but not on this base address or in this header.',
    meaning: 'The key is valid, but was sent to the wrong base URL or in the wrong header.',
    remedy: 'Use the base URL and the header that the message names.',
  },
  key_revoked: {
    status: 403,
    title: 'The API key was revoked.',
    meaning: 'The API key was revoked.',
    remedy: 'Use another key.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'The key may not be used from this web origin.',
    meaning: 'The key is limited to certain web origins, and this is not one of them.',
    remedy: 'Call from an allowed origin, or get a key for this one.',
  },
  not_in_plan: {
    status: 403,
    title: 'The plan of the key does not include this.',
    meaning: 'The plan of the key does not include what was asked for.',
    remedy: 'Use a key on a plan that includes it; the message says what is needed.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this path.',
    meaning: 'There is no such path, show or country.',
    remedy: 'Check the path and the id. For a path of an older version, the message names the present one.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path exists, but takes only GET, HEAD and OPTIONS.',
    meaning: 'The path exists, but takes only GET, HEAD and OPTIONS (header `Allow`).',
    remedy: 'Use GET.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive completely in time.',
    meaning: 'The request was not received completely in time.',
    remedy: 'Send it again.',
  },
  token_expired: {
    status: 410,
    title: 'What happened after the token is no longer kept.',
    meaning:
      'The token in `since`, or the cursor of an export or of changes since a token, is older than the changes that are kept, or is of another catalog.',
    remedy:
      'Start again: get the whole of the country from `/catalog/export`, or a new token from `/changes` by `since=now`.',
  },
  uri_too_long: {
    status: 414,
    title: 'The URL is longer than 8 KiB.',
    meaning: 'The URL is longer than 8 KiB.',
    remedy: 'Shorten the request.',
  },
  quota_exceeded: {
    status: 429,
    title: "The plan's quota for this period is used up.",
    meaning: "The plan's quota for this month or day is used up.",
    remedy: 'Wait until `X-Quota-Reset`, or get a larger plan.',
  },
  rate_limited: {
    status: 429,
    title: 'More requests in this second than the plan allows.',
    meaning: 'More requests in this second than the plan allows.',
    remedy: 'Wait `Retry-After` seconds; the header `RateLimit` shows how many are left.',
  },
  too_many_streams: {
    status: 429,
    title: 'The key has as many streams open as it may.',
    meaning: 'The key has as many streams of changes open as it may.',
    remedy: 'Close one. One stream can have several change types, item types and catalogs.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers of the request are too large.',
    meaning: 'The headers of the request are too large.',
    remedy: 'Send fewer or shorter headers; often it is cookies.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong inside the service.',
    meaning: 'An error inside the service. It is not counted against the quota.',
    remedy: 'Retry later; if it persists, report the `X-Request-Id`.',
  },
  unavailable: {
    status: 503,
    title: 'The service holds no catalog yet.',
    meaning: 'The service has no catalog yet.',
    remedy: 'Wait `Retry-After` seconds. Operators: import a feed.',
  },
  overloaded: {
    status: 503,
    title: 'The service has more work than it can do at the moment.',
    meaning: 'The service is overloaded.',
    remedy: 'Wait `Retry-After` seconds, then retry with exponential backoff.',
  },
} as const satisfies ErrorTable

/** Further errors of the developer platform. */
const PLATFORM_ERRORS = {
  invalid_body: {
    status: 400,
    title: 'The body of the request cannot be used.',
    meaning: 'The body of the request is invalid.',
    remedy: 'The message says what is valid.',
  },
  not_signed_in: {
    status: 401,
    title: 'This needs a session.',
    meaning: 'A session is required, and there is none, or it has expired.',
    remedy: 'Sign in.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Address and password do not lead to an account.',
    meaning: 'There is no account with this address and password.',
    remedy: 'Check both.',
  },
  invalid_secret: {
    status: 401,
    title: 'The shared secret is missing or wrong.',
    meaning: "The marketplace's shared secret, or the token of `/metrics`, is missing or wrong.",
    remedy: 'Send `Authorization: Bearer` and the secret.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request came from another site, or without its CSRF token.',
    meaning: 'The request came from another site, or without a CSRF token.',
    remedy: 'Send it from a page of the service, with `X-CSRF-Token` as `/platform/session` gives it.',
  },
  wrong_password: {
    status: 403,
    title: 'The current password is not right.',
    meaning: 'The current password is wrong.',
    remedy: 'Type it again.',
  },
  sign_up_closed: {
    status: 403,
    title: 'Nobody can sign up.',
    meaning: 'Sign-up is closed.',
    remedy: 'Ask the operator for an account.',
  },
  invitation_needed: {
    status: 403,
    title: 'Signing up takes an invitation that fits the address.',
    meaning: 'Sign-up needs an invitation; the code is for another address, was used, or has expired.',
    remedy: 'Ask the operator for one.',
  },
  reset_needed: {
    status: 403,
    title: 'The link to set a new password is not valid.',
    meaning: 'The code to set a new password was used already, or has expired.',
    remedy: 'Ask the operator for another link.',
  },
  account_disabled: {
    status: 403,
    title: 'The account is disabled.',
    meaning: 'The operator has disabled the account.',
    remedy: 'Ask the operator.',
  },
  not_allowed: {
    status: 403,
    title: 'The account may not do this.',
    meaning: 'The account may not do this.',
    remedy: 'Sign in as an admin.',
  },
  conflict: {
    status: 409,
    title: 'What is asked for does not go with what is there.',
    meaning: 'The request conflicts with the current state: too many keys, a revoked key, a key that is taken.',
    remedy: 'Read the message.',
  },
  body_too_large: {
    status: 413,
    title: 'The body of the request is too large.',
    meaning: 'The body has more than 16 KiB.',
    remedy: 'Send less.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body of the request is not JSON.',
    meaning: 'The body is not JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  too_many_attempts: {
    status: 429,
    title: 'Too many attempts to sign in or up, or changes of keys.',
    meaning: 'Too many attempts to sign in or up, or changes of keys.',
    remedy: 'Wait `Retry-After` seconds.',
  },
} as const satisfies ErrorTable

/** All errors of the service. */
export const ERRORS = { ...API_ERRORS, ...PLATFORM_ERRORS } as const

export type ErrorCode = keyof typeof ERRORS

/** All errors as a list, for `spec/errors.json`: the web pages show it. */
export function listErrors(): readonly (ErrorKind & { readonly code: string; readonly isPublic: boolean })[] {
  return Object.entries<ErrorKind>(ERRORS).map(([code, kind]) => ({
    code,
    ...kind,
    isPublic: Object.hasOwn(API_ERRORS, code),
  }))
}
