import type { KnownKey } from '../accounts/key-store.ts'
import type { ErrorCode } from './errors.ts'

/** An answer of the API, as those see it who count. */
export interface ObservedAnswer {
  readonly endpoint: string
  readonly status: number
  readonly ms: number
  readonly at: number
  /** The key that was used, if it was good. */
  readonly key: KnownKey | undefined
  readonly origin: string | undefined
  /** What went wrong, if something did. */
  readonly code: ErrorCode | undefined
}

/** Is told of every answer of the API, once it was handed to the connection. */
export interface AnswerObserver {
  answered(answer: ObservedAnswer): void
}

/** An observer that tells several. */
export function tellAll(observers: readonly AnswerObserver[]): AnswerObserver {
  return {
    answered(answer) {
      for (const observer of observers) observer.answered(answer)
    },
  }
}
