import type { ErrorBody } from './api-types.ts'
import { type AnswerFacts, ContractError, ServiceError } from './errors.ts'
import { readRetryAfter } from './retry.ts'

/** Says what is wrong with a body, or nothing if it is what the contract says. */
export type Check = (body: never) => string | undefined

/** What is known of an answer apart from its body. */
export function factsOf(url: string, { status, headers }: Response): AnswerFacts {
  return {
    url,
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: readRetryAfter(headers.get('Retry-After')),
  }
}

/** The body of a good answer. Throws what a bad one says, or that it is none of this API. */
export function readAnswer(facts: AnswerFacts, text: string, check: Check): unknown {
  const { status } = facts
  if (status === 304) throw notOurs(facts, 'status 304 ("not modified") to a request without a condition')
  // A browser hides the status of a redirect that it does not follow.
  if (status === 0 || (status >= 300 && status < 400)) throw notOurs(facts, 'a redirect, which is not followed')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw notOurs(facts, `status ${status}, and no JSON`, error)
  }
  if (status >= 400 && isErrorBody(body)) throw new ServiceError(body, facts)
  if (status !== 200) throw notOurs(facts, `status ${status}`)
  const problem = check(body as never)
  if (problem !== undefined) throw notOurs(facts, problem)
  return body
}

function notOurs(facts: AnswerFacts, problem: string, cause?: unknown): ContractError {
  return new ContractError(`${facts.url} does not answer as this API does: ${problem}`, facts, cause)
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { message, code } = (body ?? {}) as Partial<ErrorBody>
  return typeof message === 'string' && typeof code === 'string' && message !== '' && code !== ''
}
