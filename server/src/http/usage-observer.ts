import type { UsageRecorder } from '../accounts/usage-recorder.ts'
import type { AnswerObserver } from './answer-observer.ts'

/** Notes what good keys do. */
export function usageObserver(recorder: UsageRecorder): AnswerObserver {
  return {
    answered(endpoint, status, ms, key, origin) {
      if (key !== undefined) recorder.record(key.id, endpoint, status, ms, origin)
    },
    failed({ key, at, endpoint, status, code }) {
      if (key !== undefined) recorder.recordFailure(key.id, { at, endpoint, status, code })
    },
  }
}
