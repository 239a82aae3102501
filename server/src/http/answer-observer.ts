import type { KnownKey } from '../accounts/key-store.ts'
import type { ErrorCode } from './errors.ts'

/** Is told of the answers of the API. It happens within every request, so nothing is made for it but the call. */
export interface AnswerObserver {
  /** Is told of every answer, once it was handed to the connection; the key is the one that was used, if it was good. */
  answered(endpoint: string, status: number, ms: number, key: KnownKey | undefined, origin: string | undefined): void
  /** Is told of what went wrong with an answer, after the answer. */
  failed(failure: ObservedFailure): void
}

/** An answer that says what went wrong. */
export interface ObservedFailure {
  readonly endpoint: string
  readonly status: number
  readonly code: ErrorCode
  readonly at: number
  readonly key: KnownKey | undefined
}

/** An observer that tells two others. */
export function tellBoth(first: AnswerObserver, second: AnswerObserver): AnswerObserver {
  return {
    answered(endpoint, status, ms, key, origin) {
      first.answered(endpoint, status, ms, key, origin)
      second.answered(endpoint, status, ms, key, origin)
    },
    failed(failure) {
      first.failed(failure)
      second.failed(failure)
    },
  }
}
