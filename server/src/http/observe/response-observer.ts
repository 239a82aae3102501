import type { ResolvedKey } from '../../accounts/keys/key-store.ts'
import type { UsageRecorder } from '../../accounts/usage/usage-recorder.ts'
import type { ErrorCode } from '../response/errors.ts'

/** Is told of the answers of the API. It happens within every request, so nothing is made for it but the call. */
export interface ResponseObserver {
  /** Is told of every answer, once it was handed to the connection; the key is the one that was used, if it was good. */
  onResponse(
    endpoint: string,
    status: number,
    ms: number,
    key: ResolvedKey | undefined,
    origin: string | undefined,
  ): void
  /** Is told of what went wrong with an answer, after the answer. */
  onError(failure: ObservedError): void
}

/** An answer that says what went wrong. */
export interface ObservedError {
  readonly endpoint: string
  readonly status: number
  readonly code: ErrorCode
  readonly at: number
  readonly key: ResolvedKey | undefined
}

/** An observer that tells two others. */
export function combineObservers(first: ResponseObserver, second: ResponseObserver): ResponseObserver {
  return {
    onResponse(endpoint, status, ms, key, origin) {
      first.onResponse(endpoint, status, ms, key, origin)
      second.onResponse(endpoint, status, ms, key, origin)
    },
    onError(failure) {
      first.onError(failure)
      second.onError(failure)
    },
  }
}

/** Notes what good keys do. */
export function createUsageObserver(recorder: UsageRecorder): ResponseObserver {
  return {
    onResponse(endpoint, status, ms, key, origin) {
      if (key !== undefined) recorder.record(key.id, endpoint, status, ms, origin)
    },
    onError({ key, at, endpoint, status, code }) {
      if (key !== undefined) recorder.recordFailure(key.id, { at, endpoint, status, code })
    },
  }
}
