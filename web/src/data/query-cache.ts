import type { Marquee } from 'marquee-client'
import { marquee } from './client.ts'

/** Something that the service is asked for. */
export interface Question<T> {
  /** Names what is asked for: questions with the same key have the same answer. */
  readonly key: string
  readonly ask: (signal: AbortSignal, client: Marquee) => Promise<T>
}

/** What is known of something that was asked for. */
export type Answer<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }

/** Answers are shown again without asking for as long as the service calls them fresh. */
const FRESH_MS = 60_000
const MAX_ENTRIES = 60

const answers = new Map<string, { readonly value: unknown; readonly at: number }>()

/** What was answered under a key a short while ago: so that the way back is instant, and the page as it was. */
export function recentAnswer<T>(key: string): T | undefined {
  const entry = answers.get(key)
  return entry !== undefined && Date.now() - entry.at < FRESH_MS ? (entry.value as T) : undefined
}

/** Keeps an answer, and lets go of the oldest. */
export function keepAnswer(key: string, value: unknown): void {
  answers.delete(key)
  answers.set(key, { value, at: Date.now() })
  if (answers.size > MAX_ENTRIES) answers.delete(answers.keys().next().value as string)
}

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
