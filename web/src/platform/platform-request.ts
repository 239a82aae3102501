import { ConnectionError } from 'marquee-client'
import { PlatformError } from './platform-error.ts'

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
export async function platformRequest<T>(request: PlatformRequest): Promise<T> {
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
