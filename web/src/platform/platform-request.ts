import { ConnectionError, ServiceError } from 'marquee-client'

/** A request to the platform API below `/platform`, which is not public. */
export interface PlatformRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** A piece of a file, sent as it is instead of a body. */
  readonly piece?: Blob
  /** Protects against cross-site request forgery. */
  readonly csrfToken?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Sends a request and returns the body. Throws a `PlatformError` or a `ConnectionError`. */
export async function sendPlatformRequest<T>(request: PlatformRequest): Promise<T> {
  const { method = 'GET', path, body, piece, csrfToken, signal } = request
  const url = `/platform${path}`
  const headers = new Headers({ Accept: 'application/json, application/problem+json' })
  if (csrfToken !== undefined) headers.set('X-CSRF-Token', csrfToken)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (piece !== undefined) headers.set('Content-Type', 'application/octet-stream')
  let response: Response
  try {
    response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(piece !== undefined && { body: piece }),
      ...(signal !== undefined && { signal }),
    })
  } catch (cause) {
    throw new ConnectionError('The service could not be reached', url, false, cause)
  }
  const result = response.status === 204 ? undefined : await response.json().catch(() => ({}))
  if (response.ok) return result as T
  throw new PlatformError(result ?? {}, url, response)
}

/** Problem details (RFC 9457), as far as pages read them. */
interface ProblemBody {
  readonly detail?: string
  readonly code?: string
  /** A finer code, if several problems share one. */
  readonly problem?: string
  readonly retryAfter?: number
}

/** An error response of the platform. */
export class PlatformError extends ServiceError {
  /** A finer code: `weak_password`, `invalid_origin` … */
  readonly problem: string | undefined

  constructor(body: ProblemBody, url: string, response: Response) {
    const { detail: message = response.statusText, code = 'internal' } = body
    // The type of the client has the codes of the public API only.
    super(
      { message, code: code as ServiceError['code'] },
      {
        url,
        status: response.status,
        requestId: response.headers.get('x-request-id') ?? undefined,
        retryAfter: body.retryAfter,
      },
    )
    this.problem = body.problem
  }
}

/** The code of a `PlatformError`, the finer one if there is one; undefined for other errors. */
export function problemCode(error: unknown): string | undefined {
  return error instanceof PlatformError ? (error.problem ?? error.code) : undefined
}
