import { ServiceError } from 'marquee-client'

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
export function problemOf(error: unknown): string | undefined {
  return error instanceof PlatformError ? (error.problem ?? error.code) : undefined
}
