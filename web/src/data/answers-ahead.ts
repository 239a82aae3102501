import { marquee } from './marquee.ts'
import type { Question } from './question.ts'
import { keepAnswer, recentAnswer } from './recent-answers.ts'

/** For how long it is remembered that a question was asked in vain. */
const REMEMBERED_MS = 1000

const underWay = new Map<string, Promise<unknown>>()
const failed = new Map<string, { readonly asked: Promise<unknown>; readonly at: number }>()

/** Asks a question once for all who wait for the answer at the same time. */
export function askOnce<T>({ key, ask }: Question<T>): Promise<T> {
  const known = underWay.get(key)
  if (known !== undefined) return known as Promise<T>
  const recent = recentAnswer<T>(key)
  if (recent !== undefined) return Promise.resolve(recent)
  const asking = ask(new AbortController().signal, marquee)
    .then((value) => {
      keepAnswer(key, value)
      return value
    })
    .finally(() => underWay.delete(key))
  underWay.set(key, asking)
  return asking
}

/** Asks before anything waits for the answer. */
export function askAhead(question: Question<unknown>): Promise<unknown> {
  const asked = askOnce(question)
  failed.delete(question.key)
  asked.catch(() => failed.set(question.key, { asked, at: Date.now() }))
  return asked
}

/**
 * The answer to a question that was asked before: one that is under way or, once, what went wrong with one that was asked
 * ahead a moment ago. Whoever asks again after that wants another attempt.
 */
export function answerAhead<T>(key: string): Promise<T> | undefined {
  const inVain = failed.get(key)
  failed.delete(key)
  const isOfNow = inVain !== undefined && Date.now() - inVain.at < REMEMBERED_MS
  return (underWay.get(key) ?? (isOfNow ? inVain.asked : undefined)) as Promise<T> | undefined
}
