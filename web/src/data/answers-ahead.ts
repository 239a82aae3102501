import { marquee } from './marquee.ts'
import type { Question } from './question.ts'
import { keepAnswer, recentAnswer } from './recent-answers.ts'

const underWay = new Map<string, Promise<unknown>>()

/** Asks before anything waits for the answer. What goes wrong is met again by whoever waits for it. */
export function askAhead({ key, ask }: Question<unknown>): Promise<unknown> {
  const known = underWay.get(key)
  if (known !== undefined) return known
  if (recentAnswer(key) !== undefined) return Promise.resolve()
  const asking = ask(new AbortController().signal, marquee)
    .then((value) => {
      keepAnswer(key, value)
      return value
    })
    .finally(() => underWay.delete(key))
  underWay.set(key, asking)
  asking.catch(() => {})
  return asking
}

/** The answer that is under way to a question that was asked ahead. */
export function answerUnderWay<T>(key: string): Promise<T> | undefined {
  return underWay.get(key) as Promise<T> | undefined
}
