import type { Country, Genre, Marquee } from 'marquee-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { viewer } from '../app/viewer.ts'
import { marquee } from './client.ts'
import { countryQuestion } from './queries.ts'
import { type Answer, answerAhead, askOnce, keepAnswer, type Question, recentAnswer } from './query-cache.ts'

/**
 * Asks for something and follows the answer. `key` names what is asked for: another key means another question, and the
 * one that is under way is given up. Without a key nothing is asked.
 */
export function useAnswer<T>(
  key: string | undefined,
  ask: (signal: AbortSignal, client: Marquee) => Promise<T>,
): Answer<T> & { readonly retry: () => void } {
  const [held, setHeld] = useState<{ readonly key: string | undefined; readonly answer: Answer<T> }>()
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt((count) => count + 1)
  // What was there at once stays for as long as it is shown, also when it would not be fresh enough to start with.
  const drawn = useRef<{ readonly key: string; readonly value: T } | undefined>(undefined)
  const recent = key === undefined ? undefined : drawn.current?.key === key ? drawn.current.value : recentAnswer<T>(key)
  if (key !== undefined && recent !== undefined) drawn.current = { key, value: recent }

  // The key stands for what `ask` asks for; another attempt asks for it again.
  useEffect(() => {
    if (key === undefined || recent !== undefined) return
    // What was asked ahead may have come since this was drawn.
    const come = recentAnswer<T>(key)
    if (come !== undefined) {
      setHeld({ key, answer: { state: 'ready', value: come } })
      return
    }
    const controller = new AbortController()
    const settle = (answer: Answer<T>) => {
      if (!controller.signal.aborted) setHeld({ key, answer })
    }
    settle({ state: 'loading' })
    const asked = answerAhead<T>(key) ?? ask(controller.signal, marquee)
    asked.then(
      (value) => {
        keepAnswer(key, value)
        settle({ state: 'ready', value })
      },
      (error: unknown) => settle({ state: 'failed', error }),
    )
    return () => controller.abort()
  }, [key, attempt])

  if (held !== undefined && held.key === key && held.answer.state !== 'loading') return { ...held.answer, retry }
  return { ...(recent === undefined ? { state: 'loading' } : { state: 'ready', value: recent }), retry }
}

/** The viewer's country with its services. Several parts of a page want it, and it is asked for once. */
export function useCountry(): Answer<Country> & { readonly retry: () => void } {
  const question = countryQuestion(viewer.value)
  return useAnswer(question.key, () => askOnce(question))
}

/** All genres, named in the viewer's language; asked for once as well. */
export function useGenres(): Answer<Genre[]> & { readonly retry: () => void } {
  const { language } = viewer.value
  const question: Question<Genre[]> = {
    key: `genres ${language}`,
    ask: (signal, client) => client.genres.list({ outputLanguage: language }, { signal }),
  }
  return useAnswer(question.key, () => askOnce(question))
}

/** Long enough that a quick typist sends one request a word, short enough not to be felt. */
const PAUSE_MS = 90

/** A text once it has rested for a moment. An empty one counts at once. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : settled
}
