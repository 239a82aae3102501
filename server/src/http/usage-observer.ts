import type { UsageRecorder } from '../accounts/usage-recorder.ts'
import type { AnswerObserver } from './answer-observer.ts'

/** Notes what good keys do. */
export function usageObserver(recorder: UsageRecorder): AnswerObserver {
  return {
    answered({ key, endpoint, status, ms, at, origin, code }) {
      if (key === undefined) return
      recorder.record(key.id, endpoint, status, ms, origin)
      if (code !== undefined) recorder.recordFailure(key.id, { at, endpoint, status, code })
    },
  }
}
