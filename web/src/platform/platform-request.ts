import { ConnectionError, ServiceError } from 'marquee-client'

/** A request to the platform: everything below `/platform`, which is no part of the public API. */
export interface PlatformRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Proves that a page of the session asks, and not another site. */
  readonly csrfToken?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Sends a request and gives what was answered; throws a `PlatformError` or a `ConnectionError`. */
export async function sendPlatformRequest<T>(request: PlatformRequest): Promise<T> {
  const { method = 'GET', path, body, csrfToken, signal } = request
  const url = `/platform${path}`
  const headers = new Headers()
  if (csrfToken !== undefined) headers.set('X-CSRF-Token', csrfToken)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  let response: Response
  try {
    response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    })
  } catch (cause) {
    throw new ConnectionError('The service could not be reached', url, false, cause)
  }
  const answer = response.status === 204 ? undefined : await response.json().catch(() => ({}))
  if (response.ok) return answer as T
  throw new PlatformError(answer ?? {}, url, response)
}

/** The body of an answer that says no. */
interface ProblemBody {
  readonly message?: string
  readonly code?: string
  /** What is wrong, where several problems share a code. */
  readonly problem?: string
  readonly retryAfter?: number
}

/** The platform said no. */
export class PlatformError extends ServiceError {
  /** Tells apart what shares a code: `weak_password`, `invalid_origin` … */
  readonly problem: string | undefined

  constructor(body: ProblemBody, url: string, response: Response) {
    const { message = response.statusText, code = 'internal' } = body
    // The codes of the platform are no part of the API, whose codes the client knows by name.
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

/** What went wrong, as one word: the problem, else the code. Undefined for what was not an answer of the platform. */
export function problemCode(error: unknown): string | undefined {
  return error instanceof PlatformError ? (error.problem ?? error.code) : undefined
}
