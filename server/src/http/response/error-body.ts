import { ERRORS, type ErrorCode } from '../exchange/error-codes.ts'
import type { ApiError } from '../exchange/errors.ts'
import { encodeHeaderText, JSON_TYPE } from '../exchange/headers.ts'

/** The media type of problem details (RFC 9457). */
const PROBLEM_TYPE = 'application/problem+json'

/** The page of the documentation that describes every error, each under its code as the fragment. */
const ERRORS_PAGE = '/docs/errors'

/** An error as it goes over the wire. */
interface RenderedError {
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Renders an error for a request with the given `Accept` header. */
export type RenderError = (error: ApiError, requestId: string, accept: string | undefined) => RenderedError

/**
 * Creates the renderer of errors. The body is `{"message"}` alone, because generated clients refuse unknown members;
 * code and parameter are headers. A request that accepts problem details gets those instead. `publicUrl` makes their
 * `type` an absolute address; without it, it is relative to the root of the service.
 */
export function createErrorRenderer(publicUrl = ''): RenderError {
  return (error, requestId, accept) => {
    const isProblem = acceptsProblemDetails(accept)
    const { parameter, retryAfter, headers = [] } = error.details
    const members = isProblem ? problemDetails(error, requestId, publicUrl) : { message: error.message }
    return {
      body: Buffer.from(JSON.stringify(members)),
      headers: [
        'Content-Type',
        isProblem ? PROBLEM_TYPE : JSON_TYPE,
        'Cache-Control',
        'no-store',
        'X-Error-Code',
        error.code,
        ...(parameter === undefined ? [] : ['X-Error-Parameter', encodeHeaderText(parameter)]),
        ...headers,
        ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
      ],
    }
  }
}

/** The members of problem details, keys in the order of the contract. */
function problemDetails({ code, status, message, details }: ApiError, requestId: string, publicUrl: string): object {
  const { parameter, retryAfter, extras } = details
  return {
    type: publicUrl + errorAddress(code),
    title: ERRORS[code].title,
    status,
    detail: message,
    code,
    ...(parameter === undefined ? {} : { parameter }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    requestId,
    ...extras,
  }
}

/** Where the documentation describes an error. */
export function errorAddress(code: ErrorCode): string {
  return `${ERRORS_PAGE}#${code}`
}

/** Whether an `Accept` header names problem details. Wildcards do not: every client sends them. */
export function acceptsProblemDetails(accept: string | undefined): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(PROBLEM_TYPE)) return false
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === PROBLEM_TYPE && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))
  })
}
