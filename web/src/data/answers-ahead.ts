import { marquee } from './marquee.ts'
import type { Question } from './question.ts'
import { keepAnswer, recentAnswer } from './recent-answers.ts'

const underWay = new Map<string, Promise<unknown>>()
const failed = new Map<string, Promise<unknown>>()

/** Asks before anything waits for the answer. */
export function askAhead({ key, ask }: Question<unknown>): Promise<unknown> {
  const known = underWay.get(key)
  if (known !== undefined) return known
  failed.delete(key)
  if (recentAnswer(key) !== undefined) return Promise.resolve()
  const asking = ask(new AbortController().signal, marquee)
    .then((value) => {
      keepAnswer(key, value)
      return value
    })
    .finally(() => underWay.delete(key))
  underWay.set(key, asking)
  asking.catch(() => failed.set(key, asking))
  return asking
}

/**
 * The answer to a question that was asked ahead: one that is under way or, once, what went wrong with it. Whoever asks
 * again after that wants another attempt.
 */
export function answerAhead<T>(key: string): Promise<T> | undefined {
  const asked = underWay.get(key) ?? failed.get(key)
  failed.delete(key)
  return asked as Promise<T> | undefined
}
